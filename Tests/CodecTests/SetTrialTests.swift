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

    private func isRefused(_ node: Node) -> Bool {
        (try? SceneTable.read(node, fallbackName: nil)) == nil
    }

    @Test func allAreTriedWhereThatIsShort() throws {
        #expect(isRefused(try scene(cards: 9, reactions: 64)))
    }

    @Test func aLongComponentIsReadAFewTimes() throws {
        let node = try scene(cards: 1_024, reactions: 1)
        let length = try #require(node["components"]?.array?.first).jsonBytes
        let tried = Limits.setTrialsBytesMax / length
        #expect(isRefused(try scene(cards: 1_024, reactions: tried)))
        // The last one is judged when it is written; a person is told at once.
        let long = try scene(cards: 1_024, reactions: 64)
        #expect(tried < 64 && !isRefused(long))
        let told = SceneFaults.found(in: Array(long.jsonText.utf8), file: "s.json")
        #expect(told.count == 1 && told[0].description.contains("reaction 64, do, key values"))
    }
}
