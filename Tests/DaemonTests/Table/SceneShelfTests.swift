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
        for _ in 1...2 { shelf.remove(first.document) }
        #expect(shelf.bytes == bytes(isLongFirst ? Self.short : Self.long))
        for _ in 1...2 { shelf.remove(second.document) }
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
        let shelf = lane.table.settings.shelf
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

    /// A scene that sets its pages when a notification of the kind `k` comes.
    private func reacting(_ name: String, pages: Int, isLong: Bool) -> String {
        let pages = Array(repeating: #""\#(name)""#, count: pages).joined(separator: ",")
        let deed = #"{"component":"r","command":"set","values":{"pages":[\#(pages)]}}"#
        let title = String(repeating: "t", count: isLong ? 8 * 1_024 : 1)
        let component =
            #"{"id":"r","kind":"reader","pages":["a"],"content":{"title":"\#(title)"}}"#
        let reaction = #"{"when":{"notification":"k"},"do":\#(deed)}"#
        return
            #"{"viewport":[320,568],"components":[\#(component)],"reactions":[\#(reaction)]}"#
    }

    private struct Stage {
        let lanes: Lanes
        var lane: Lane { lanes.lanes[0] }

        func send(_ topic: String, _ session: String, _ body: String) {
            var batch = Batch()
            batch.add(topic, session, body)
            lane.submit(&batch)
            lanes.rest()
        }

        func react(_ session: String) { send("notification", session, #"{"kind":"k"}"#) }

        func pages(_ session: String) -> Int? {
            lane.table.activeSessions[session]?.session.scene.text.map {
                (try? Document.json(Array($0.utf8)))?["components"]?.array?[0]["pages"]?.array?
                    .count ?? 0
            }
        }
    }

    /// Short scenes change at once, long ones (above 8 KiB) one at a time in the spare time.
    @Test(arguments: [false, true])
    func aSceneThatAReactionMakesCounts(isLong: Bool) throws {
        let pages = 3
        let stage = Stage(lanes: try Lanes(1))
        defer { stage.lane.stop() }
        let shelf = stage.lane.table.settings.shelf
        let text = reacting("b", pages: pages, isLong: isLong)
        let own = SceneShelf.bytes(of: text)
        // Beside the reaction, the component has its pages.
        let made = own + SceneShelf.bytes(of: String(repeating: ",\"b\"", count: pages - 1)) - 64
        for name in ["anna", "berta"] {
            stage.send("command", name, #"{"command":"open","scene":\#(text)}"#)
        }
        #expect(shelf.bytes == own)
        #expect(stage.lane.table.activeSessions["anna"]?.session.areChangesLong == isLong)
        stage.react("anna")
        #expect(stage.pages("anna") == pages)
        #expect(shelf.bytes == own + made)
        // An equal one is kept once.
        stage.react("berta")
        #expect(shelf.bytes == made)
        stage.react("anna")
        #expect(shelf.bytes == made)
        for name in ["anna", "berta"] { stage.send("command", name, #"{"command":"close"}"#) }
        #expect(shelf.bytes == 0)
    }

    /// At the bound a reaction that needs room is refused and counted; one that needs none is not.
    @Test(arguments: [false, true])
    func aReactionIsRefusedWhereTheScenesHaveTheirBound(isLong: Bool) throws {
        let pages = 3
        let stage = Stage(lanes: try Lanes(1))
        defer { stage.lane.stop() }
        let shelf = stage.lane.table.settings.shelf
        for (name, page, count) in [("anna", "b", pages), ("berta", "c", 1)] {
            let text = reacting(page, pages: count, isLong: isLong)
            stage.send("command", name, #"{"command":"open","scene":\#(text)}"#)
        }
        var filler = Scene(name: nil, viewport: Size(320, 568), components: [])
        let room = Limits.sceneBytesMax - shelf.bytes
        let (commas, rest) = (room - Limits.sceneValueBytes)
            .quotientAndRemainder(dividingBy: Limits.sceneValueBytes + 1)
        filler.document =
            String(repeating: ",", count: commas) + String(repeating: "x", count: rest)
        _ = try shelf.insert(filler)
        #expect(shelf.bytes == Limits.sceneBytesMax)
        stage.react("anna")
        #expect(stage.pages("anna") == 1)
        #expect(stage.lanes.counters.get(.reactionsRefused) == 1)
        #expect(shelf.bytes == Limits.sceneBytesMax)
        let former = stage.lane.table.activeSessions["berta"]?.session.scene.document
        stage.react("berta")
        #expect(stage.lane.table.activeSessions["berta"]?.session.scene.document != former)
        #expect(stage.lanes.counters.get(.reactionsRefused) == 1)
        #expect(shelf.bytes == Limits.sceneBytesMax)
        shelf.remove(filler.document)
        stage.react("anna")
        #expect(stage.pages("anna") == pages)
        for name in ["anna", "berta"] { stage.send("command", name, #"{"command":"close"}"#) }
        #expect(shelf.bytes == 0)
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
