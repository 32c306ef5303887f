import Notation
import Platform
import Store

extension Configuration {
    /// The name of the credential, as systemd's `LoadCredential=` gives it.
    private static var credential: String { "gestured.key" }

    /// Reads the key of the ids' hashes: from the credential if there is one, else from the file
    /// that the configuration names.
    mutating func readSecret(_ node: Node, _ file: String) throws(StartError) {
        if let folder = Host.variable("CREDENTIALS_DIRECTORY") {
            let path = "\(folder)/\(Self.credential)"
            if Files.exists(path) {
                secretPlace = "credential \(Self.credential)"
                secret = try Self.secret(in: path, place: secretPlace)
                return
            }
        }
        guard !keyFile.isEmpty else { return }
        keyFile = Files.resolve(keyFile, beside: file)
        let line = node["store"]?["key_file"]?.line
        secretPlace = "\(Self.place(file, line)) store, key key_file"
        secret = try Self.secret(in: keyFile, place: secretPlace)
        warnOfMode(keyFile)
    }

    private static func secret(in path: String, place: String) throws(StartError) -> Secret {
        let bytes: [UInt8]
        do throws(StartError) {
            bytes = try Files.read(path, bytesMax: Secret.bytesMax + 1)
        } catch {
            throw StartError("\(place): \(error.message)")
        }
        guard let secret = Secret(bytes) else {
            let count = bytes.count > Secret.bytesMax ? "more" : "\(bytes.count)"
            throw StartError(
                "\(place): \(path): a key has \(Secret.bytesMin) to \(Secret.bytesMax) bytes, "
                    + "not \(count)")
        }
        return secret
    }

    /// Why this configuration cannot replace the running one; nil: it can.
    func flaw(after running: Configuration) -> StartError? {
        guard secret != running.secret else { return nil }
        let what =
            secret == nil
            ? "the key is gone" : "\(secretPlace): the daemon was started with another key or none"
        return StartError("\(what); the ids that it remembers are known by what it began with")
    }
}
