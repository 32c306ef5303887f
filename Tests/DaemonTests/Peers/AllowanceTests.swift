import Testing

@testable import Daemon

struct AllowanceTests {
    @Test func aBurstMayBeTakenAtOnceAndNoMore() {
        var allowance = Allowance(burst: 100, perSecond: 10)
        allowance.take(100)
        #expect(!allowance.isOverdrawn && allowance.used == 100)
        allowance.take(1)
        #expect(allowance.isOverdrawn && allowance.used == 101)
    }

    @Test func itGrowsWithTimeUpToTheBurst() {
        var allowance = Allowance(burst: 100, perSecond: 10)
        allowance.take(101)
        // A tenth of a second is worth one.
        allowance.refill(seconds: 0.05)
        #expect(allowance.isOverdrawn)
        allowance.refill(seconds: 0.05)
        #expect(!allowance.isOverdrawn && allowance.used == 100)
        allowance.refill(seconds: 3_600)
        #expect(allowance.used == 0)
        allowance.take(101)
        #expect(allowance.isOverdrawn, "an hour's rest gives no second burst")
    }

    /// A flood by many is over for the others as soon as it ends.
    @Test func aFloorBoundsWhatIsOwed() {
        var allowance = Allowance(burst: 100, perSecond: 10, floor: -10)
        for _ in 0..<50 { allowance.take(100) }
        #expect(allowance.isOverdrawn && allowance.used == 110)
        allowance.refill(seconds: 1)
        #expect(!allowance.isOverdrawn)
        var unbounded = Allowance(burst: 100, perSecond: 10)
        for _ in 0..<50 { unbounded.take(100) }
        unbounded.refill(seconds: 1)
        #expect(unbounded.isOverdrawn && unbounded.used == 4_990)
    }
}
