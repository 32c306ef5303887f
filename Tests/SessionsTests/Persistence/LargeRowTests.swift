import Geometry
import Testing

@testable import Sessions

@Suite struct LargeRowTests {
    /// Ten sessions with rows of 100 bytes, of which two go at once, and one small session.
    private func desk() -> StoreDesk {
        var desk = StoreDesk { ($0.largeRowBytesMin, $0.largeRowsBytesMax) = (100, 250) }
        desk.beginTick()
        for name in "abcdefghij" {
            desk.openNew(name)
            if let slot = desk.open[name]?.slot { desk.cache.sized(slot, bytes: 100) }
        }
        desk.openNew("s")
        for _ in 0..<4 { desk.endTick() }
        for _ in 0..<4 {
            desk.beginTick()
            desk.commitOldest()
            desk.endTick()
        }
        #expect(desk.underWay.isEmpty && desk.store.count == 11)
        desk.batches = []
        return desk
    }

    @Test func aSmallSessionsPublisherWaitsForNoLargeRow() {
        var desk = desk()
        desk.beginTick()
        for name in "abcdefghij" {
            desk.change(name)
            desk.askForReply(name)
        }
        desk.change("s")
        desk.askForReply("s")
        desk.endTick()
        #expect(desk.batches.map(\.count) == [1, 2], "the small one, and beside it two large")
        desk.commitOldest()
        #expect(desk.answers == [true])
    }

    @Test func fewLargeRowsAreUnderWayAtOnceAndEachIsAnsweredWithItsOwn() {
        var desk = desk()
        desk.beginTick()
        for name in "abcdefghij" {
            desk.change(name)
            desk.askForReply(name)
        }
        for count in 1...5 {
            desk.endTick()
            #expect(desk.underWay.count == 1 && desk.batches.count == count)
            desk.beginTick()
            desk.commitOldest()
            #expect(desk.answers == [true, true])
        }
        desk.endTick()
        #expect(desk.own.isEmpty && desk.cache.ownReplies == 0 && desk.underWay.isEmpty)
    }

    @Test func largeRowsForWhichNobodyWaitsGather() {
        var desk = desk()
        desk.beginTick()
        desk.change("a")
        for _ in 0..<3 {
            desk.endTick()
            #expect(desk.batches.isEmpty)
            desk.beginTick()
        }
        #expect(desk.batches.map(\.count) == [1])
    }

    @Test func whoWaitsForASessionThatEndsIsAnsweredWithItsEnd() {
        var desk = desk()
        desk.beginTick()
        desk.change("a")
        desk.askForReply("a")
        desk.remove("a", isAsked: false)
        desk.endTick()
        #expect(desk.underWay.count == 1 && desk.underWay[0].replies.count == 1)
        desk.commitOldest()
        #expect(desk.answers == [true] && desk.store["a"] == nil)
    }
}
