import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// The command `present` with cards of its own.
@Suite struct TipsCardTests {
    private static func cards(_ titles: [String]) -> [Node.Member] {
        let cards = titles.map { Node(.object([.init("title", Node(.string($0)))])) }
        return [.init("tips", Node(.array(cards)))]
    }

    private func present(_ stage: inout TipsStage, _ titles: [String]) throws(Rejection) {
        try stage.command("present", members: Self.cards(titles))
    }

    private func expect(
        _ stage: TipsStage, _ index: Int, of count: Int, _ title: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let shown = ["index", "count", "title"].map { stage.field($0) }
        #expect(
            shown == [.whole(index), .whole(count), .text(title)], sourceLocation: sourceLocation)
    }

    @Test func presentTakesCards() throws {
        var stage = tipsStage(3) { $0.presented = false }
        try present(&stage, ["a", "b"])
        stage.run(to: "resting")
        expect(stage, 0, of: 2, "a")
        try stage.release(at: -140)
        stage.run(to: "resting")
        expect(stage, 1, of: 2, "b")
        try stage.release(at: -140)
        stage.run(to: "dismissed")
        // The next `present` without cards shows the scene's.
        expect(stage, 1, of: 3, "1")
        try stage.command("present")
        expect(stage, 0, of: 3, "0")
    }

    @Test func withNoneOneEmptyCardShows() throws {
        var stage = tipsStage(0)
        #expect(stage.phase == "dismissed" && stage.told.isEmpty)
        try stage.command("present")
        stage.run(to: "resting")
        expect(stage, 0, of: 1, "No Title")
        #expect(stage.field("summary") == .text("No Summary") && stage.field("image") == .text(nil))
        try stage.release(at: -140)
        stage.run(to: "dismissed")
        expect(stage, 0, of: 0, nil)
        var other = tipsStage(3)
        try present(&other, [])
        expect(other, 0, of: 1, "No Title")
    }

    /// While tips are shown, other cards take their place; nothing moves.
    @Test func cardsCanBeExchangedWhileTheyShow() throws {
        var stage = tipsStage(3)
        stage.run(to: "resting")
        try stage.release(at: -140)
        stage.run(to: "resting")
        let shown = stage.picture.views
        try present(&stage, ["a", "b"])
        expect(stage, 1, of: 2, "b")
        #expect(stage.needsPublish && stage.picture.views == shown)
        try present(&stage, ["c"])
        expect(stage, 0, of: 1, "c")
        try stage.command("dismiss")
        stage.step(5)
        try present(&stage, ["d", "e"])
        #expect(stage.phase == "presenting" && stage.tip != nil)
        expect(stage, 0, of: 2, "d")
    }

    /// A page that was told of is taken back, or told anew.
    @Test func aTipThatLeavesMayFindOtherCards() throws {
        var stage = try TipsStage.inPhase("leaving")
        var mark = stage.told.count
        try present(&stage, ["a"])
        #expect(stage.lines(since: mark) == ["page cancelled 0→1 0.4"])
        mark = stage.told.count
        try present(&stage, ["a", "b"])
        #expect(stage.lines(since: mark) == ["page began 0→1 0.4"])
        stage.run(to: "resting")
        expect(stage, 1, of: 2, "b")
    }

    @Test(arguments: TipsStage.phases)
    func badCardsChangeNothing(phase: String) throws {
        var stage = try TipsStage.inPhase(phase)
        let before = stage.machine
        let bad = [
            Node(.string("a")), Node(.array([Node(.integer(1))])),
            Node(.array([Node(.object([.init("titel", Node(.string("a")))]))])),
            Node(.array([Node(.object([.init("content", Node(.integer(1)))]))])),
        ]
        for tips in bad {
            let code = refusal { () throws(Rejection) in
                try stage.command("present", members: [.init("tips", tips)])
            }
            #expect(code == .badValue)
        }
        #expect(stage.machine == before)
    }

    /// `{"title":""}` and its comma are 13 bytes, and the list's brackets two.
    @Test func cardsHaveABoundInBytes() throws {
        var stage = tipsStage(0)
        func cards(_ bytes: Int) -> [Node.Member] {
            // Each card of a text of 87 has 100 bytes with its comma, the last one what is left.
            let count = (bytes - 1) / 100
            var titles = Array(repeating: String(repeating: "x", count: 87), count: count - 1)
            titles.append(String(repeating: "x", count: bytes - 1 - 100 * (count - 1) - 13))
            return Self.cards(titles)
        }
        let full = cards(Tips.presentedBytesMax)
        #expect(full[0].value.jsonBytes == Tips.presentedBytesMax)
        let code = refusal { () throws(Rejection) in
            try stage.command("present", members: cards(Tips.presentedBytesMax + 1))
        }
        #expect(code == .badValue && stage.phase == "dismissed")
        try stage.command("present", members: full)
        #expect(stage.phase == "presenting")
    }

    /// Cards of a command are kept, and come back with the session.
    @Test func cardsAreSaved() throws {
        var stage = tipsStage(3)
        try present(&stage, ["a", "b"])
        let saved = stage.machine.savedState
        let read = try SavedState(Node(encoding: saved))
        #expect(read == saved)
        var machine = Tips(.counting(3), viewport: .phone, tracker: .uikit)
        var effects = Effects(random: SplitMix64(seed: 1))
        #expect(machine.restore(read, counts: BadgeCounts(), into: &effects))
        #expect(Picture(machine).fields["title"] == .text("a"))
        #expect(Picture(machine).fields["count"] == .whole(2) && machine.phase == "resting")
        // A damaged document may hold none.
        var none = Tips(.counting(3), viewport: .phone, tracker: .uikit)
        let empty = SavedState(
            Tips.self, Tips.Saved(index: 0, isPresented: true, tips: []))
        #expect(none.restore(empty, counts: BadgeCounts(), into: &effects))
        #expect(Picture(none).fields["title"] == .text("0"))
        #expect(none.isSound(viewport: .phone, tracker: .uikit))
        // Nor texts that no command could bring.
        let bytesMax = TableReader.textBytesMax
        for (bytes, isTaken) in [(bytesMax, true), (bytesMax + 1, false)] {
            var tip = TipsParameters.Tip()
            tip.title = SceneText(String(repeating: "x", count: bytes))
            let long = SavedState(
                Tips.self, Tips.Saved(index: 0, isPresented: true, tips: [tip]))
            var other = Tips(.counting(3), viewport: .phone, tracker: .uikit)
            #expect(other.restore(long, counts: BadgeCounts(), into: &effects))
            #expect(Picture(other).fields["title"] == .text(isTaken ? tip.title.shown(nil) : "0"))
        }
        try stage.command("dismiss")
        let dismissed = try SavedState(Node(encoding: stage.machine.savedState))
        #expect(machine.restore(dismissed, counts: BadgeCounts(), into: &effects))
    }
}
