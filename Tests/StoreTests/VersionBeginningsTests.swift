import Membership
import StoreSupport
import Testing

@testable import Store

/// Where the versions of a generation begin: the floor and what all generations leave out.
@Suite struct VersionBeginningsTests {
    private static let second = 1 << 20

    /// The beginning of a generation, after one with this floor, at a time.
    private func beginning(
        at clock: Int, floor: Int, generation: Int, isUnclean: Bool = true
    ) -> Int {
        let next = isUnclean ? generation + 1 : generation
        let found = VersionBeginnings(clock: clock, versionsALife: Self.second).floor(
            StoreIdentity(key: 1, versionFloor: floor, generation: next),
            formerGeneration: generation)
        return found + next * Self.second
    }

    @Test(arguments: [true, false], [0, 1, 500])
    func aClockThatGoesOnAloneCounts(isUnclean: Bool, generation: Int) {
        let floor = 900 * Self.second
        let former = floor + generation * Self.second
        for passed in [Self.second / 10, Self.second, 100 * Self.second] {
            let begun = beginning(
                at: former + passed, floor: floor, generation: generation, isUnclean: isUnclean)
            #expect(begun == former + passed)
        }
    }

    @Test(arguments: [0, 1, 500])
    func underAClockThatWentBackAllThatMayBePublishedIsLeftOut(generation: Int) {
        let floor = 900 * Self.second
        let former = floor + generation * Self.second
        for clock in [0, former - 1, former, former + StoreIdentity.clockLeadMin] {
            #expect(
                beginning(at: clock, floor: floor, generation: generation) == former + Self.second)
            #expect(
                beginning(at: clock, floor: floor, generation: generation, isUnclean: false)
                    == max(former, clock))
        }
    }

    /// Numbers that no daemon writes, and a store that knows no clock.
    @Test func theFloorIsNeverNegative() {
        let new = StoreIdentity(key: 1, versionFloor: 0, generation: 0)
        #expect(VersionBeginnings().floor(new, formerGeneration: .min) == 0)
        let old = StoreIdentity(key: 1, versionFloor: 0, generation: 9)
        let low = VersionBeginnings(clock: 8 * Self.second + 20_000, versionsALife: Self.second)
        #expect(low.floor(old, formerGeneration: .max) == 0)
        #expect(low.floor(old, formerGeneration: 8) == 0)
    }

    @Test(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
    func aShardBeginsByTheDatabasesClockHoweverOftenItChangedHands() throws {
        let database = try SharedDatabase()
        var settings = database.settings()
        (settings.floorMax, settings.versionsALife) = (.max, Self.second)
        let engine = try PostgresEngine.join(settings)
        let clock = "floor(extract(epoch FROM clock_timestamp()) * 1048576)::bigint"
        func take() throws -> (begun: Int, former: Int, before: Int) {
            try database.run("UPDATE gestured.shard SET owner = NULL")
            let former = try database.number("SELECT floor + epoch * 1048576 FROM gestured.shard")
            let before = try database.number("SELECT \(clock)")
            let right = try #require(try engine.claim(try engine.shardRows()).first)
            return (right.floor + right.epoch * Self.second, former, before)
        }
        for epoch in [0, 1, 100_000] {
            try database.run("UPDATE gestured.shard SET epoch = \(epoch), floor = 0")
            let found = try take()
            #expect(found.begun >= found.before)
            #expect(try found.begun <= database.number("SELECT \(clock)"))
        }
        // The clock went back by a day.
        try database.run("UPDATE gestured.shard SET floor = floor + 86400 * 1048576::bigint")
        for _ in 0..<3 {
            let found = try take()
            #expect(found.begun == found.former + Self.second)
        }
    }
}
