import Dispatch
import Geometry
import Notation
import Sessions
import Store
import StoreSupport
import Synchronization
import Testing

@testable import Daemon

/// A lane whose store answers later: it never waits, and each session's work keeps its order.
@Suite struct LookupsTests {
    private static let like = #"{"kind":"likes"}"#

    /// A database that has sessions with one like each.
    private func database(_ sessions: String...) throws -> MemoryDatabase {
        let stored = try StoredLane()
        for session in sessions { _ = stored.ask(session, Self.like) }
        #expect(stored.end())
        return stored.database
    }

    @Test func whatIsNotReadWaitsAndTheOthersGoOn() throws {
        let stored = try StoredLane(database("a"), isLate: true)
        let late = try #require(stored.late)
        stored.publish("a", Self.like)
        #expect(stored.pump { _ in late.waiting == 1 })
        // Another session is opened and moves on behind the question of the first.
        stored.publish("b", Self.like)
        #expect(stored.pump { _ in late.waiting == 2 })
        #expect(stored.replies.isEmpty)
        late.letGo()
        #expect(stored.pump { $0.replies.count == 2 })
        #expect(stored.storedLikes("a") == 2 && stored.storedLikes("b") == 1)
        #expect(stored.ask("a", Self.like).contains(#""ok":true"#))
        #expect(late.waiting == 0, "a session in memory is not asked for")
        #expect(stored.end())
    }

    @Test func workOfOneSessionKeepsItsOrder() throws {
        let stored = try StoredLane(database("a"), isLate: true)
        let late = try #require(stored.late)
        stored.publish("a", #"{"kind":"likes","set":40,"id":"first"}"#)
        stored.publish("a", #"{"kind":"likes","id":"second"}"#)
        stored.publish("a", #"{"kind":"likes","set":7,"id":"third"}"#)
        stored.publish("a", #"{"kind":"likes","id":"second"}"#)
        #expect(stored.pump { _ in late.waiting == 1 })
        stored.lane.queue.sync {}
        #expect(late.waiting == 1, "one question is enough")
        late.letGo()
        #expect(stored.pump { $0.replies.count == 4 })
        #expect(stored.replies.allSatisfy { $0.contains(#""ok":true"#) })
        #expect(stored.replies.filter { $0.contains("duplicate") }.count == 1)
        #expect(stored.storedLikes("a") == 7)
        #expect(stored.end())
    }

    @Test func whatCannotBeReadIsRefusedAndAskedForAgain() throws {
        let stored = try StoredLane(database("a"), isLate: true)
        let late = try #require(stored.late)
        late.fail(StoreError(.unavailable, "injected"))
        stored.publish("a", Self.like)
        #expect(stored.pump { _ in late.waiting == 1 })
        late.letGo()
        #expect(stored.pump { $0.replies.count == 1 })
        #expect(stored.replies[0].contains("internal") && stored.storedLikes("a") == 1)
        late.fail(nil)
        stored.publish("a", Self.like)
        #expect(stored.pump { _ in late.waiting == 1 })
        late.letGo()
        #expect(stored.pump { $0.storedLikes("a") == 2 })
        #expect(stored.end())
    }

    @Test func whatWaitsCountsAgainstTheBoundsOfTheLane() throws {
        let stored = try StoredLane(isLate: true)
        let late = try #require(stored.late)
        for _ in 0..<4 {
            var batch = Batch()
            for _ in 0..<Limits.laneEventsMax / 4 { batch.notify("a") }
            stored.lane.submit(&batch)
        }
        #expect(stored.pump { _ in late.waiting == 1 })
        stored.lanes.rest()
        #expect(!stored.lane.load.hasRoom)
        late.letGo()
        let counters = stored.lanes.counters
        #expect(stored.pump { _ in counters.get(.applied) == Limits.laneEventsMax })
        let load = stored.lane.load
        #expect(stored.pump { _ in load.pendingEvents.load(ordering: .relaxed) == 0 })
        #expect(stored.end() && stored.storedLikes("a") == Limits.laneEventsMax)
    }

    @Test func anEndRefusesWhatStillWaits() throws {
        let stored = try StoredLane(database("a"), isLate: true)
        stored.publish("a", Self.like)
        #expect(stored.pump { $0.late?.waiting == 1 })
        #expect(!stored.lane.isLookedUp())
        stored.lane.stop()
        #expect(stored.pump { $0.replies.count == 1 } && stored.lane.isLookedUp())
        #expect(stored.replies[0].contains("internal"))
        #expect(stored.end() && stored.storedLikes("a") == 1)
    }

    @Test func anAnswerToAFormerQuestionIsLeftOut() {
        var lookups = Lookups()
        let first = lookups.begin("a")
        let removed = lookups.removeAll { $0 == "a" }
        #expect(removed.isEmpty && !lookups.holds("a"), "nothing waited for it yet")
        let second = lookups.begin("a")
        lookups.hold("a") { $0.notify("a") }
        let isFirst = lookups.resume("a", first, .success(nil))
        #expect(!isFirst && lookups.holds("a") && lookups.answer(of: "a") == nil)
        let isSecond = lookups.resume("a", second, .success(nil))
        #expect(isSecond && lookups.isGoingOn("a") && lookups.answer(of: "a") != nil)
        let work = lookups.work(of: "a")
        #expect(work?.batch.eventCount == 1 && work?.place == 0)
    }

    /// The work goes on in pieces, and what comes meanwhile follows it.
    @Test func workThatGoesOnIsFollowed() {
        var lookups = Lookups()
        let number = lookups.begin("a")
        lookups.hold("a") { for _ in 0..<3 { $0.notify("a") } }
        _ = lookups.resume("a", number, .success(nil))
        lookups.note(done: 2, of: "a")
        lookups.hold("a") { $0.notify("a") }
        var work = lookups.work(of: "a")
        #expect(work?.place == 2 && work?.batch.eventCount == 3)
        lookups.note(done: 3, of: "a")
        work = lookups.work(of: "a")
        #expect(work?.place == 0 && work?.batch.eventCount == 1)
        let refused = lookups.removeAll { _ in true }
        #expect(refused.map(\.done) == [0] && lookups.isEmpty && !lookups.areAnyGoingOn)
        work = lookups.work(of: "a")
        #expect(work == nil)
    }

    /// It used to be done in one piece: others waited until thousands of events were applied.
    @Test func whatWaitedEndsWhereAPieceOfTimeIsOver() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        var batch = Batch()
        for _ in 0..<Limits.laneEventsMax { batch.notify("a") }
        lane.load.expect(batch)
        let places = lane.queue.sync {
            var places = [0]
            while places[places.count - 1] < batch.work.count {
                // A piece that began long ago is over at the first look at the clock.
                let now = Clock.monotonic() - 1_000_000_000
                let step = lane.table.settings.grid.step(at: Clock.monotonic())
                places.append(
                    lane.perform(
                        held: batch, from: places[places.count - 1], Moment(now: now, step: step)))
            }
            return places
        }
        #expect(places.count > 10 && places == places.sorted(), "\(places)")
        #expect(lanes.counters.get(.applied) == Limits.laneEventsMax)
        lane.stop()
    }

    /// Whatever the delays, each session comes to the same as where the store answers at once.
    @Test(arguments: 0..<20) func delaysChangeNothing(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let names = (0..<6).map { "s\($0)" }
        var bodies: [(String, String)] = []
        for number in 0..<200 {
            let (session, id) = (
                names[Int.random(in: 0..<6, using: &generator)],
                Int.random(in: 0..<150, using: &generator)
            )
            let body =
                number % 3 == 0
                ? #"{"kind":"likes","set":\#(number),"id":"\#(id)"}"#
                : #"{"kind":"likes","id":"\#(id)"}"#
            bodies.append((session, body))
        }
        let plain = try StoredLane(database("s0", "s1", "s2"))
        for (session, body) in bodies { plain.publish(session, body) }
        #expect(plain.pump { $0.replies.count == bodies.count } && plain.end())
        let late = try StoredLane(database("s0", "s1", "s2"), isLate: true)
        for (session, body) in bodies {
            late.publish(session, body)
            if Int.random(in: 0..<8, using: &generator) == 0 { late.late?.letGo(1) }
        }
        #expect(
            late.pump {
                $0.late?.letGo(1)
                return $0.replies.count == bodies.count
            })
        #expect(late.end())
        for name in names {
            #expect(late.storedLikes(name) == plain.storedLikes(name), "\(name), seed \(seed)")
        }
    }
}
