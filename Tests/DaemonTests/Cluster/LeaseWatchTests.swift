import Notation
import Testing

@testable import Daemon

/// The deadline before which nothing is told.
final class LeaseWatchTests {
    private static let second = 1_000_000_000
    private static let limit = Limits.confirmMillisecondsMax * 1_000_000
    private var asked = 0

    /// The answer, and the nanoseconds until it comes.
    private func confirm(_ watch: LeaseWatch) -> (isLost: Bool, took: Int) {
        let began = Clock.monotonic()
        let isLost = watch.confirm { asked += 1 }
        return (isLost, Clock.monotonic() - began)
    }

    @Test func aLeaseThatHoldsIsNotAskedAbout() {
        let watch = LeaseWatch(until: Clock.boot() + 60 * Self.second)
        #expect(watch.isHeld && !confirm(watch).isLost)
        #expect(asked == 0)
    }

    @Test func afterTheDeadlineItAsksOnceAndWaitsForTheAnswer() {
        let watch = LeaseWatch(until: Clock.boot() - 1)
        #expect(!watch.isHeld)
        let isLost = watch.confirm {
            asked += 1
            watch.lose(true)
            watch.renewed()
        }
        #expect(isLost, "it has told before the answer came")
        #expect(asked == 1)
    }

    @Test func aRenewalLetsItGoOn() {
        let watch = LeaseWatch(until: Clock.boot() - 1)
        let isLost = watch.confirm { watch.hold(until: Clock.boot() + 60 * Self.second) }
        #expect(!isLost && watch.isHeld)
    }

    @Test func withoutAnAnswerItWaitsForSoLongAndOnce() {
        let watch = LeaseWatch(until: Clock.boot() - 1)
        let (first, second) = (confirm(watch), confirm(watch))
        #expect(!first.isLost && first.took >= Self.limit)
        #expect(!second.isLost && second.took < Self.limit)
        #expect(asked == 1)
    }

    @Test func aLossThatIsKnownIsNotAskedAbout() {
        let watch = LeaseWatch(until: Clock.boot() - 1)
        #expect(!watch.confirm { watch.renewed() }, "it has lapsed before")
        watch.lose(true)
        #expect(!watch.isHeld)
        let first = confirm(watch)
        #expect(first.isLost && first.took < Self.limit)
        #expect(asked == 0)
        // It has joined anew.
        watch.lose(false)
        watch.hold(until: Clock.boot() + 60 * Self.second)
        #expect(watch.isHeld && !confirm(watch).isLost)
    }
}
