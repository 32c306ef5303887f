import Membership
import Notation
import Protocol
import Sessions
import StoreSupport
import Testing

@testable import Daemon

/// Work for shards that are on their way, beside work for others.
@Suite(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
struct ReactorHoldingTests {
    private let stage: ReactorStage
    private let member: StillMember
    private var reactor: Reactor { stage.reactor }
    private let topic = Array("notification/anna".utf8)
    private let body = Array(#"{"kind":"likes"}"#.utf8)
    /// The shard of anna, on its way.
    private let coming: ShardRight

    init() throws {
        stage = try ReactorStage()
        member = try StillMember()
        var table = member.table()
        coming = ShardRight(table.shard(of: "anna"))
        _ = table.take(coming)
        stage.reactor.work.cluster = table
    }

    private func fill() {
        for _ in 0..<Limits.laneEventsMax {
            reactor.place(.event(topic: topic, body: body, hops: nil), of: "anna")
        }
    }

    private var held: Int { reactor.work.cluster?.held.count ?? 0 }

    private func answers() -> [String] {
        var contents = Outbox.Contents()
        reactor.outbox.exchange(with: &contents)
        return contents.chunks.flatMap { chunk in
            chunk.records.map { String(decoding: chunk.bytes.array($0.range), as: UTF8.self) }
        }
    }

    @Test func whatIsTooMuchIsTurnedAwayAndReadingGoesOn() throws {
        fill()
        let counters = reactor.counters
        #expect(held == Limits.laneEventsMax && counters.get(.eventsElsewhere) == 0)
        #expect(reactor.work.haveRoom, "requests and events of other shards are read")
        reactor.place(.event(topic: topic, body: body, hops: nil), of: "anna")
        reactor.place(.event(topic: topic, body: body, hops: 3), of: "anna")
        #expect(counters.get(.eventsElsewhere) == 2 && answers().isEmpty)
        let envelope = Envelope(identity: [1], hasDelimiter: false)
        reactor.place(
            .publish(envelope, topic: Array("notification/anna".utf8), body: body), of: "anna")
        #expect(counters.get(.requestsMoved) == 1)
        #expect(answers().filter { $0.contains(#""code":"moved""#) }.count == 1)
        reactor.place(.answer(prefix: "session/anna"), of: "anna")
        #expect(counters.get(.repliesDropped) == 1 && held == Limits.laneEventsMax)
    }

    @Test func workOfAShardThatIsHereGoesOnMeanwhile() throws {
        fill()
        let shard = try #require((0..<StillMember.shards).first { $0 != coming.number })
        _ = reactor.work.cluster?.take(ShardRight(shard))
        reactor.work.cluster?.open(ShardRight(shard))
        let name = try #require(
            (0..<1_000).map { "s\($0)" }.first { reactor.work.cluster?.shard(of: $0) == shard })
        let before = reactor.work.batches[0].bytes.count
        reactor.place(
            .event(topic: Array("notification/\(name)".utf8), body: body, hops: nil), of: name)
        #expect(reactor.work.batches[0].bytes.count > before && held == Limits.laneEventsMax)
    }

    @Test func whatIsHeldGoesOnOnceTheShardIsThere() throws {
        // Nothing is due by then, however long it takes to fill.
        let now = Clock.monotonic()
        fill()
        #expect(try !reactor.followCluster(at: now))
        #expect(held == Limits.laneEventsMax && reactor.work.batches[0].bytes.count == 0)
        // The lane has restored what moved in a former epoch.
        member.driver.taken([ShardRight(coming.number, epoch: 0)])
        #expect(try !reactor.followCluster(at: now))
        #expect(held == Limits.laneEventsMax && reactor.work.batches[0].bytes.count == 0)
        member.driver.taken([coming])
        #expect(try !reactor.followCluster(at: now))
        #expect(held == 0)
        #expect(
            reactor.work.batches[0].bytes.count
                == Limits.laneEventsMax * (topic.count + body.count))
    }

    /// Between two pieces of its work a lane may store what it has.
    @Test func aLostMembersLanesAbandonAllBeforeTheyDropIt() throws {
        #expect(try !reactor.perform(.dropAll, member.driver))
        let orders = reactor.work.batches[0].work.compactMap { work -> String? in
            guard case .task(let task) = work else { return nil }
            return switch task as? ShardOrder {
            case .abandon: "abandon"
            case .drop(let shards, _): "drop \(shards.sorted())"
            default: nil
            }
        }
        #expect(orders == ["abandon", "drop [\(coming.number)]"])
    }

    @Test func whatHasWaitedForTooLongIsTurnedAway() throws {
        let wait = Limits.heldSecondsMax * 1_000_000_000
        let began = Clock.monotonic()
        fill()
        #expect(try !reactor.followCluster(at: began + wait - 1))
        #expect(held == Limits.laneEventsMax)
        #expect(try !reactor.followCluster(at: Clock.monotonic() + wait))
        #expect(held == 0 && reactor.work.batches[0].bytes.count == 0)
        #expect(reactor.counters.get(.eventsElsewhere) == Limits.laneEventsMax)
    }
}
