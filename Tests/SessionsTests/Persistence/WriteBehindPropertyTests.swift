import Geometry
import Testing

@testable import Sessions

/// A lane and a store at random. The desk checks each commit and each answer; at the end the store
/// has what there is, no more and no less.
@Suite struct WriteBehindPropertyTests {
    private static let names = Array("abcdefgh")

    @Test(arguments: 0..<300 as Range<UInt64>)
    func nothingAcknowledgedIsLostOrDoubled(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (parts, commits) = (random.whole(in: 1...6), random.whole(in: 1...5))
        let failures = seed % 3 == 0 ? 0.4 : 0.05
        var desk = StoreDesk {
            $0.partSessionsMax = parts
            $0.commitsMax = commits
            ($0.largeRowBytesMin, $0.largeRowsBytesMax) = (100, 250)
        }
        for _ in 0..<250 {
            desk.beginTick()
            for _ in 0..<random.whole(in: 0...6) { act(&desk, &random) }
            for _ in 0..<random.whole(in: 0...2) {
                if random.unit() < failures { desk.failOldest() } else { desk.commitOldest() }
            }
            desk.endTick()
        }
        finish(&desk, &random)
        #expect(
            desk.pending.isEmpty && desk.own.isEmpty && desk.cache.ownReplies == 0,
            "seed \(seed): nobody is left without an answer")
        #expect(desk.store == desk.truth, "seed \(seed)")
        #expect(desk.cache.removalCount == 0 && desk.cache.successors.isEmpty, "seed \(seed)")
        let open = desk.cache.members.count { $0.isOpen }
        #expect(open == desk.open.count, "seed \(seed)")
        #expect(desk.cache.free.count == desk.cache.members.count - open, "seed \(seed)")
        #expect(Set(desk.cache.free).count == desk.cache.free.count, "seed \(seed)")
    }

    private func act(_ desk: inout StoreDesk, _ random: inout SplitMix64) {
        let name = Self.names[random.whole(in: 0...Self.names.count - 1)]
        guard let life = desk.open[name] else { return desk.restore(name) }
        // Some have large rows, and any may come to have one.
        if random.unit() < 0.2 { desk.cache.sized(life.slot, bytes: random.whole(in: 0...200)) }
        switch random.whole(in: 0...11) {
        case 0: desk.remove(name, isAsked: random.unit() < 0.5)
        case 1: desk.idle(name)
        case 2: desk.use(name)
        case 3, 4: desk.askForReply(name)
        case 5, 6, 7:
            desk.change(name)
            desk.askForReply(name)
        default: desk.change(name)
        }
    }

    /// The end, on a disk that fails twice before it takes everything.
    private func finish(_ desk: inout StoreDesk, _ random: inout SplitMix64) {
        desk.perform { $0.close(into: &$1) }
        var failures = 2
        for _ in 0..<100 {
            if desk.underWay.isEmpty {
                var isDrained = false
                desk.perform { isDrained = $0.isDrained(into: &$1) }
                if isDrained { return }
            }
            if failures > 0, random.unit() < 0.5 {
                failures -= 1
                desk.failOldest()
            } else {
                desk.commitOldest()
            }
        }
        Issue.record("it never ends")
    }

    /// Abandoned, whatever else is on its way, a lane goes on with what the store has by then.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func whatIsAbandonedComesBackAsItIsStored(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (parts, commits) = (random.whole(in: 1...6), random.whole(in: 1...5))
        var desk = StoreDesk {
            $0.partSessionsMax = parts
            $0.commitsMax = commits
            ($0.largeRowBytesMin, $0.largeRowsBytesMax) = (100, 250)
        }
        for _ in 0..<200 {
            desk.beginTick()
            if random.unit() < 0.05 { desk.abandon() }
            for _ in 0..<random.whole(in: 0...6) { act(&desk, &random) }
            for _ in 0..<random.whole(in: 0...2) {
                let isOver = desk.underWay.first?.isOver == true
                switch random.unit() {
                case ..<0.05: desk.failOldest()
                case ..<0.5 where isOver: desk.loseOldest()
                case _ where isOver: desk.failOldest()
                default: desk.commitOldest()
                }
            }
            desk.endTick()
        }
        while desk.underWay.first?.isOver == true { desk.failOldest() }
        finish(&desk, &random)
        #expect(
            desk.pending.isEmpty && desk.own.isEmpty && desk.store == desk.truth, "seed \(seed)")
        let open = desk.cache.members.count { $0.isOpen }
        #expect(open == desk.open.count, "seed \(seed)")
        #expect(Set(desk.cache.free).count == desk.cache.members.count - open, "seed \(seed)")
        #expect(desk.cache.removalCount == 0 && desk.cache.successors.isEmpty, "seed \(seed)")
    }

    /// A session that another daemon owns leaves no trace, whatever else is on its way.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func aLostCommitStoresNothingAndDropsItsSessions(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var desk = StoreDesk()
        for _ in 0..<100 {
            desk.beginTick()
            for _ in 0..<random.whole(in: 0...4) { act(&desk, &random) }
            if random.unit() < 0.5 { desk.commitOldest() }
            desk.endTick()
        }
        let stored = desk.store
        while !desk.underWay.isEmpty { desk.loseOldest() }
        #expect(desk.store == stored && desk.cache.commitsUnderWay == 0)
        #expect(desk.pending.isEmpty, "their publishers were refused")
        let open = desk.cache.members.count { $0.isOpen }
        #expect(open == desk.open.count)
    }
}
