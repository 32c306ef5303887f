import Foundation
import Testing

@testable import Daemon

struct FilesTests {
    private func file(mode: Int, _ text: String) throws -> String {
        let path = NSTemporaryDirectory() + "gestured-\(UUID().uuidString)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func mode(_ path: String) throws -> Int {
        var status = stat()
        try #require(unsafe stat(path, &status) == 0)
        return Int(status.st_mode)
    }

    @Test(arguments: [0o440, 0o404, 0o644, 0o600 | 0o020])
    func whatAGroupMayReadIsCopied(mode: Int) throws {
        let path = try file(mode: mode, "*:*:*:*:secret\n")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let copy = try Files.private(path)
        #expect(copy != path)
        // libpq takes a plain file of this mode alone, and reads it at each connection.
        #expect(try self.mode(copy) == Int(S_IFREG | S_IRUSR | S_IWUSR))
        for _ in 0..<2 { #expect(try Files.read(copy) == Array("*:*:*:*:secret\n".utf8)) }
    }

    @Test(arguments: [0o400, 0o600])
    func whatIsPrivateStaysWhereItIs(mode: Int) throws {
        let path = try file(mode: mode, "secret")
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try Files.private(path) == path)
    }

    @Test func whatIsNotThereIsNamed() {
        let error = #expect(throws: StartError.self) { try Files.private("/nowhere/pgpass") }
        #expect(error?.message.hasPrefix("/nowhere/pgpass: cannot be read") == true)
    }
}
