import Foundation
import GesturedClient
import Security
import Testing
import ZeroMQ

/// Certificates in a folder that the test removes.
private struct Keys {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("gestured-test-\(UUID().uuidString.prefix(8))")
    let own: (publicKey: String, secretKey: String)
    let server: String

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        own = try ZeroMQ.Curve.makeKeys()
        server = try ZeroMQ.Curve.makeKeys().publicKey
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func text(metadata: String = "", secret: String? = nil) -> String {
        """
        metadata
        \(metadata)
        curve
            public-key = "\(own.publicKey)"
            \(secret ?? "secret-key = \"\(own.secretKey)\"")
        """
    }

    func file(_ text: String, mode: Int = 0o600) throws -> String {
        let path = folder.appendingPathComponent("client.key_secret").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }
}

/// The message of the error that keys end with.
private func flaw(_ make: () throws -> Void) -> String {
    do {
        try make()
        return ""
    } catch ClientError.badKeys(let message) {
        return message
    } catch {
        return "not badKeys: \(error)"
    }
}

@Suite struct ClientKeysTests {
    @Test func aCertificateNamesItsServer() throws {
        let keys = try Keys()
        defer { keys.remove() }
        let path = try keys.file(keys.text(metadata: "    server-key = \"\(keys.server)\""))
        let read = try ClientKeys(file: path)
        #expect(read.publicKey == keys.own.publicKey && read.serverKey == keys.server)
        #expect(try ClientKeys(environment: ["GESTURED_KEY": path]) == read)
        // One that is given beside it comes first: as characters, or as a file.
        let other = try ZeroMQ.Curve.makeKeys().publicKey
        #expect(try ClientKeys(file: path, server: other).serverKey == other)
        let server = keys.folder.appendingPathComponent("server.key")
        try Data("curve\n    public-key = \"\(other)\"\n".utf8).write(to: server)
        #expect(try ClientKeys(file: path, server: server.path).serverKey == other)
        let variables = ["GESTURED_KEY": path, "GESTURED_SERVER_KEY": other]
        #expect(try ClientKeys(environment: variables)?.serverKey == other)
        #expect(try ClientKeys(environment: ["GESTURED_SERVER_KEY": other]) == nil)
    }

    @Test func messagesNameTheFileAndTheLine() throws {
        let keys = try Keys()
        defer { keys.remove() }
        func read(_ text: String) -> String {
            flaw { _ = try ClientKeys(certificate: Array(text.utf8), file: "a.key_secret") }
        }
        let long = keys.text(secret: "secret-key = \"short\"")
        #expect(read(long).hasPrefix("a.key_secret:5: secret-key must be"))
        #expect(read(keys.text(secret: "")).hasPrefix("a.key_secret: has no secret-key"))
        #expect(read(keys.text()).hasPrefix("a.key_secret: names no server-key"))
        let bad = keys.text(metadata: "    server-key = \"short\"")
        #expect(read(bad).hasPrefix("a.key_secret: server-key must have the 40"))
        let other = try ZeroMQ.Curve.makeKeys().secretKey
        let mixed = keys.text(
            metadata: "    server-key = \"\(keys.server)\"", secret: "secret-key = \"\(other)\"")
        #expect(read(mixed) == "a.key_secret: the public key is not that of the secret one")
        #expect(!read(mixed).contains(other))
        #expect(read("\u{0}") == "a.key_secret: is no text")
    }

    @Test func aFileThatIsNoCertificateIsNamed() throws {
        let keys = try Keys()
        defer { keys.remove() }
        let folder = keys.folder.path
        #expect(
            flaw { _ = try ClientKeys(file: "\(folder)/none") }
                == "\(folder)/none: No such file or directory")
        #expect(flaw { _ = try ClientKeys(file: folder) } == "\(folder): is no plain file")
        #expect(flaw { _ = try ClientKeys(file: "/dev/zero") } == "/dev/zero: is no plain file")
        let large = try keys.file(String(repeating: "#", count: Certificate.bytesMax + 1))
        #expect(flaw { _ = try ClientKeys(file: large) }.hasSuffix("has at most 16384 bytes"))
        let path = try keys.file(keys.text())
        #expect(
            flaw { _ = try ClientKeys(file: path, server: "abc") }
                == "abc is neither a key of 40 characters nor a file")
    }

    @Test(arguments: [(0o600, false), (0o640, false), (0o644, true), (0o602, true)])
    func aKeyThatAllMayUseIsNoticed(mode: Int, isOpen: Bool) throws {
        let keys = try Keys()
        defer { keys.remove() }
        let path = try keys.file(keys.text(), mode: mode)
        #expect(try ClientKeys.read(path, server: keys.server).isOpenToAll == isOpen)
    }

    @Test func nothingShowsTheSecret() throws {
        let keys = try Keys()
        let read = try ClientKeys(
            publicKey: keys.own.publicKey, secretKey: keys.own.secretKey, serverKey: keys.server)
        var shown = "\(read) \(String(reflecting: read))"
        dump(read, to: &shown)
        #expect(shown.contains(keys.own.publicKey) && !shown.contains(keys.own.secretKey))
        // A key's words are its bytes in other clothes.
        #expect(!shown.contains("secretPart"))
    }
}
