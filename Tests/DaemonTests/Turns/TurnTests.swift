import Dispatch
import Geometry
import Interactions
import Notation
import Sessions
import Synchronization
import Testing

@testable import Daemon

struct CostlyWorkTests {
    private static let choice = LaneChoice(count: 1)

    private func key(_ session: String) -> NameKey { Self.choice.key(of: session) }

    private struct Some: LaneRequest {
        var subject: String?
        var documentBytes = 0

        func perform(on table: LaneTable, answering envelope: Envelope, at moment: Moment) {}
    }

    private func envelope(_ peer: UInt8) -> Envelope {
        Envelope(identity: [peer], hasDelimiter: false)
    }

    private func add(
        _ session: String?, by peer: UInt8, bytes: Int = 0, to work: inout CostlyWork
    ) throws {
        try work.add(
            Some(subject: session, documentBytes: bytes), of: session.map { key($0) },
            envelope(peer))
    }

    /// Adds an event of a session; returns whether it begins a unit.
    @discardableResult
    private func add(
        eventOf session: String, isChange: Bool = false, by peer: UInt8? = nil,
        to work: inout CostlyWork
    ) -> Bool {
        work.add(
            eventOf: session, key(session), isChange: isChange, by: peer.map { [$0] } ?? []
        ) { $0.notify(session) }
    }

    private func drain(_ work: inout CostlyWork) -> [String] {
        var served: [String] = []
        while let unit = work.next() {
            served.append("\(unit.session ?? "-") \(unit.asker.first ?? 0)")
            work.end(unit)
        }
        return served
    }

    @Test func peersTakeTurnsAndEachSessionsWorkKeepsItsOrder() throws {
        var work = CostlyWork()
        for session in ["a", "b", "c"] { try add(session, by: 1, to: &work) }
        try add("d", by: 2, to: &work)
        try add("a", by: 2, to: &work)
        try add(nil, by: 3, to: &work)
        for session in ["e", "f"] { add(eventOf: session, isChange: true, to: &work) }
        #expect(work.requestCount == 6 && work.eventCount == 2)
        #expect(
            drain(&work) == ["a 1", "d 2", "- 3", "e 0", "b 1", "a 2", "f 0", "c 1"])
        #expect(work.isEmpty && !work.holds(key("a")))
    }

    /// Each used to copy all that waited for its session, which took a second for 4,000.
    @Test func requestsOfManyPeersAboutOneSessionTakeNoLongerTheMoreThereAre() throws {
        func time(_ peers: Range<Int>, _ work: inout CostlyWork) throws -> Int {
            let began = Clock.processor()
            for peer in peers {
                let identity = [UInt8(peer >> 8), UInt8(peer & 0xFF)]
                try work.add(
                    Some(subject: "a"), of: key("a"),
                    Envelope(identity: identity, hasDelimiter: false))
            }
            return Clock.processor() - began
        }
        var work = CostlyWork()
        let few = try time(0..<500, &work)
        _ = try time(500..<3_500, &work)
        let many = try time(3_500..<4_000, &work)
        #expect(many < 4 * few + 5_000_000, "\(few) and then \(many) ns for 500")
        #expect(work.takeAll { $0 == "a" }.count == 4_000 && work.isEmpty)
    }

    @Test func eventsOfASessionFollowItsLastRequest() throws {
        var work = CostlyWork()
        let hash = key("a")
        try add("a", by: 1, to: &work)
        #expect(!add(eventOf: "a", to: &work))
        try add("a", by: 1, to: &work)
        for _ in 0..<2 { #expect(!add(eventOf: "a", to: &work)) }
        #expect(work.holds(hash) && !work.holds(key("b")))
        #expect(work.eventCount == 3)
        for count in [1, 2] {
            let next = work.next()
            let unit = try #require(next)
            #expect(unit.followers.eventCount == count)
            #expect(work.holds(hash), "its session has work until it ends")
            work.end(unit)
        }
        #expect(work.eventCount == 0 && work.isEmpty)
    }

    @Test func aUnitThatIsPutBackStaysTheFirstOfItsSession() throws {
        var work = CostlyWork()
        for number in 0..<3 {
            #expect(add(eventOf: "a", isChange: true, to: &work) == (number == 0))
        }
        add(eventOf: "b", isChange: true, to: &work)
        let next = work.next()
        var unit = try #require(next)
        unit.pass(isChange: true)
        // An event that comes meanwhile stands behind it.
        #expect(add(eventOf: "a", to: &work))
        work.putBack(unit)
        #expect(work.eventCount == 4)
        #expect(!work.hasRoom(forChangeOf: key("a"), nanoseconds: 400_000_000))
        #expect(work.hasRoom(forChangeOf: key("a"), nanoseconds: 300_000_000))
        #expect(drain(&work) == ["b 0", "a 0", "a 0"])
    }

    @Test func aLongLineHandsItsMemoryBackOnItsWay() throws {
        var work = CostlyWork()
        for _ in 0..<2 * Limits.costlyFollowersMax { add(eventOf: "a", to: &work) }
        let next = work.next()
        let unit = try #require(next)
        #expect(unit.followers.work.count == Limits.costlyFollowersMax)
        work.end(unit)
        #expect(work.eventCount == Limits.costlyFollowersMax)
    }

    @Test func aSessionsWorkIsTakenTogether() throws {
        var work = CostlyWork()
        for session in ["a", "b", "a"] { try add(session, by: 1, to: &work) }
        try add("a", by: 2, to: &work)
        add(eventOf: "a", to: &work)
        let taken = work.takeAll { $0 == "a" }
        #expect(taken.map(\.asker) == [[1], [1], [2]])
        #expect(work.takeAll { $0 == "a" }.isEmpty)
        #expect(work.requestCount == 1 && work.eventCount == 0)
        #expect(drain(&work) == ["b 1"])
    }

    @Test func whatIsBeyondTheBoundsIsRefused() throws {
        var work = CostlyWork()
        for index in 0..<Limits.costlyRequestsOfPeerMax { try add("s\(index)", by: 1, to: &work) }
        let error = #expect(throws: Rejection.self) { try add("more", by: 1, to: &work) }
        #expect(error?.code == .busy)
        try add("more", by: 2, bytes: 2 * Limits.costlyBytesMax, to: &work)
        #expect(throws: Rejection.self) { try add("other", by: 2, bytes: 1, to: &work) }
        #expect(drain(&work).count == Limits.costlyRequestsOfPeerMax + 1)
        try add("more", by: 1, to: &work)
    }

    /// A few peers, or a few connections of one, may fill the line. Another one's snapshot waits
    /// for its turn alone.
    @Test func aPeerThatHasFewIsLetInWhateverOthersHave() throws {
        var work = CostlyWork()
        let peers = UInt8(Limits.costlyRequestsMax / Limits.costlyRequestsOfPeerMax)
        for peer in 1...peers {
            for number in 0..<Limits.costlyRequestsOfPeerMax {
                try add("\(peer) \(number)", by: peer, to: &work)
            }
        }
        for number in 0..<Limits.costlyRequestsOfPeerMin {
            try add("own \(number)", by: 200, to: &work)
        }
        #expect(throws: Rejection.self) { try add("more", by: 200, to: &work) }
        #expect(throws: Rejection.self) { try add("more", by: 1, to: &work) }
        // Its first one comes after one of each other peer.
        let served = drain(&work).prefix(Int(peers) + 1)
        #expect(served.contains("own 0 200"))
    }

    @Test func eventsBeyondTheBoundsHaveNoRoom() {
        var work = CostlyWork()
        let hash = key("s0")
        #expect(work.hasRoom(forEvent: Limits.costlyBytesOfSessionMax, of: hash))
        #expect(!work.hasRoom(forEvent: Limits.costlyBytesMax + 1, of: hash))
        for _ in 0..<Limits.costlyEventsOfSessionMax {
            #expect(work.hasRoom(forEvent: 1, of: hash))
            add(eventOf: "s0", to: &work)
        }
        #expect(!work.hasRoom(forEvent: 1, of: hash))
        for session in 1..<Limits.costlyEventsMax / Limits.costlyEventsOfSessionMax {
            #expect(work.hasRoom(forEvent: 1, of: key("s\(session)")))
            for _ in 0..<Limits.costlyEventsOfSessionMax {
                add(eventOf: "s\(session)", to: &work)
            }
        }
        #expect(!work.hasRoom(forEvent: Limits.shortDocumentBytesMax + 1, of: key("other")))
        for _ in 0..<Limits.costlyEventsOfSessionMin {
            #expect(work.hasRoom(forEvent: 1, of: key("other")), "a little may always wait")
            add(eventOf: "other", to: &work)
        }
        #expect(!work.hasRoom(forEvent: 1, of: key("other")))
    }

    @Test func changesOfASceneAreWeighedByTheirTime() {
        var work = CostlyWork()
        let (hash, most) = (key("a"), Limits.changesMillisecondsMax)
        #expect(work.hasRoom(forChangeOf: hash, nanoseconds: .max), "one may always wait")
        for _ in 0..<10 {
            #expect(work.hasRoom(forChangeOf: hash, nanoseconds: most * 100_000))
            add(eventOf: "a", isChange: true, to: &work)
        }
        #expect(!work.hasRoom(forChangeOf: hash, nanoseconds: most * 100_000))
        #expect(work.hasRoom(forChangeOf: hash, nanoseconds: most * 90_000))
        #expect(work.hasRoom(forChangeOf: key("b"), nanoseconds: most * 100_000))
    }
}

struct UnreachablePeersTests {
    @Test func aPeerIsUnreachableUntilItAsksAgain() {
        let peers = UnreachablePeers()
        peers.insert([1])
        #expect(peers.contains([1]) && !peers.contains([2]))
        peers.remove([1])
        #expect(!peers.contains([1]))
        for index in 0..<Limits.unreachablePeersMax {
            peers.insert([UInt8(index & 255), UInt8(index >> 8)])
        }
        peers.insert([1, 2, 3])
        #expect(peers.contains([1, 2, 3]) && !peers.contains([0, 0]))
    }
}

extension Batch {
    /// Appends a request of one peer so many times.
    fileprivate mutating func ask(_ count: Int, _ request: any LaneRequest) {
        let envelope = Envelope(identity: [1], hasDelimiter: false)
        for _ in 0..<count { work.append(.request(envelope, request)) }
    }
}

/// A lane whose batches and requests take long.
struct TurnTests {
    /// Holds the lane for a while, as a scene does that takes long to read.
    private struct Slow: LaneRequest {
        var subject: String?
        /// Whether it is left to the spare time.
        var isLeft = true
        var isForItsAskerAlone = false
        let milliseconds: Int
        let served: Count

        func isCostly(on table: LaneTable) -> Bool { isLeft }

        func perform(on table: LaneTable, answering envelope: Envelope, at moment: Moment) {
            let end = Clock.monotonic() + milliseconds * 1_000_000
            while Clock.monotonic() < end {}
            served.value.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// Nothing tells the queue of the second batch once more.
    @Test func aBatchThatComesWhileAnotherIsDoneInPiecesIsDoneToo() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        let served = Count()
        for round in 1...20 {
            for count in [3, 1] {
                var batch = Batch()
                batch.ask(count, Slow(isLeft: false, milliseconds: 3, served: served))
                lane.submit(&batch)
                let before = 4 * (round - 1)
                let end = Clock.monotonic() + 10_000_000_000
                while served.value.load(ordering: .relaxed) == before, Clock.monotonic() < end {}
            }
            let end = Clock.monotonic() + 10_000_000_000
            while served.value.load(ordering: .relaxed) < 4 * round, Clock.monotonic() < end {}
            try #require(served.value.load(ordering: .relaxed) == 4 * round)
        }
        lane.stop()
    }

    @Test func aBarrierOvertakesWhatTakesLong() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        let served = Count()
        var batch = Batch()
        batch.ask(50, Slow(milliseconds: 5, served: served))
        lane.submit(&batch)
        lanes.send(Barrier(.watch, lanes: 0..<1, at: 0))
        var back: [Barrier] = []
        let end = Clock.monotonic() + 10_000_000_000
        while back.isEmpty, Clock.monotonic() < end { back += lanes.back() }
        #expect(back.count == 1)
        #expect(served.value.load(ordering: .relaxed) < 25)
        lanes.rest()
        #expect(served.value.load(ordering: .relaxed) == 50)
        lane.stop()
    }

    @Test func anEventPassesTheRequestsOfOtherSessionsAndFollowsItsOwn() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        let served = Count()
        lane.queue.suspend()
        var batch = Batch()
        batch.ask(20, Slow(subject: "anna", milliseconds: 5, served: served))
        batch.notify("anna")
        batch.notify("berta")
        lane.submit(&batch)
        lane.queue.resume()
        let end = Clock.monotonic() + 10_000_000_000
        while lanes.counters.get(.applied) == 0, Clock.monotonic() < end {}
        #expect(served.value.load(ordering: .relaxed) < 10, "berta's event waited")
        lanes.rest()
        #expect(lanes.counters.get(.applied) == 2)
        #expect(served.value.load(ordering: .relaxed) == 20)
        lane.stop()
    }

    @Test func neitherEventsNorRequestsAreRefusedBecauseTheOthersAreMany() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        let served = Count()
        lane.queue.suspend()
        var batch = Batch()
        batch.ask(1, Slow(subject: "anna", milliseconds: 10, served: served))
        let question = Slow(
            subject: "anna", isForItsAskerAlone: true, milliseconds: 10, served: served)
        let questions = 100
        batch.ask(questions, question)
        let events = 3 * Limits.costlyEventsOfSessionMax
        for _ in 0..<events { batch.notify("anna") }
        lane.submit(&batch)
        lane.queue.resume()
        let end = Clock.monotonic() + 10_000_000_000
        while lanes.counters.get(.applied) < events, Clock.monotonic() < end {}
        #expect(served.value.load(ordering: .relaxed) < questions * 3 / 4, "the events waited")
        lanes.rest()
        #expect(lanes.counters.get(.applied) == events)
        #expect(lanes.counters.get(.rejected) == 0)
        #expect(served.value.load(ordering: .relaxed) == 1 + questions, "some were refused")
        #expect(lane.load.waiting.load(ordering: .acquiring) == 0)
        lane.stop()
    }

    @Test func theEndRefusesWhatTakesLongAndDoesWhatFollows() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        let served = Count()
        lane.queue.suspend()
        var batch = Batch()
        batch.ask(100, Slow(subject: "anna", milliseconds: 20, served: served))
        batch.notify("anna")
        lane.submit(&batch)
        lane.queue.resume()
        lane.stop()
        #expect(served.value.load(ordering: .relaxed) < 20)
        #expect(lanes.counters.get(.applied) == 1)
        #expect(lane.load.waiting.load(ordering: .acquiring) == 0)
    }
}

/// Shared by those who count in it.
private final class Count: Sendable {
    let value = Atomic<Int>(0)
}
