import Geometry
import Notation
import Testing

@testable import Daemon

struct ClockTests {
    /// Seconds and nanoseconds of a clock, and what the daemon makes of them.
    @Test(
        arguments: [
            (0, 0, 0), (1, 5, 1_000_000_005), (-1, 0, 0), (.min, 999_999_999, 999_999_999),
            (9_223_372_036, 854_775_807, Limits.wallNanosecondsMax),
            (.max, 999_999_999, Limits.wallNanosecondsMax),
        ] as [(Int, Int, Int)])
    func aClockBeyondAllBoundsStandsStill(seconds: Int, rest: Int, nanoseconds: Int) {
        #expect(Clock.nanoseconds(seconds: seconds, rest) == nanoseconds)
    }

    @Test func sumsWithTheLatestTimeFitAnInteger() {
        let latest = Instant(nanoseconds: Limits.wallNanosecondsMax)
        #expect((latest + Step.decodedMax).nanoseconds > latest.nanoseconds)
        #expect(FormerVersions.versionFloor(at: latest.nanoseconds) == Limits.versionsBegunMax)
    }
}
