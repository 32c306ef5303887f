import Membership
import Notation
import Sessions
import Store
import Testing

@testable import Daemon

/// A second of versions: as many as each life leaves out.
private let second = Limits.versionsUnstoredMax

/// The versions with which stored sessions go on.
@Suite struct LaneRightsTests {
    private func rights(epoch: Int, begun: Int, clock: Int) -> LaneRights {
        let floor = begun - epoch * second
        return LaneRights(
            of: StoreIdentity(key: 1, versionFloor: floor, generation: epoch), clock: clock)
    }

    @Test func underAClockThatGoesOnManyLivesLeaveNothingOut() {
        let clock = 5_000 * second
        let rights = rights(epoch: 50, begun: clock, clock: clock)
        let stored = clock - second / 2
        #expect(rights.lastVersion(of: "a", stored: stored, generation: 1) == clock)
    }

    @Test func underAClockThatWentBackEachLifeLeavesOutWhatItMayHavePublished() {
        let begun = 5_000 * second
        let rights = rights(epoch: 50, begun: begun, clock: begun - 9 * second)
        let stored = begun - second / 2
        #expect(
            rights.lastVersion(of: "a", stored: stored, generation: 48)
                == stored + 2 * second)
        #expect(rights.lastVersion(of: "a", stored: 7, generation: 48) == begun)
    }

    /// The clock is right, and the session's versions were brought by another daemon.
    @Test func aSessionThatIsAheadOfTheClockGoesOnFromThere() {
        let clock = 5_000 * second
        let rights = rights(epoch: 3, begun: clock, clock: clock)
        let ahead = clock + 100 * second
        #expect(
            rights.lastVersion(of: "a", stored: ahead, generation: 1) == ahead + 2 * second)
    }

    @Test(arguments: [
        (0, true), (-second, true), (-11 * second, false), (second / 2, true), (second, false),
    ])
    func aShardThatWasTakenCountsByTheClockNearTheDatabases(lead: Int, isByClock: Bool) {
        let clock = 5_000 * second
        var rights = rights(epoch: 9, begun: clock, clock: clock)
        let begun = clock + lead
        rights.take(
            ShardRight(number: 0, epoch: 9, floor: begun - 9 * second), clock: clock)
        let stored = begun - second / 2
        let last = rights.lastVersion(of: "a", stored: stored, generation: 4)
        #expect(last == (isByClock ? begun : stored + 5 * second))
    }
}
