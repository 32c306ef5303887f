import Geometry
import Notation
import Sessions
import Testing

@testable import Daemon

struct TickerTests {
    /// Brings the listed sessions to a step, at most so many; each that was due rests then.
    private func tick(_ ticker: inout Ticker, to step: Int, atMost count: Int = .max) -> [String] {
        _ = ticker.begin(Step(step))
        var due: [String] = []
        while due.count < count, let active = ticker.next() {
            if let wake = active.wake, wake <= Step(step) {
                due.append(active.session.id)
                active.wake = nil
            }
            ticker.list(active, isWatched: true)
        }
        return due
    }

    @Test func aSessionIsListedOnceAndLeavesTheListAtRest() throws {
        var ticker = try Ticker()
        let anna = ActiveSession.empty("anna", wake: 3)
        ticker.list(anna, isWatched: true)
        ticker.list(anna, isWatched: true)
        ticker.list(ActiveSession.empty("berta", wake: 5), isWatched: true)
        ticker.list(ActiveSession.empty("clara", wake: nil), isWatched: true)
        #expect(tick(&ticker, to: 2) == [] && anna.listing == .at(Step(3)))
        #expect(tick(&ticker, to: 4) == ["anna"] && anna.listing == .nowhere)
        #expect(tick(&ticker, to: 9) == ["berta"] && ticker.lastStep == Step(9))
        #expect(ticker.arm(Grid()) == nil)
    }

    /// Whatever the line's length.
    @Test(arguments: [1, 7, 8, 9, 16, 33])
    func eachIsTakenOnceInOrderWhileTheLineGrows(count: Int) throws {
        var ticker = try Ticker()
        let names = (0..<2 * count).map { "s\($0)" }
        for (place, name) in names.enumerated() {
            let wake = place < count ? 2 : 3
            ticker.list(ActiveSession.empty(name, wake: wake), isWatched: true)
        }
        let some = tick(&ticker, to: 2, atMost: count / 2)
        #expect(some + tick(&ticker, to: 3) == names)
        #expect(!ticker.isUnderWay && ticker.arm(Grid()) == nil)
    }

    @Test func theTimerIsArmedForTheEarliestSession() throws {
        var ticker = try Ticker()
        let grid = Grid()
        #expect(ticker.arm(grid) == nil)
        _ = ticker.begin(Step(1_000_000))
        ticker.list(ActiveSession.empty("anna", wake: 1_000_007), isWatched: true)
        ticker.list(ActiveSession.empty("berta", wake: 1_000_003), isWatched: false)
        #expect(ticker.arm(grid) == grid.time(of: Step(1_000_003)))
        #expect(tick(&ticker, to: 1_000_003) == ["berta"])
        #expect(ticker.arm(grid) == grid.time(of: Step(1_000_007)))
        #expect(tick(&ticker, to: 1_000_007) == ["anna"])
        #expect(ticker.arm(grid) == nil)
    }

    @Test func aSessionThatIsDueEarlierThanItWasIsLookedAtOnceAndThen() throws {
        var ticker = try Ticker()
        let anna = ActiveSession.empty("anna", wake: 8)
        ticker.list(anna, isWatched: false)
        anna.wake = Step(2)
        ticker.list(anna, isWatched: true)
        #expect(tick(&ticker, to: 2) == ["anna"])
        anna.wake = Step(8)
        ticker.list(anna, isWatched: true)
        #expect(tick(&ticker, to: 8) == ["anna"])
        anna.wake = Step(20)
        ticker.list(anna, isWatched: true)
        anna.wake = Step(30)
        #expect(tick(&ticker, to: 29) == [] && tick(&ticker, to: 40) == ["anna"])
    }

    @Test func aSessionIsDueHoweverFarItsStepIs() throws {
        var ticker = try Ticker()
        let far = 5 * Limits.dueStepsMax + 3
        ticker.list(ActiveSession.empty("anna", wake: far), isWatched: false)
        for step in stride(from: 7, to: far, by: 7) {
            #expect(tick(&ticker, to: step) == [])
        }
        #expect(tick(&ticker, to: far) == ["anna"])
        ticker.list(ActiveSession.empty("berta", wake: far + 9), isWatched: false)
        #expect(tick(&ticker, to: 100 * Limits.dueStepsMax) == ["berta"], "after a long stall")
    }

    @Test func watchedSessionsComeFirst() throws {
        var ticker = try Ticker()
        for (index, name) in ["anna", "berta", "clara", "doris"].enumerated() {
            ticker.list(ActiveSession.empty(name, wake: 2 + index), isWatched: index % 2 == 1)
        }
        #expect(tick(&ticker, to: 5, atMost: 3) == ["berta", "doris", "anna"])
        #expect(ticker.isUnderWay && ticker.isInPass)
        ticker.list(ActiveSession.empty("emma", wake: 6), isWatched: true)
        #expect(tick(&ticker, to: 6) == ["emma", "clara"] && !ticker.isUnderWay)
    }

    @Test func sessionsThatNobodyWatchesTakeTurnsWhenTheyLag() throws {
        var ticker = try Ticker()
        let step = 1 + Limits.unwatchedLagSteps
        for number in 0..<2 {
            ticker.list(ActiveSession.empty("other\(number)", wake: 1), isWatched: false)
        }
        _ = ticker.begin(Step(1))
        for number in 0..<3 {
            ticker.list(ActiveSession.empty("watched\(number)", wake: step), isWatched: true)
        }
        #expect(tick(&ticker, to: step, atMost: 1) == ["watched0"], "not yet")
        #expect(
            tick(&ticker, to: step + 1) == ["other0", "watched1", "other1", "watched2"])
    }
}

struct SpareListsTests {
    /// A list for so many sessions, with one in it.
    private func list(for count: Int) -> [ActiveSession] {
        var list: [ActiveSession] = []
        list.reserveCapacity(count)
        list.append(.empty("anna", wake: 1))
        return list
    }

    @Test func aListThatIsPutBackIsEmptyAndKeepsItsMemory() {
        var spare = SpareLists()
        #expect(spare.take().capacity == 0)
        var first = list(for: 100)
        spare.putBack(&first)
        #expect(first.isEmpty && first.capacity == 0)
        let taken = spare.take()
        #expect(taken.isEmpty && taken.capacity >= 100 && spare.capacity == 0)
    }

    @Test func theMemoryThatIsKeptIsBounded() {
        var spare = SpareLists()
        var long = list(for: 2 * Limits.dueKeptMax)
        spare.putBack(&long)
        var empty: [ActiveSession] = []
        spare.putBack(&empty)
        #expect(long.isEmpty && spare.capacity == 0)
        for _ in 0..<3 * Limits.spareListsMax {
            var one = list(for: Limits.dueKeptMax / 2)
            spare.putBack(&one)
        }
        #expect(spare.capacity > 0)
        #expect(spare.capacity <= Limits.spareListsMax * Limits.dueKeptMax)
    }
}

struct InterestsTests {
    @Test func namedAndBroadInterestsCombine() {
        let interests = Interests()
        interests["anna"] = .badge
        #expect(interests["anna"] == .badge && interests["berta"] == [])
        #expect(interests.includes(.badge, of: "anna") && !interests.includes(.state, of: "anna"))
        interests.broad = .state
        #expect(interests.includes(.state, of: "anna") && interests.includes(.state, of: "berta"))
        interests["anna"] = []
        #expect(!interests.includes(.badge, of: "anna"))
    }

    @Test func aBeginningIsOfEveryNameThatBeginsSo() {
        let interests = Interests()
        let longest = String(repeating: "x", count: Name.bytesMax)
        for (name, channels) in [("kitchen-", Channels.badge), ("k", .state), (longest, .frame)] {
            interests.set(channels, ofBeginning: name)
        }
        for (name, channels) in [
            ("kitchen-left", [.badge, .state]), ("kitchen-", [.badge, .state]),
            ("kitchen", .state), ("k", .state), ("bath-left", []), ("Kitchen-left", []),
            (longest, .frame), (String(longest.dropLast()), []),
        ] as [(String, Channels)] {
            #expect(interests.channels(ofNameBeginningAs: name) == channels, "\(name)")
        }
        interests.set([.badge, .frame], ofBeginning: "kitchen-")
        #expect(interests.includes([.badge, .frame, .state], of: "kitchen-left"))
        // Each is withdrawn by itself; others of its length stay.
        interests.set(.session, ofBeginning: "pantry--")
        interests.set([], ofBeginning: "kitchen-")
        interests.set([], ofBeginning: "kitchen-")
        #expect(interests.channels(ofNameBeginningAs: "kitchen-left") == .state)
        #expect(interests.channels(ofNameBeginningAs: "pantry--1") == .session)
        for name in ["k", "pantry--", longest] { interests.set([], ofBeginning: name) }
        #expect(interests.channels(ofNameBeginningAs: "pantry--1").isEmpty)
        #expect(interests.channels(ofNameBeginningAs: longest).isEmpty)
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

    /// The batch that waits turns out to be cheaper than the ones before it, so that there is room
    /// before it is done.
    @Test func theReactorIsToldOfRoomThatTheFallingCostHasMade() {
        let load = LaneLoad()
        for _ in 0..<100 { load.note(nanoseconds: 300_000, works: 1) }
        var batch = Batch()
        batch.eventCount = 90
        load.expect(batch)
        #expect(!load.hasRoom)
        load.note(nanoseconds: 90 * 100_000, works: 90)
        #expect(load.finish(batch), "it waits since it found no room")
        #expect(load.hasRoom && !load.finish(Batch()), "once")
    }

    @Test func requestsCountByTheirTimeAndNotByTheirNumber() {
        let load = LaneLoad()
        var batch = Batch()
        batch.requestCount = 2 * Limits.laneEventsMax
        load.expect(batch)
        #expect(load.hasRoom, "they take no time yet")
        for _ in 0..<100 { load.note(nanoseconds: 1_000_000, works: 1) }
        #expect(!load.hasRoom)
        #expect(load.finish(batch) && load.hasRoom)
        batch.requestCount = Limits.laneMillisecondsMax - 10
        load.expect(batch)
        #expect(load.hasRoom && !load.hasRoom(behind: batch), "what is gathered waits, too")
    }

    @Test func aRoundCountsTheRequestsThatItGathers() throws {
        let lanes = try Lanes(1)
        var work = LaneBatches(lanes.lanes, choice: LaneChoice(count: 1))
        for _ in 0..<100 { lanes.lanes[0].load.note(nanoseconds: 10_000_000, works: 1) }
        let close = try CloseRequest(RequestFields(Array(#"{"session":"a"}"#.utf8)))
        let envelope = Envelope(identity: [1], hasDelimiter: false)
        for _ in 0..<Limits.laneMillisecondsMax / 10 {
            #expect(work.haveRoomForMore)
            work.add(.request(envelope, close), to: 0)
        }
        work.add(.request(envelope, close), to: 0)
        #expect(work.haveRoom && !work.haveRoomForMore)
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
