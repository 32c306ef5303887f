import Glibc
import Security
package import ZeroMQ

/// The keys of a client: its own pair, and the public key of the daemon that it trusts.
///
/// A ``Connection`` with keys speaks CURVE at every `tcp://` endpoint, which encrypts all that
/// passes and shows each end who the other one is. `ipc://` endpoints go without. A certificate is
/// a file in CZMQ's format, as `gesturectl keygen`, CZMQ and pyzmq write it. All of these throw
/// ``ClientError/badKeys(_:)``, whose message names the file and the line, and never a secret.
public struct ClientKeys: Hashable, Sendable {
    private let publicPart: CurveKey
    private let secretPart: CurveKey
    private let serverPart: CurveKey

    /// This client's public key, the 40 characters that the daemon's folder of keys has.
    public var publicKey: String { publicPart.text }
    /// The daemon's public key, 40 characters.
    public var serverKey: String { serverPart.text }

    /// Reads three keys, each of 40 characters (Z85).
    public init(publicKey: String, secretKey: String, serverKey: String) throws(ClientError) {
        guard let publicPart = CurveKey(text: publicKey) else { throw Self.noKey("the public key") }
        guard let secretPart = CurveKey(text: secretKey) else { throw Self.noKey("the secret key") }
        guard let serverPart = CurveKey(text: serverKey) else { throw Self.noKey("the server key") }
        try self.init(publicPart, secretPart, serverPart, "the client's keys")
    }

    /// Reads the bytes of a secret certificate, which has both keys of this client.
    ///
    /// - Parameters:
    ///   - bytes: the certificate's file, at most 16 KiB of UTF-8.
    ///   - file: the name of the certificate in messages.
    ///   - serverKey: the daemon's public key, 40 characters; nil: the certificate's metadata have
    ///     it, as `server-key`.
    public init(
        certificate bytes: [UInt8], file: String, serverKey: String? = nil
    ) throws(ClientError) {
        let certificate = try Self.certificate(bytes, file)
        guard let secret = certificate.secretKey else {
            throw .badKeys("\(file): has no secret-key: it is a certificate to show to others")
        }
        guard let text = serverKey ?? certificate.value(of: "server-key") else {
            throw .badKeys("\(file): names no server-key, and none is given beside it")
        }
        guard let server = CurveKey(text: text) else {
            throw Self.noKey(serverKey == nil ? "\(file): server-key" : "the server key")
        }
        try self.init(certificate.publicKey, secret, server, file)
    }

    /// Reads a secret certificate from its file.
    ///
    /// - Parameters:
    ///   - file: the path of the certificate.
    ///   - server: the daemon's public key, or the path of a certificate that has it; nil: the
    ///     client's certificate names it.
    public init(file: String, server: String? = nil) throws(ClientError) {
        self = try Self.read(file, server: server).keys
    }

    /// The same, and whether every user of this machine can read the secret key.
    package static func read(
        _ file: String, server: String?
    ) throws(ClientError) -> (keys: ClientKeys, isOpenToAll: Bool) {
        let serverKey = try server.map { (text) throws(ClientError) in try Self.serverKey(text) }
        let secret = try KeyFile(file)
        let keys = try ClientKeys(certificate: secret.bytes, file: file, serverKey: serverKey)
        return (keys, secret.isOpenToAll)
    }

    /// The line for a person whose secret key is open to all.
    package static func warning(of file: String) -> String {
        "\(file): every user of this machine can read this secret key: chmod 600 it"
    }

    /// The keys that `GESTURED_KEY` and `GESTURED_SERVER_KEY` name in an environment, as for
    /// gesturectl: a file, and a key or a file. Nil without the first.
    public init?(environment: [String: String]) throws(ClientError) {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let file = value("GESTURED_KEY") else { return nil }
        try self.init(file: file, server: value("GESTURED_SERVER_KEY"))
    }

    /// The same pair, for a peer with another public key.
    func trusting(_ serverKey: String) throws(ClientError) -> ClientKeys {
        guard let serverPart = CurveKey(text: serverKey) else { throw Self.noKey("the key") }
        return try ClientKeys(publicPart, secretPart, serverPart, "the client's keys")
    }

    /// The public key of a certificate, 40 characters.
    public static func publicKey(
        ofCertificate bytes: [UInt8], file: String
    ) throws(ClientError) -> String {
        try certificate(bytes, file).publicKey.text
    }

    private init(
        _ publicPart: CurveKey, _ secretPart: CurveKey, _ serverPart: CurveKey, _ name: String
    ) throws(ClientError) {
        // libzmq would connect, and fail for ever without a word.
        let own = try transport { () throws(ZeroMQError) in
            try ZeroMQ.Curve.publicKey(of: secretPart.text)
        }
        guard own == publicPart.text else {
            throw .badKeys("\(name): the public key is not that of the secret one")
        }
        (self.publicPart, self.secretPart, self.serverPart) = (publicPart, secretPart, serverPart)
    }

    /// A key, or the public key of the certificate at a path.
    package static func serverKey(_ text: String) throws(ClientError) -> String {
        if unsafe access(text, F_OK) != 0 && errno == ENOENT {
            if CurveKey(text: text) != nil { return text }
            throw .badKeys(
                "\(text) is neither a key of \(CurveKey.characterCount) characters nor a file")
        }
        return try certificate(try KeyFile(text).bytes, text).publicKey.text
    }

    private static func certificate(
        _ bytes: [UInt8], _ file: String
    ) throws(ClientError) -> Certificate {
        do throws(CertificateError) {
            return try Certificate(bytes)
        } catch {
            let place = error.line.map { ":\($0)" } ?? ""
            throw .badKeys("\(file)\(place): \(error.message)")
        }
    }

    private static func noKey(_ name: String) -> ClientError {
        .badKeys("\(name) must have the \(CurveKey.characterCount) characters of a key (Z85)")
    }

    /// For the sockets that connect to `tcp://` endpoints.
    package var options: [SocketOption] {
        [
            .curvePublicKey(publicPart.bytes), .curveSecretKey(secretPart.bytes),
            .curveServerKey(serverPart.bytes),
        ]
    }
}

extension ClientKeys: CustomStringConvertible, CustomReflectable {
    /// The public key alone.
    public var description: String { "ClientKeys(\(publicKey))" }
    /// Nothing of the keys, so that no dump shows a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A certificate's file, read whole.
private struct KeyFile {
    let bytes: [UInt8]
    /// Whether users beside the owner and the group may read or write it.
    let isOpenToAll: Bool

    init(_ path: String) throws(ClientError) {
        func failure(_ code: CInt) -> ClientError {
            .badKeys("\(path): \(unsafe String(cString: strerror(code)))")
        }
        // Nothing waits for the writer of a pipe.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .badKeys("\(path): is no plain file")
        }
        isOpenToAll = status.st_mode & 0o007 != 0
        // One more than a certificate may have shows that it has too many.
        var bytes = [UInt8](repeating: 0, count: Certificate.bytesMax + 1)
        var count = 0
        while count < bytes.count {
            let result = unsafe bytes.withUnsafeMutableBytes { room in
                unsafe read(
                    descriptor, room.baseAddress?.advanced(by: count), room.count - count)
            }
            if result < 0 && errno == EINTR { continue }
            guard result >= 0 else { throw failure(errno) }
            if result == 0 { break }
            count += result
        }
        self.bytes = Array(bytes[..<count])
    }
}
