import Dispatch
import Geometry
import Interactions
import Notation
import Sessions
import Synchronization
import Testing

@testable import Daemon

struct HeavySessionsTests {
    @Test func eachThatIsDueHasItsTurnBeforeAnyHasTwo() {
        var heavy = HeavySessions()
        let sessions = ["anna", "berta", "clara"].map { ActiveSession.empty($0, wake: 1) }
        for session in sessions { heavy.insert(session) }
        var turns: [String] = []
        for _ in 0..<7 {
            guard let next = heavy.take(dueAt: Step(5)) else { break }
            turns.append(next.session.id)
            heavy.putBack(next)
        }
        #expect(
            turns == ["anna", "berta", "clara", "anna", "berta", "clara", "anna"], "\(turns)")
        sessions[1].wake = nil
        sessions[2].wake = Step(9)
        for _ in 0..<3 {
            let next = heavy.take(dueAt: Step(5))
            #expect(next === sessions[0])
            if let next { heavy.putBack(next) }
        }
        #expect(heavy.count == 2 && heavy.earliestWake == Step(1))
        sessions[0].wake = Step(7)
        #expect(heavy.take(dueAt: Step(5)) == nil && heavy.earliestWake == Step(7))
    }

    @Test func theLimitFallsWhileAPassTakesLongAndRisesWhenNoneStepsAside() {
        var heavy = HeavySessions()
        let most = heavy.limit
        heavy.passed(nanoseconds: Limits.passMicrosecondsMax * 1_000)
        #expect(heavy.limit == most)
        for _ in 0..<20 { heavy.passed(nanoseconds: Limits.passMicrosecondsMax * 1_000 + 1) }
        #expect(heavy.limit == Limits.lookMicrosecondsMin * 1_000)
        heavy.insert(ActiveSession.empty("anna", wake: 1))
        heavy.passed(nanoseconds: 0)
        #expect(heavy.limit == Limits.lookMicrosecondsMin * 1_000)
        var others = HeavySessions()
        others.passed(nanoseconds: .max)
        others.passed(nanoseconds: 0)
        #expect(others.limit == most)
    }
}

struct EffortTests {
    private let limit = 4_000_000

    @Test func onlyTheProcessorsTimeMakesASessionHeavy() {
        var effort = Effort()
        #expect(effort.weight == .suspect && effort.stepsMax == Limits.stepsUnmeasuredMax)
        effort.noteProcessor(20_000, steps: 2, limit: limit)
        #expect(effort.weight == .light && effort.stepsMax == Limits.stepsMadeUpMax)
        effort.noteWall(limit + 1, limit: limit)
        #expect(effort.weight == .suspect)
        effort.noteProcessor(20_000, steps: 2, limit: limit)
        #expect(effort.weight == .light)
    }

    @Test func aHeavySessionMakesAsManyStepsAsFitAPiece() {
        var effort = Effort()
        effort.noteProcessor(6_000_000, steps: 2, limit: limit)
        #expect(effort.weight == .heavy && effort.stepsMax == 1)
        effort.noteProcessor(600_000, steps: 1, limit: limit)
        #expect(effort.weight == .heavy && effort.stepsMax == 3, "it does not go to and fro")
        effort.noteProcessor(400_000, steps: 1, limit: limit)
        #expect(effort.weight == .light)
        effort = Effort()
        effort.noteProcessor(6_000_000, steps: 2, limit: limit)
        effort.rested()
        #expect(effort.weight == .suspect)
    }
}

struct CostlyWorkTests {
    private struct Some: LaneRequest {
        var subject: String?
        var documentBytes = 0

        func perform(on lane: Lane, answering envelope: Envelope, at moment: Moment) {}
    }

    private func envelope(_ peer: UInt8) -> Envelope {
        Envelope(identity: [peer], hasDelimiter: false)
    }

    private func add(
        _ session: String?, by peer: UInt8, bytes: Int = 0, to requests: inout CostlyWork
    ) throws {
        let request = Some(subject: session, documentBytes: bytes)
        try requests.add(request, envelope(peer), of: session.map { StableHash($0) })
    }

    private func drain(_ requests: inout CostlyWork) -> [String] {
        var served: [String] = []
        while let unit = requests.next() {
            served.append("\(unit.request.subject ?? "-") \(unit.envelope.identity[0])")
        }
        return served
    }

    @Test func peersTakeTurnsAndEachSessionsRequestsKeepTheirOrder() throws {
        var requests = CostlyWork()
        for session in ["a", "b", "c"] { try add(session, by: 1, to: &requests) }
        try add("d", by: 2, to: &requests)
        try add("a", by: 2, to: &requests)
        try add(nil, by: 3, to: &requests)
        #expect(requests.count == 6)
        #expect(drain(&requests) == ["a 1", "d 2", "- 3", "b 1", "a 2", "c 1"])
        #expect(requests.isEmpty && !requests.holds(StableHash("a")))
    }

    @Test func whatComesForASessionFollowsItsLastRequest() throws {
        var requests = CostlyWork()
        let hash = StableHash("a")
        try add("a", by: 1, to: &requests)
        requests.follow(hash, eventBytes: 10) { $0.notify("a") }
        try add("a", by: 1, to: &requests)
        for _ in 0..<2 { requests.follow(hash, eventBytes: 10) { $0.notify("a") } }
        #expect(requests.holds(hash) && !requests.holds(StableHash("b")))
        #expect(requests.eventCount == 3)
        #expect(requests.next()?.followers.eventCount == 1)
        #expect(requests.next()?.followers.eventCount == 2)
        #expect(requests.eventCount == 0)
    }

    @Test func aSessionsRequestsAreTakenTogether() throws {
        var requests = CostlyWork()
        for session in ["a", "b", "a"] { try add(session, by: 1, to: &requests) }
        try add("a", by: 2, to: &requests)
        requests.follow(StableHash("a"), eventBytes: 10) { $0.notify("a") }
        let taken = requests.takeAll(of: StableHash("a"))
        #expect(taken.map(\.envelope.identity) == [[1], [1], [2]])
        #expect(requests.takeAll(of: StableHash("a")).isEmpty)
        #expect(requests.count == 1 && requests.eventCount == 0)
        #expect(drain(&requests) == ["b 1"])
    }

    @Test func whatIsBeyondTheBoundsIsRefused() throws {
        var requests = CostlyWork()
        for index in 0..<Limits.costlyRequestsOfPeerMax {
            try add("s\(index)", by: 1, to: &requests)
        }
        let error = #expect(throws: Rejection.self) { try add("more", by: 1, to: &requests) }
        #expect(error?.code == .busy)
        try add("more", by: 2, bytes: 2 * Limits.costlyBytesMax, to: &requests)
        #expect(throws: Rejection.self) { try add("other", by: 2, bytes: 1, to: &requests) }
        #expect(drain(&requests).count == Limits.costlyRequestsOfPeerMax + 1)
        try add("more", by: 1, to: &requests)
        #expect(!requests.hasRoom(forEvent: Limits.costlyBytesMax + 1))
        for _ in 0..<Limits.costlyEventsMax {
            #expect(requests.hasRoom(forEvent: 1))
            requests.follow(StableHash("more"), eventBytes: 1) { $0.notify("more") }
        }
        #expect(!requests.hasRoom(forEvent: 1))
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

        func isCostly(on lane: Lane) -> Bool { isLeft }

        func perform(on lane: Lane, answering envelope: Envelope, at moment: Moment) {
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

    @Test func noEventIsRefusedBecauseSomebodyAsks() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        let served = Count()
        lane.queue.suspend()
        var batch = Batch()
        batch.ask(1, Slow(subject: "anna", milliseconds: 5, served: served))
        let question = Slow(
            subject: "anna", isForItsAskerAlone: true, milliseconds: 5, served: served)
        batch.ask(100, question)
        let events = 3 * Limits.costlyEventsMax
        for _ in 0..<events { batch.notify("anna") }
        lane.submit(&batch)
        lane.queue.resume()
        lanes.rest()
        #expect(lanes.counters.get(.applied) == events)
        #expect(lanes.counters.get(.rejected) == 0)
        #expect(served.value.load(ordering: .relaxed) < 50, "all were served before the events")
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
