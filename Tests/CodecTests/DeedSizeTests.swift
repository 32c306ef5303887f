import Notation
import Protocol
import Scenes
import Sessions
import TestSupport
import Testing

@testable import Codec

/// Bytes of what a reaction gives its command.
@Suite struct DeedSizeTests {
    private func scene(_ deed: String) throws -> Node {
        let text = """
            {"viewport":[320,568],"components":[{"id":"t","kind":"tips","tips":[{}]}],
            "reactions":[{"when":{"notification":"k"},"do":{"component":"t",\(deed)}}]}
            """
        return try Document.json(Array(text.utf8))
    }

    /// Arguments of so many bytes as JSON.
    private static func present(bytes: Int) -> String {
        let text = String(repeating: "x", count: bytes - 25)
        return #""command":"present","tips":[{"content":{"text":"\#(text)"}}]"#
    }

    private static func set(bytes: Int) -> String {
        let text = String(repeating: "x", count: bytes - 23)
        return #""command":"set","values":{"content":{"text":"\#(text)"}}"#
    }

    private func error(_ node: Node, isBounded: Bool = true) -> String? {
        do throws(SceneError) {
            _ = try SceneReader.scene(
                from: node, fallbackName: nil, isBounded: isBounded, isStrict: isBounded)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func argumentsHaveBoundedBytes() throws {
        try expectBound(of: "present", key: "tips", Self.present)
        try expectBound(of: "set", key: "values", Self.set)
    }

    private func expectBound(
        of command: String, key: String, _ deed: (Int) -> String
    ) throws {
        #expect(error(try scene(deed(8_192))) == nil)
        let long = try scene(deed(8_193))
        #expect(
            error(long)?.hasPrefix(
                "reaction 1, do, key \(key): the arguments of \(command) have 8193 bytes as JSON; "
                    + "in a reaction they have at most 8192: ") == true)
        let told = SceneFaults.found(in: Array(long.jsonText.utf8), file: "s.json")
        #expect(told.count == 1 && told[0].description.contains("have 8193 bytes"))
        // A session of an earlier version goes on with it.
        #expect(error(long, isBounded: false) == nil)
    }

    @Test func onlyArgumentsThatNameFactsAreMadeAnew() throws {
        for (text, isNamed) in [("$count", true), ("count", false), ("$", false)] {
            let node = try scene(
                #""command":"set","values":{"content":{"a":[1,{"b":"\#(text)"}]}}"#)
            let scene = try SceneReader.scene(from: node, fallbackName: nil)
            #expect(scene.reactions[0].order?.namesFacts == isNamed)
        }
    }
}
