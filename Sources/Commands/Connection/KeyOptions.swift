package import GesturedClient
import Notation

extension Tool {
    /// The keys that the options or the environment name; nil: none.
    ///
    /// - Parameter warn: gets a line where everybody on this machine can read the secret key.
    package static func keys(
        _ values: [String: String], variable: (String) -> String? = environment,
        warn: (ShownText) -> Void = Console.printWarning
    ) throws(Failure) -> ClientKeys? {
        guard let file = values["--key"] ?? variable("GESTURED_KEY") else {
            if values["--server-key"] != nil { throw .usage("--server-key needs --key") }
            return nil
        }
        let server = values["--server-key"] ?? variable("GESTURED_SERVER_KEY")
        return try daemon { () throws(ClientError) in
            let read = try ClientKeys.read(file, server: server)
            if read.isOpenToAll { warn(ShownText(ClientKeys.warning(of: file))) }
            return read.keys
        }
    }

    /// Why a daemon that is there says nothing, as far as keys are the reason; nil: they are not.
    package static func reasonOfSilence(at endpoint: String, hasKeys: Bool) -> ShownText? {
        switch (DaemonProbe.mechanism(at: endpoint), hasKeys) {
        case ("CURVE", false): "There is CURVE at that end: connect with a key, as by --key FILE."
        case ("CURVE", true):
            "Its key may be another than the given server key, or this key may not be let in."
        case ("NULL", true): "There is no CURVE at that end: connect without keys."
        default: nil
        }
    }
}
