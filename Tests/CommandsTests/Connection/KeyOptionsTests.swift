import Foundation
import GesturedClient
import Testing
import ZeroMQ

@testable import Commands

@Suite struct KeyOptionsTests {
    @Test func optionsComeBeforeVariables() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("gestured-test-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, mode: Int) throws -> (path: String, key: String) {
            let pair = try ZeroMQ.Curve.makeKeys()
            let path = folder.appendingPathComponent(name).path
            let text = "curve\n    public-key = \"\(pair.publicKey)\"\n    "
            try Data("\(text)secret-key = \"\(pair.secretKey)\"\n".utf8)
                .write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return (path, pair.publicKey)
        }
        let (one, other) = (try file("one", mode: 0o600), try file("other", mode: 0o644))
        let variables = ["GESTURED_KEY": other.path, "GESTURED_SERVER_KEY": other.path]
        var warnings: [ShownText] = []
        func keys(_ values: [String: String]) throws(Failure) -> ClientKeys? {
            try Tool.keys(values, variable: { variables[$0] }, warn: { warnings.append($0) })
        }
        let named = try keys(["--key": one.path, "--server-key": one.path])
        #expect(named?.publicKey == one.key && named?.serverKey == one.key && warnings.isEmpty)
        let found = try keys([:])
        #expect(found?.publicKey == other.key && found?.serverKey == other.key)
        #expect(warnings.map(\.text).joined().hasPrefix("\(other.path): every user"))
    }

    @Test func aServerKeyAloneIsAMistake() {
        #expect(throws: Failure.usage("--server-key needs --key")) {
            try Tool.keys(["--server-key": "x"], variable: { _ in nil })
        }
    }

    @Test func aBadFileEndsWithItsName() {
        #expect(throws: Failure.file("/none: No such file or directory")) {
            try Tool.keys(["--key": "/none"], variable: { _ in nil })
        }
    }
}
