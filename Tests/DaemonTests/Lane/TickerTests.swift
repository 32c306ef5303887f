import Geometry
import Notation
import Sessions
import Testing

@testable import Daemon

struct TickerTests {
    /// Brings the listed sessions to a step; each that was due rests then.
    private func tick(_ ticker: inout Ticker, to step: Int) -> [String] {
        var due: [String] = []
        ticker.begin(Step(step))
        while let active = ticker.current {
            if let wake = active.wake, wake <= Step(step) {
                due.append(active.session.id)
                active.wake = nil
            }
            ticker.goOn()
        }
        return due.sorted()
    }

    @Test func aSessionIsListedOnceAndLeavesTheListAtRest() throws {
        var ticker = try Ticker()
        let anna = ActiveSession.empty("anna", wake: 3)
        ticker.list(anna)
        ticker.list(anna)
        ticker.list(ActiveSession.empty("berta", wake: 5))
        ticker.list(ActiveSession.empty("clara", wake: nil))
        #expect(ticker.count == 2)
        #expect(tick(&ticker, to: 2) == [] && ticker.count == 2)
        #expect(tick(&ticker, to: 4) == ["anna"] && ticker.count == 1 && !anna.isListed)
        #expect(tick(&ticker, to: 9) == ["berta"] && ticker.count == 0)
        #expect(ticker.lastStep == Step(9))
    }

    @Test func theTimerIsArmedForTheEarliestSession() throws {
        var ticker = try Ticker()
        let grid = Grid()
        #expect(ticker.arm(grid) == nil)
        ticker.list(ActiveSession.empty("anna", wake: 1_000_007))
        ticker.list(ActiveSession.empty("berta", wake: 1_000_003))
        #expect(ticker.arm(grid) == grid.time(of: Step(1_000_003)))
        #expect(tick(&ticker, to: 1_000_003) == ["berta"])
        #expect(ticker.arm(grid) == grid.time(of: Step(1_000_007)))
        #expect(tick(&ticker, to: 1_000_007) == ["anna"])
        #expect(ticker.arm(grid) == nil)
    }
}

struct InterestsTests {
    @Test func namedAndBroadInterestsCombine() {
        var interests = Interests()
        interests["anna"] = .badge
        #expect(interests["anna"] == .badge && interests["berta"] == [])
        #expect(interests.includes(.badge, of: "anna") && !interests.includes(.state, of: "anna"))
        interests.broad = .state
        #expect(interests.includes(.state, of: "anna") && interests.includes(.state, of: "berta"))
        interests["anna"] = []
        #expect(!interests.includes(.badge, of: "anna"))
    }
}

struct LaneLoadTests {
    @Test func aLaneHasNoRoomAtItsBoundAndSaysOnceThatItHasAgain() {
        let load = LaneLoad()
        var batch = Batch()
        batch.eventCount = Limits.laneEventsMax
        #expect(load.hasRoom && load.isIdle)
        load.expect(batch)
        #expect(!load.hasRoom)
        #expect(load.finish(batch) && load.hasRoom)
        batch.eventCount = 1
        load.expect(batch)
        #expect(load.hasRoom && !load.finish(batch))
    }

    @Test func afterExpensiveInlineWorkTheLaneIsLeftAlone() {
        let load = LaneLoad()
        let now = Clock.monotonic()
        load.backOff(inlineBegan: now, ended: now + 1_000)
        #expect(load.isIdle)
        load.backOff(inlineBegan: now - 3_600_000_000_000, ended: now)
        #expect(!load.isIdle)
    }
}
