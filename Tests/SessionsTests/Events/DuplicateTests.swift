import Geometry
import Interactions
import Sessions
import TestSupport
import Testing

/// An id among the last 1,024 applied ones changes nothing.
@Suite struct DuplicateTests {
    @Test func anIdCountsOnce() {
        var theater = Theater(.phone())
        theater.flush()
        #expect(theater.notify("likes", id: "a") == .applied)
        let badges = theater.session.badges
        #expect(theater.notify("likes", id: "a") == .duplicate)
        #expect(theater.notify("comments", .set(9), id: "a") == .duplicate)
        #expect(theater.command("tabs", "glow", index: 1, id: "a") == .duplicate)
        // Whatever it names, it was applied already.
        #expect(theater.command("nowhere", "glow", index: 99, id: "a") == .duplicate)
        #expect(theater.session.badges == badges)
        #expect(theater.picture("tabs").views["glow-1"] == nil)
        #expect(theater.notify("likes", id: "b") == .applied)
        #expect(theater.notify("likes") == .applied && theater.notify("likes") == .applied)
        #expect(theater.session.badges.counts["likes"] == 4)
    }

    @Test func aRefusedOneMayBeSentAgain() {
        var theater = Theater(.phone())
        let refused = theater.command("tabs", "glow", index: 9, id: "a")
        #expect(refused.code == .badValue)
        #expect(theater.command("tabs", "glow", index: 4, id: "a") == .applied)
        #expect(theater.command("tabs", "glow", index: 4, id: "a") == .duplicate)
    }

    /// An event without effect is applied all the same.
    @Test func anEventWithoutEffectIsRemembered() {
        var theater = Theater(.phone())
        #expect(theater.notify("likes", .add(0), id: "a") == .applied)
        #expect(theater.notify("likes", .add(1), id: "a") == .duplicate)
        #expect(theater.command("tabs", "hide", id: "b") == .applied)
        #expect(theater.command("tabs", "hide", id: "b") == .duplicate)
    }

    @Test func theLastThousandAndTwentyFourAreRemembered() {
        var theater = Theater(.phone())
        for number in 0..<1_024 { #expect(theater.notify("likes", id: "\(number)") == .applied) }
        #expect(theater.notify("likes", id: "0") == .duplicate)
        // A duplicate is not applied, so it does not stay longer for having come again.
        #expect(theater.notify("likes", id: "new") == .applied)
        #expect(theater.notify("likes", id: "1") == .duplicate)
        #expect(theater.notify("likes", id: "0") == .applied)
        #expect(theater.notify("likes", id: "1") == .applied)
        #expect(theater.notify("likes", id: "3") == .duplicate)
        #expect(theater.notify("likes", id: "new") == .duplicate)
        #expect(theater.session.badges.counts["likes"] == 1_027)
    }

    /// Against a list of the last 1,024, over three rounds of the ring.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func theRingIsAList(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var seen = SeenIDs()
        var model: [Int] = []
        for _ in 0..<3_000 {
            let id = random.whole(in: 0...1_300)
            let isKnown = model.suffix(1_024).contains(id)
            #expect(seen.contains(UInt128(id)) == isKnown)
            if isKnown { continue }
            seen.insert(UInt128(id))
            model.append(id)
        }
    }
}

extension Session.Reception {
    /// The code of what was refused, reported or not.
    var code: RejectionCode? {
        switch self {
        case .applied, .duplicate: nil
        case .refused(let rejection), .suppressed(let rejection): rejection.code
        }
    }

    var isReported: Bool {
        if case .refused = self { return true }
        return false
    }
}
