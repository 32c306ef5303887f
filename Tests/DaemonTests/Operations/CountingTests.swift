import Geometry
import Membership
import Notation
import Sessions
import Store
import Testing

@testable import Daemon

struct CountingTests {
    @Test func aQuantileIsWithinAQuarterAboveTheTrueOne() {
        var histogram = Histogram()
        for value in 1...100_000 { histogram.record(nanoseconds: value) }
        for share in [0.01, 0.5, 0.9, 0.99, 0.999, 1] {
            let exact = 100_000 * share
            let found = Double(histogram.quantile(share))
            #expect(found >= exact * 0.999 && found <= exact * 1.25, "\(share): \(found)")
        }
        #expect(histogram.max == 100_000)
    }

    @Test func mergedHistogramsAreAsOneThatSawBoth() {
        var both = Histogram()
        var first = Histogram()
        var second = Histogram()
        var random = SplitMix64(seed: 7)
        for index in 0..<10_000 {
            let value = random.whole(in: 1...1_000_000_000)
            both.record(nanoseconds: value)
            if index % 3 == 0 {
                first.record(nanoseconds: value)
            } else {
                second.record(nanoseconds: value)
            }
        }
        first.merge(second)
        for share in [0.5, 0.99, 0.999] {
            #expect(first.quantile(share) == both.quantile(share))
        }
        #expect(first.count == 10_000)
    }

    @Test func anEmptyHistogramSaysNothing() { #expect(Histogram().quantile(0.5) == 0) }

    @Test func noSpanOfASecondHoldsMoreRejectionsThanItsBound() {
        let budget = RejectionBudget(perSecondMax: 3)
        let second = 1_000_000_000
        let taken = (0..<5).map { budget.take(at: 7 * second + $0 * second / 4) }
        #expect(taken == [true, true, true, false, true])
        #expect(budget.take(at: 8 * second + second / 4 - 1) == false)
        #expect(budget.take(at: 8 * second + second / 4))
    }

    @Test func aSessionThatIsNotOpenReportsTenRejectionsASecond() {
        var limits = NowhereLimits()
        let choice = LaneChoice(count: 1)
        let (loud, shy) = (choice.key(of: "loud"), choice.key(of: "shy"))
        let taken = (0..<200).count { limits.take(loud, at: $0) }
        let others = [
            limits.take(shy, at: 200), limits.take(loud, at: 999_999_999),
            limits.take(loud, at: 1_000_000_000),
        ]
        #expect(taken == 10 && others == [true, false, true])
        let nameless = (0..<200).count { limits.take(nil, at: $0) }
        #expect(nameless == Limits.namelessRejectionsPerSecondMax)
        let many = (0..<5_000).count { limits.take(choice.key(of: "s\($0)"), at: 0) }
        #expect(many == 5_000)
    }

    @Test func sessionsThatAreNotOpenLeaveRoomForOthers() {
        let budget = RejectionBudget(perSecondMax: Limits.rejectionsPerSecondMax)
        let nowhere = (0..<2_000).count { budget.takeNowhere(at: $0) && budget.take(at: $0) }
        #expect(nowhere == Limits.nowhereRejectionsPerSecondMax)
        let others = (2_000..<4_000).count { budget.take(at: $0) }
        #expect(others == Limits.rejectionsPerSecondMax - nowhere)
    }

    @Test func strangersHaveABoundEachAndAllTogether() {
        var reports = StrangersReports()
        let loud = (0..<100).count { reports.take(0, at: $0) }
        #expect(loud == Limits.rejectionsPerSessionMax)
        let all = (1..<100).reduce(0) { sum, client in
            sum + (0..<20).count { _ in reports.take(client, at: 100) }
        }
        #expect(loud + all == Limits.strangersRejectionsPerSecondMax)
        let later = reports.take(0, at: 1_000_000_100)
        #expect(later)
    }

    /// The store does not know the sessions' bounds, and holds the same.
    @Test func theStoreAndItsReadersHaveOneBound() {
        #expect(StoreIdentity.versionFloorMax == Limits.versionStoredMax)
        #expect(StoreIdentity.generationMax == Limits.livesMax)
        #expect(Limits.versionImportedMax < Limits.versionStoredMax)
        let right = ShardRight(number: 0, epoch: .max, floor: .max)
        #expect(right.versionFloor < Node.exactMax)
        #expect(ShardRight(number: 0, epoch: .min, floor: .min).versionFloor == 0)
    }

    @Test func everyCounterHasItsOwnPlace() {
        let counters = Counters()
        for (index, name) in Counters.Name.allCases.enumerated() { counters.add(name, index + 1) }
        for (index, name) in Counters.Name.allCases.enumerated() {
            #expect(counters.get(name) == index + 1)
        }
    }

    @Test func aGridsStepsAreNeverBeforeNorAfterTheTimeThatNamesThem() {
        let grid = Grid()
        var random = SplitMix64(seed: 1)
        for _ in 0..<10_000 {
            let time = grid.origin + random.whole(in: 0...3_600_000_000_000)
            let step = grid.step(at: time)
            #expect(grid.time(of: step) <= time && grid.time(of: step + 1) > time)
            let next = grid.next(at: time)
            #expect(grid.time(of: next) >= time && grid.time(of: next) - time < 8_333_335)
        }
    }
}
