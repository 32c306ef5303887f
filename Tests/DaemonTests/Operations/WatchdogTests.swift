import Dispatch
import Foundation
import Store
import Synchronization
import Testing

@testable import Daemon

struct WatchdogTests {
    private static let second = 1_000_000_000

    @Test func aRoundTripComesBackOnceEveryLaneHasPassedItOn() throws {
        let lanes = try Lanes(3)
        lanes.lanes[1].queue.suspend()
        let trip = Barrier(.watch, lanes: 0..<3, at: 0)
        lanes.send(trip)
        lanes.lanes[0].queue.sync {}
        lanes.lanes[2].queue.sync {}
        #expect(lanes.back().isEmpty && trip.missing == [1])
        lanes.lanes[1].queue.resume()
        lanes.rest()
        let back = lanes.back()
        #expect(back.count == 1 && back.first === trip && trip.missing.isEmpty)
    }

    @Test func lanesTakeTheSettingsThatARoundTripBrings() throws {
        let lanes = try Lanes(2)
        var settings = lanes.lanes[0].table.settings
        settings.sessionsMax = 5
        settings.idleSteps = 7
        lanes.send(Barrier(.adopt(settings), lanes: 0..<2, at: 0))
        lanes.rest()
        for lane in lanes.lanes {
            #expect(lane.table.settings.sessionsMax == 5 && lane.table.settings.idleSteps == 7)
        }
        #expect(lanes.back().count == 1)
    }

    @Test(arguments: [(10, 2_500_000_000), (1, 250_000_000), (60, 2_500_000_000)])
    func roundTripsBeginAQuarterOfThePatienceApart(seconds: Int, interval: Int) {
        #expect(Watchdog(patience: seconds * Self.second, at: 0).interval == interval)
        #expect(Watchdog(patience: nil, at: 0).interval == 2_500_000_000)
    }

    @Test func oneRoundTripRunsAtATimeAndALateOneIsReportedOnce() {
        var watchdog = Watchdog(patience: 4 * Self.second, at: 0)
        #expect(watchdog.judge(at: 0) == .begin)
        let trip = Barrier(.watch, lanes: 0..<2, at: 0)
        watchdog.begin(trip)
        _ = trip.pass(lane: 0)
        #expect(watchdog.judge(at: Self.second / 2) == .none)
        #expect(watchdog.judge(at: Self.second) == .none)
        #expect(watchdog.judge(at: 2 * Self.second) == .late([1], after: 2 * Self.second))
        #expect(watchdog.judge(at: 3 * Self.second) == .none)
        #expect(watchdog.take(trip, at: 4 * Self.second) == 4 * Self.second)
        #expect(watchdog.judge(at: 4 * Self.second) == .begin)
        // One that came back already is none that is on its way.
        #expect(watchdog.take(trip, at: 5 * Self.second) == nil)
        let next = Barrier(.watch, lanes: 0..<2, at: 4 * Self.second)
        watchdog.begin(next)
        #expect(watchdog.take(next, at: 4 * Self.second + 1) == nil)
    }

    /// A store whose commits wait until they are let go.
    private final class SlowStore: Store {
        let gate: DispatchSemaphore
        let identity = StoreIdentity(key: 1, versionFloor: 0, generation: 0)
        let hasBegun = true

        init(_ gate: DispatchSemaphore) { self.gate = gate }

        let fence = StoreFence(writer: 0)

        func commit(_ commit: StoreCommit) throws(StoreError) { gate.wait() }
        func check() throws(StoreError) {}
        func makeReader() throws(StoreError) -> any StoreReader {
            throw StoreError(.unavailable, "no reader")
        }
        func close() throws(StoreError) {}
    }

    @Test func aCommitThatWaitsForTheDiskIsSeenFromElsewhere() throws {
        let gate = DispatchSemaphore(value: 0)
        let drain = Drain()
        let log = Log(level: .error, to: .lines(drain.descriptor))
        let storeWriter = try StoreWriter(SlowStore(gate), counters: Counters(), log: log)
        let done = DispatchSemaphore(value: 0)
        let began = Clock.monotonic()
        storeWriter.submit([.remove(id: "a", version: 1)], replies: 0) { _ in done.signal() }
        while storeWriter.health(at: began + 20 * Self.second) == .good {}
        guard case .waiting(let seconds) = storeWriter.health(at: began + 20 * Self.second) else {
            Issue.record("it does not wait")
            return
        }
        #expect((10...20).contains(seconds))
        #expect(storeWriter.health(at: Clock.monotonic()) == .good, "it has not waited for long")
        gate.signal()
        done.wait()
        #expect(storeWriter.health(at: began + 20 * Self.second) == .good)
        #expect(storeWriter.stop(isWhole: true, unless: { false }))
    }
}
