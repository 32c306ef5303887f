import Commands
import GesturedClient
import Glibc
import Manual
import Notation
import Security
import ZeroMQ

extension Command {
    static let keygen = Command(
        name: "keygen", arguments: "KEYNAME", summary: "Make the keys of a client or of a daemon",
        details: """
            Writes a pair of keys for CURVE as two certificates in CZMQ's format: KEYNAME.key has
            the public key and may be shown; KEYNAME.key_secret has both, and its owner alone can
            read it. It overwrites nothing.

            The public certificate of a client goes into the daemon's folder authorized_keys, where
            KEYNAME names the client's rights. The secret one goes to the client alone, as
            --key FILE or GESTURED_KEY. With --server it says, too, which daemon the client trusts;
            else the client needs --server-key. For a daemon, the secret certificate is its
            server_key.
            """, usesDaemon: false,
        options: [
            Option("--server", "KEY|FILE", "the daemon's public key, or a file, for the client"),
            Option("--folder", "DIR", "where to write both (default: here)"),
        ],
        examples: [
            ("gesturectl keygen server", "make the keys of a daemon"),
            (
                "gesturectl keygen kiosk-1 --server server.key",
                "make those of a client that trusts it"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["KEYNAME"])
        try writeKeys(context.arguments)
    }
}

private func writeKeys(_ arguments: Arguments) throws(Failure) {
    let name = arguments.positionals[0]
    // A hidden file is passed over in the folder of keys.
    guard Name.isValid(name), !name.hasPrefix(".") else {
        throw .usage("KEYNAME must be \(Name.rule), and not begin with a dot, not '\(name)'")
    }
    let server = try arguments.values["--server"].map { (text) throws(Failure) in
        try daemon { () throws(ClientError) in try ClientKeys.serverKey(text) }
    }
    var certificate = try newCertificate()
    if let server { certificate.metadata = [Certificate.Entry("server-key", server)] }
    let base = (arguments.values["--folder"].map { "\($0)/" } ?? "") + name
    let (open, secret) = ("\(base).key", "\(base).key_secret")
    let comment = "****  Made by gesturectl \(Version.text)  ****"
    try write(certificate.text(withSecret: true, comment: comment), to: secret, mode: 0o600)
    certificate.metadata = []
    do throws(Failure) {
        try write(certificate.text(withSecret: false, comment: comment), to: open, mode: 0o644)
    } catch {
        unsafe unlink(secret)
        throw error
    }
    try Console.printLine("wrote \(open), the public key, and \(secret), both keys: a secret")
    try Console.printLine(next(name, open, secret, isForClient: server != nil))
}

private func next(
    _ name: String, _ open: String, _ secret: String, isForClient: Bool
) -> ShownText {
    if isForClient {
        return "next: put \(open) into the daemon's authorized_keys and reload it; "
            + "the client connects with --key \(secret)"
    }
    return
        "next: for a daemon, server_key = \"\(name).key_secret\"; for a client, put \(open) into "
        + "authorized_keys, reload, and connect with --key \(secret) --server-key KEY"
}

private func newCertificate() throws(Failure) -> Certificate {
    let texts: (publicKey: String, secretKey: String)
    do throws(ZeroMQError) {
        texts = try Curve.makeKeys()
    } catch {
        throw .unavailable("\(error)")
    }
    guard let publicKey = CurveKey(text: texts.publicKey),
        let secretKey = CurveKey(text: texts.secretKey)
    else { throw .unavailable("libzmq made no keys") }
    return Certificate(publicKey: publicKey, secretKey: secretKey)
}

/// Writes a new file wholly, or leaves none.
private func write(_ text: String, to path: String, mode: mode_t) throws(Failure) {
    let file = try OutputFile(creating: path, mode: mode)
    do throws(Failure) {
        try file.write(Array(text.utf8))
        try file.syncToDisk()
    } catch {
        unsafe unlink(path)
        throw error
    }
}
