import Codec
import Geometry
import Notation
import Protocol
import Sessions
import Testing

@testable import Daemon

/// Scenes whose texts are equal to Swift, but have not the same bytes.
@Suite struct SceneShelfTests {
    /// 가 with its final consonant, as three code points of three bytes and as one.
    private static let long = "\u{1100}\u{1161}\u{11A8}"
    private static let short = "\u{AC01}"

    private func text(_ title: String) -> String {
        let component = #"{"id":"r","kind":"reader","pages":["\#(title)"]}"#
        return #"{"viewport":[320,568],"components":[\#(component)]}"#
    }

    private func bytes(_ title: String) -> Int { SceneShelf.bytes(of: text(title)) }

    private func scene(_ title: String) throws -> Scene {
        try SceneReader.scene(
            from: try Document.json(Array(text(title).utf8)), fallbackName: nil)
    }

    @Test(arguments: [true, false])
    func equalTextsOfOtherBytesAreTwoScenes(isLongFirst: Bool) throws {
        let (long, short) = (try scene(Self.long), try scene(Self.short))
        #expect(long.document == short.document)
        let shelf = SceneShelf()
        let (first, second) = isLongFirst ? (long, short) : (short, long)
        for scene in [first, second, first, second] {
            let kept = try shelf.insert(shelf.shared(scene))
            #expect(kept.document?.utf8.count == scene.document?.utf8.count)
        }
        #expect(shelf.bytes == bytes(Self.long) + bytes(Self.short))
        for _ in 1...2 { shelf.remove(first) }
        #expect(shelf.bytes == bytes(isLongFirst ? Self.short : Self.long))
        for _ in 1...2 { shelf.remove(second) }
        #expect(shelf.bytes == 0)
    }

    /// The bytes that are left when all sessions of a lane have gone are none, whichever event came
    /// first.
    @Test(arguments: [true, false])
    func aSessionWhoseFirstEventIsAnUpdateHasTheSceneThatIsKept(isLongFirst: Bool) throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        defer { lane.stop() }
        let long = text(Self.long), short = text(Self.short)
        let (first, second) = isLongFirst ? (long, short) : (short, long)
        func command(_ session: String, _ body: String) {
            var batch = Batch()
            batch.add("command", session, body)
            lane.submit(&batch)
            lanes.rest()
        }
        let shelf = lane.settings.shelf
        for cycle in 1...2 {
            command("anna", #"{"command":"open","scene":\#(first)}"#)
            #expect(shelf.bytes == SceneShelf.bytes(of: first))
            for name in ["berta", "clara"] {
                command(name, #"{"command":"update","scene":\#(second)}"#)
                #expect(shelf.bytes == bytes(Self.long) + bytes(Self.short), "cycle \(cycle)")
            }
            for name in ["anna", "berta", "clara"] { command(name, #"{"command":"close"}"#) }
            #expect(lanes.counters.get(.sessions) == 0)
            #expect(shelf.bytes == 0, "cycle \(cycle)")
        }
    }

    /// Whatever a value is, it counts once, and so many bytes that twice the bound of all scenes
    /// bounds the memory.
    @Test(arguments: [
        ("0", 1), ("[]", 1), ("{}", 1), ("[[]]", 2), ("[0,1]", 3), (#"{"a":[{}],"b":""}"#, 4),
        (#"["[,{",",\\",",\"{,"]"#, 4), (#"[[[],{}],{"a":{},"":[0]}]"#, 8),
    ])
    func eachValueCountsOnceBesideTheText(_ row: (text: String, values: Int)) {
        #expect(
            SceneShelf.bytes(of: row.text)
                == row.text.utf8.count + row.values * Limits.sceneValueBytes)
    }
}
