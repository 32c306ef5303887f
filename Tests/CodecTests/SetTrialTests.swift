import Notation
import Protocol
import Sessions
import Testing

@testable import Codec
@testable import Scenes

/// Components that are read with the keys that reactions set.
@Suite struct SetTrialTests {
    /// Tips whose reactions set keys, the last one such that cannot be.
    private func scene(cards: Int, reactions: Int) throws -> Node {
        let tips = Array(repeating: #"{"title":"a"}"#, count: cards).joined(separator: ",")
        let sets = (1...reactions).map {
            #"{"when":{"notification":"k"},"do":{"component":"t","command":"set","values":"#
                + #"{"fade":\#($0 < reactions ? $0 : -1)}}}"#
        }
        let text = """
            {"viewport":[320,568],"components":[{"id":"t","kind":"tips","tips":[\(tips)]}],
            "reactions":[\(sets.joined(separator: ","))]}
            """
        return try Document.json(Array(text.utf8))
    }

    private func trials(_ node: Node) throws -> [Int] {
        let scene = try SceneTable.read(node.without("reactions"), fallbackName: nil)
        let reactions = try ReactionReader.reactions(
            try #require(node["reactions"]?.array), scene.components, isStrict: true)
        return SceneTable.setTrials(
            reactions, of: scene.components, from: try #require(node["components"]?.array),
            bytesMax: Limits.setTrialsBytesMax
        ).map(\.number)
    }

    @Test func allAreTriedWhereThatIsShort() throws {
        let node = try scene(cards: 9, reactions: 64)
        #expect(try trials(node) == Array(0..<64))
        #expect(throws: TableError.self) { try SceneTable.read(node, fallbackName: nil) }
    }

    @Test func aLongComponentIsReadAFewTimes() throws {
        let node = try scene(cards: 1_024, reactions: 64)
        let length = try #require(node["components"]?.array?.first).jsonBytes
        #expect(try trials(node).count == Limits.setTrialsBytesMax / length + 1)
        // The last one is judged when it is written; a person is told at once.
        _ = try SceneTable.read(node, fallbackName: nil)
        let told = SceneFaults.found(in: Array(node.jsonText.utf8), file: "s.json")
        #expect(told.count == 1 && told[0].description.contains("reaction 64, do, key values"))
    }
}
