import Dispatch
import Geometry
import Notation
import Sessions
import Synchronization
import TestSupport
import Testing

@testable import Daemon

struct LaneTests {
    @Test func batchesAreDoneInTheOrderInWhichTheyCameAndNoneIsLeftAtTheEnd() throws {
        let lanes = try Lanes(1)
        let trips = (0..<500).map { _ in Barrier(.watch, lanes: 0..<1, at: 0) }
        for trip in trips { lanes.send(trip) }
        lanes.lanes[0].stop()
        let back = lanes.back()
        #expect(back.count == trips.count && zip(back, trips).allSatisfy { $0 === $1 })
        #expect(lanes.lanes[0].load.waiting.load(ordering: .acquiring) == 0)
    }

    @Test func submittedBatchesAreDoneBeforeALaneStops() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        lane.queue.suspend()
        for _ in 0..<3 { lanes.send(Barrier(.watch, lanes: 0..<1, at: 0)) }
        #expect(lane.load.waiting.load(ordering: .acquiring) == 3 && !lane.load.isIdle)
        lane.queue.resume()
        lane.stop()
        #expect(lanes.back().count == 3)
    }

    @Test func theReactorDoesWhatIsAboutSessionsInMemoryAndLeavesTheRest() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        var batch = Batch()
        batch.notify("anna")
        #expect(!lane.runInline(&batch) && batch.eventCount == 1, "nobody has that session yet")
        lane.submit(&batch)
        #expect(batch.isEmpty && batch.bytes.isEmpty && batch.eventCount == 0)
        lanes.rest()
        for count in 2...40 {
            batch.notify("anna")
            #expect(lane.runInline(&batch) && batch.isEmpty)
            #expect(lanes.counters.get(.applied) == count)
        }
        #expect(batch.bytes.capacity > 0 && batch.work.capacity > 0)
        batch.notify("anna")
        batch.notify("berta")
        #expect(!lane.runInline(&batch) && batch.eventCount == 2)
        #expect(lanes.counters.get(.applied) == 40)
        #expect(lane.load.pendingEvents.load(ordering: .relaxed) == 0)
        lane.stop()
    }

    /// Chains may follow from each.
    @Test func theClockIsReadAfterEachEventOfASessionWithReactions() throws {
        let clear = Reaction.Order(component: "badges", command: "clear", arguments: [])
        let reaction = Reaction(.notification(kind: "spare"), clear)
        for (reactions, expected) in [([], 5), ([reaction], 1)] {
            let lane = try Lanes(1, reactions: reactions).lanes[0]
            var batch = Batch()
            for _ in 0..<5 { batch.notify("anna") }
            let done = lane.queue.sync {
                let now = Clock.monotonic()
                let step = lane.table.settings.grid.step(at: now)
                // The piece of time was over long ago.
                return lane.perform(batch, Moment(now: now - 1_000_000_000, step: step))
            }
            #expect(done == expected)
            lane.stop()
        }
    }

    @Test func aBodyIsDoneAgainAndAgainAlsoAfterItsWorkItemWasRenewed() {
        let queue = DispatchQueue(label: "visited")
        var count = 0
        var visit = ReusedBlock(queue, renewedAfter: 3) {
            dispatchPrecondition(condition: .onQueue(queue))
            count += 1
        }
        for expected in 1...10 {
            visit.sync()
            #expect(count == expected)
        }
    }
}

struct InboxTests {
    private func batch(events: Int) -> Batch {
        var batch = Batch()
        for _ in 0..<events { batch.notify("anna") }
        return batch
    }

    @Test func finishedBatchesAreReused() {
        let inbox = Inbox()
        var next = batch(events: 100)
        inbox.post(&next)
        #expect(next.isEmpty && next.work.capacity == 0)
        var taken: [Batch] = []
        inbox.take(into: &taken)
        #expect(taken.map(\.eventCount) == [100])
        inbox.recycle(&taken)
        #expect(taken.isEmpty)
        next = batch(events: 1)
        inbox.post(&next)
        #expect(next.isEmpty && next.work.capacity >= 100 && next.bytes.capacity >= 2_000)
    }

    @Test func spareBatchesAreFreed() {
        let inbox = Inbox()
        var next = batch(events: 100)
        inbox.post(&next)
        var taken: [Batch] = []
        inbox.take(into: &taken)
        inbox.recycle(&taken)
        inbox.freeSpares()
        next = batch(events: 1)
        inbox.post(&next)
        #expect(next.isEmpty && next.work.capacity == 0)
        inbox.take(into: &taken)
        #expect(taken.map(\.eventCount) == [1], "what waits is kept")
    }

    @Test func noMoreIsKeptThanItsBound() {
        let inbox = Inbox()
        var spare = 0
        for _ in 0..<2 {
            spare = 0
            for _ in 0..<300 {
                var next = batch(events: 1)
                inbox.post(&next)
                if next.work.capacity > 0 { spare += 1 }
            }
            var taken: [Batch] = []
            inbox.take(into: &taken)
            #expect(taken.count == 300)
            inbox.recycle(&taken)
            #expect(taken.capacity == 0)
        }
        #expect(spare == Limits.spareBatchesMax)
    }

    @Test func aRoundThatWasLargeGivesItsMemoryBack() {
        var large = batch(events: Limits.spareBatchWorkMax + 1)
        large.bytes += [UInt8](repeating: 0, count: Limits.roundBytesMax)
        large.removeAll()
        #expect(large.bytes.capacity == 0 && large.work.capacity == 0)
        var usual = batch(events: 200)
        usual.removeAll()
        #expect(usual.bytes.capacity > 0 && usual.work.capacity > 0)
        #expect(usual.isEmpty && usual.eventCount == 0 && usual.received == 0)
    }
}

struct ResidentsTests {
    private func resident(_ id: String) -> ActiveSession {
        let scene = Scene(name: "empty", viewport: Size(320, 568), components: [])
        let session = Session(
            id: id, epoch: "e", scene: scene, opened: Instant(nanoseconds: 0), frameRate: 60)
        return ActiveSession(session, openedAt: .zero, interest: [])
    }

    private func find(_ id: String, in activeSessions: ActiveSessions) -> ActiveSession? {
        unsafe Array(id.utf8).withUnsafeBytes { unsafe activeSessions[$0, StableHash(id)] }
    }

    @Test func namesAreFoundByTheirBytesWhateverTheirLength() {
        let activeSessions = ActiveSessions(versionFloor: 0)
        let names = (1...64).map { String(repeating: "n", count: $0) }
        for name in names { activeSessions[name] = resident(name) }
        for name in names {
            #expect(activeSessions[name]?.session.id == name)
            #expect(find(name, in: activeSessions)?.session.id == name)
        }
        #expect(find("", in: activeSessions) == nil && find("m", in: activeSessions) == nil)
        #expect(activeSessions.all.count == 64)
    }

    /// A search for equal hashes found these two names.
    @Test(arguments: [false, true])
    func namesWithEqualHashesAreDistinguished(isFirstGone: Bool) {
        let (first, second) = ("8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ")
        #expect(StableHash(first).value == StableHash(second).value)
        let activeSessions = ActiveSessions(versionFloor: 0)
        activeSessions[first] = resident(first)
        #expect(activeSessions[second] == nil && find(second, in: activeSessions) == nil)
        activeSessions[second] = resident(second)
        for name in [first, second] {
            #expect(activeSessions[name]?.session.id == name)
            #expect(find(name, in: activeSessions)?.session.id == name)
        }
        #expect(activeSessions.all.count == 2)
        let (gone, left) = isFirstGone ? (first, second) : (second, first)
        activeSessions[gone] = nil
        #expect(activeSessions[gone] == nil && find(gone, in: activeSessions) == nil)
        #expect(find(left, in: activeSessions)?.session.id == left)
        activeSessions[gone] = resident(gone)
        #expect(
            activeSessions[left]?.session.id == left && activeSessions[gone]?.session.id == gone)
        activeSessions[left] = nil
        activeSessions[gone] = nil
        #expect(activeSessions.all.isEmpty && find(left, in: activeSessions) == nil)
    }
}
