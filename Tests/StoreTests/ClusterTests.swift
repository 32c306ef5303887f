import Membership
import StoreSupport
import Testing

@testable import Store

/// Members of one database: each must be refused what another one has taken from it.
@Suite(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
struct ClusterTests {
    private let database: SharedDatabase

    init() throws { database = try SharedDatabase() }

    private func put(_ id: String, _ state: String, seen: [SeenMark] = []) -> StoreChange {
        .put(StoredSession(id: id, state: Array(state.utf8), lastUsed: 1, seen: seen))
    }

    private func state(_ id: String, by engine: PostgresEngine) throws -> String? {
        try engine.makeReader().session(id).map { String(decoding: $0.state, as: UTF8.self) }
    }

    /// The kind of error that a call throws; nil: none.
    private func kind(_ body: () throws(StoreError) -> Void) -> StoreError.Kind? {
        do throws(StoreError) {
            try body()
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func membersSeeEachOtherAndRenewTheirLeases() throws {
        let one = try database.join(name: "one", instance: 1, shards: 8)
        // The tests' server does not sync.
        #expect(one.warnings.count == 1 && one.warnings[0].contains("fsync is off"))
        let two = try database.join(name: "two", instance: 2, shards: 99)
        #expect(one.tag == two.tag && two.shards == 8 && two.identity.key == one.identity.key)
        let rows = try one.members()
        #expect(try two.members() == rows && rows.map(\.name) == ["one", "two"])
        #expect(rows.map(\.id) == [one.member, two.member])
        let first = try #require(rows.first)
        #expect(first.daemon == "daemon-one" && first.weight == 1 && first.state == .live)
        #expect(first.endpoints.events == ["tcp://10.0.0.1:7411"] && first.endpoints.control == [])
        #expect(!first.isLate)
        let renewal = try one.renew(seconds: 60)
        #expect(renewal.version == 0 && renewal.clock > 1_600_000_000_000_000)
        #expect(try one.shardRows().map(\.number) == Array(0..<8))
        _ = try two.claim(try two.shardRows())
        #expect(try one.renew(seconds: 60).version == 8)
    }

    @Test func aLateMemberIsFencedOnceAndStoresNothingMore() throws {
        let one = try database.join(name: "one", instance: 1)
        let two = try database.join(name: "two", instance: 2)
        try one.commit([put("alice", "1")])
        #expect(try !two.fence(one.member), "its lease has not expired")
        try database.run("UPDATE gestured.lease SET expires = now() - interval '1 s'")
        #expect(try two.members().allSatisfy(\.isLate))
        #expect(try two.fence(one.member))
        #expect(try !two.fence(one.member), "fenced twice")
        #expect(kind { () throws(StoreError) in try one.commit([put("alice", "2")]) } == .notOwner)
        #expect(kind { () throws(StoreError) in _ = try one.renew(seconds: 1) } == .notOwner)
        #expect(try state("alice", by: two) == "1")
        let answer = Pending<StoredSession?>()
        #expect(try one.makeReader().lookUp("alice", late: answer.take) == .later)
        #expect(kind { () throws(StoreError) in _ = try answer.wait() } == .notOwner)
    }

    @Test func whoIsLostJoinsAnewAndItsFormerChangesAreRefused() throws {
        let one = try database.join(name: "one", instance: 1)
        let fence = one.fence
        let two = try database.join(name: "two", instance: 2)
        try database.run("UPDATE gestured.lease SET expires = now() - interval '1 s'")
        #expect(try two.fence(one.member))
        _ = try one.rejoin()
        #expect(one.member > two.member && one.fence != fence)
        let late = StoreCommit(fence: fence, changes: [put("alice", "1")])
        #expect(kind { () throws(StoreError) in try one.commit(late) } == .notOwner)
        try one.commit([put("alice", "2")])
        #expect(try state("alice", by: two) == "2")
    }

    @Test func aShardIsClaimedOnceAndAtTheEpochAtWhichItWasSeen() throws {
        let one = try database.join(name: "one", instance: 1, shards: 4)
        let two = try database.join(name: "two", instance: 2)
        let seen = try one.shardRows()
        let rights = try one.claim([seen[0], seen[1]])
        #expect(rights.map(\.number) == [0, 1] && rights.map(\.epoch) == [1, 1])
        #expect(try two.claim(seen).map(\.number) == [2, 3], "the others have an owner")
        // It is free again, but no more what was seen.
        try one.setGone()
        #expect(try two.claim(seen) == [])
        #expect(try two.claim(try two.shardRows()).map(\.epoch) == [2, 2])
        #expect(try two.shardRows().map(\.owner) == Array(repeating: two.member, count: 4))
    }

    @Test func aHandOverNeedsAnHeirThatLives() throws {
        let one = try database.join(name: "one", instance: 1, shards: 2)
        let two = try database.join(name: "two", instance: 2)
        _ = try one.claim(try one.shardRows())
        #expect(
            try one.handOver([0], to: two.member) == [
                ShardRow(number: 0, owner: two.member, epoch: 2)
            ])
        #expect(try one.handOver([0], to: one.member) == [], "it is not its own")
        try two.setLeaving()
        #expect(try one.members().map(\.state) == [.live, .leaving])
        #expect(try one.handOver([1], to: two.member) == [])
        try two.setGone()
        #expect(try one.handOver([1], to: two.member) == [])
        #expect(try one.shardRows()[1] == ShardRow(number: 1, owner: one.member, epoch: 1))
    }

    @Test func claimsAndHandOversWakeTheOthers() throws {
        let one = try database.join(name: "one", instance: 1, shards: 2)
        let two = try database.join(name: "two", instance: 2)
        #expect(!two.waitForNews(milliseconds: 1, unless: -1))
        _ = try one.claim(try one.shardRows())
        #expect(two.waitForNews(milliseconds: 5_000, unless: -1))
        #expect(!two.waitForNews(milliseconds: 1, unless: -1))
        #expect(!one.waitForNews(milliseconds: 1, unless: -1), "it has told itself")
        _ = try one.handOver([1], to: two.member)
        #expect(two.waitForNews(milliseconds: 5_000, unless: -1))
    }

    @Test func aPredecessorOnTheSameStateDirectoryIsEndedAtOnce() throws {
        let former = try database.join(name: "one", instance: 1)
        let next = try database.join(name: "one", instance: 1)
        #expect(next.member > former.member)
        #expect(kind { () throws(StoreError) in try former.commit([put("a", "1")]) } == .notOwner)
    }

    @Test func aNameThatIsTakenIsRefusedAndOneOfALateMemberIsNot() throws {
        let one = try database.join(name: "one", instance: 1)
        _ = try one.renew(seconds: 60)
        var settings = database.settings(name: "one", instance: 2)
        settings.nameSeconds = 0.2
        let error = #expect(throws: StoreError.self) { try PostgresEngine.join(settings) }
        #expect(error?.description.contains("one is taken by member \(one.member)") == true)
        _ = try one.renew(seconds: 0.3)
        let next = try database.join(name: "one", instance: 2)
        #expect(try next.members().map(\.id) == [next.member])
    }

    @Test func whatIsHandedOverInMidAirIsFoundAtItsEpochAlone() throws {
        let one = try database.join(name: "one", instance: 1, shards: 2)
        var moving = StoredSession(id: "alice", shard: 1, state: [1], lastUsed: 1)
        moving.motion = StoredMotion(document: [7, 0, 255], epoch: 2)
        try one.commit([.put(moving), put("bob", "1")])
        func found(_ epoch: Int, _ shard: Int = 1) throws -> [StoredSession] {
            let answer = Pending<[StoredSession]>()
            try one.makeReader().moving(
                [ShardRight(number: shard, epoch: epoch, floor: 0)], then: answer.take)
            return try answer.wait()
        }
        #expect(try found(2) == [moving])
        #expect(try found(1) == [] && found(3) == [] && found(2, 0) == [])
        moving.motion = nil
        try one.commit([.put(moving)])
        #expect(try found(2) == [])
    }
}
