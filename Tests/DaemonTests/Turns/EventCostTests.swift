import Dispatch
import Geometry
import Notation
import Security
import Sessions
import Testing

@testable import Daemon

struct EventCostTests {
    private let long = 8_000_000
    private let short = 5_000

    @Test func oneThatIsLongAloneMakesNoneWait() {
        var cost = EventCost()
        for _ in 0..<10 {
            cost.note(nanoseconds: Limits.eventMicrosecondsVeryLong * 1_000)
            #expect(!cost.areLong)
            for _ in 0..<32 { cost.note(nanoseconds: short) }
        }
    }

    /// The table of the sessions grows in one of many thousands: then they wait for a few events.
    @Test func aFewShortOnesEndTheWaitAfterOneThatIsVeryLong() {
        var cost = EventCost()
        cost.note(nanoseconds: 1_000_000_000)
        #expect(cost.areLong && cost.mayBeShort && cost.nanoseconds == 1_000_000_000)
        for _ in 0..<Limits.eventsRemembered { cost.note(nanoseconds: short) }
        cost.note(nanoseconds: short)
        #expect(!cost.areLong)
    }

    @Test(arguments: [(8_000, 1), (4_000, 2), (1_000, 6), (600, 14)])
    func theNextOnesWaitWhereSomeTookLong(microseconds: Int, most: Int) {
        var cost = EventCost()
        for _ in 0..<most { cost.note(nanoseconds: microseconds * 1_000) }
        #expect(cost.areLong && cost.mayBeShort, "none was measured since")
        cost.note(nanoseconds: microseconds * 1_000)
        #expect(cost.areLong && !cost.mayBeShort)
    }

    @Test func shortOnesEndTheWait() {
        var cost = EventCost()
        for _ in 0..<100 { cost.note(nanoseconds: long) }
        #expect(cost.areLong && cost.nanoseconds > long / 2)
        cost.note(nanoseconds: short)
        #expect(cost.areLong && cost.mayBeShort)
        for _ in 0..<32 { cost.note(nanoseconds: short) }
        #expect(!cost.areLong && !cost.mayBeShort)
    }

    /// Those that take about the bound would pile up among events and in the spare time by turns.
    @Test func thoseNearTheBoundGoOnWaiting() {
        var cost = EventCost()
        for _ in 0..<10 { cost.note(nanoseconds: 1_000_000) }
        for _ in 0..<100 {
            cost.note(nanoseconds: 400_000)
            #expect(cost.areLong && !cost.mayBeShort)
        }
    }

    @Test func eventsAreMeasuredForAWhileAfterSomeTookLong() {
        var meter = EventMeter()
        var now = 1_000_000_000
        meter.begin(at: now)
        for works in 1...16 {
            now += works * Limits.eventMicrosecondsMax * 1_000
            meter.look(at: now, works: works)
            #expect(!meter.isOn && !meter.takeHint())
        }
        now += 16 * Limits.eventMicrosecondsMax * 1_000 + 1
        meter.look(at: now, works: 16)
        for _ in 0..<Limits.measuredWorksMax {
            #expect(meter.isOn && meter.takeHint())
            meter.look(at: now, works: 1)
        }
        #expect(!meter.isOn)
        meter.mayHaveReacted = true
        #expect(meter.takeHint() && !meter.takeHint())
    }
}

/// Lanes with a session whose events take long.
struct LongEventTests {
    private let lanes: Lanes
    private var lane: Lane { lanes.lanes[0] }

    /// The session `long` has many reactions bring many tips.
    init() throws {
        lanes = try Lanes(1)
        let tips = Array(repeating: "{}", count: 300).joined(separator: ",")
        let reaction = """
            {"when":{"notification":"go"},\
            "do":{"component":"tips","command":"present","tips":[\(tips)]}}
            """
        let reactions = Array(repeating: reaction, count: 32).joined(separator: ",")
        let component = #"{"id":"tips","kind":"tips","tips":[{}],"presented":false}"#
        var batch = Batch()
        batch.add(
            "command", "long",
            """
            {"command":"open","scene":{"viewport":[320,568],"components":[\(component)],\
            "reactions":[\(reactions)]}}
            """)
        batch.notify("short")
        lane.submit(&batch)
        lanes.rest()
        #expect(lanes.counters.get(.applied) == 2)
    }

    /// How the events come to the lane.
    enum Way: CaseIterable {
        case batch, heldForTheStore
    }

    @Test(arguments: Way.allCases)
    func eventsThatTakeLongWaitForTheSpareTime(way: Way) throws {
        let count = 20
        var batch = Batch()
        for _ in 0..<count { batch.notify("long", kind: "go") }
        batch.notify("short")
        lane.load.expect(batch)
        // The queue serves what waits as soon as it may.
        let (waiting, refused, applied) = lane.queue.sync {
            switch way {
            case .batch:
                var place = 0
                while place < batch.work.count { place = lane.process(batch, from: place) }
            case .heldForTheStore:
                var place = 0
                while place < batch.work.count {
                    let now = Clock.monotonic()
                    let step = lane.table.settings.grid.step(at: now)
                    place = lane.perform(held: batch, from: place, Moment(now: now, step: step))
                }
            }
            let counters = lanes.counters
            return (
                lane.spare.costly.eventCount, counters.get(.rejected), counters.get(.applied)
            )
        }
        // In a slow build fewer of them fill the time that may wait, and the rest is refused.
        #expect(waiting >= (refused == 0 ? 2 : 1) && waiting + refused >= count / 2)
        #expect(applied == 2 + count + 1 - waiting - refused)
        lanes.send(Barrier(.watch, lanes: 0..<1, at: 0))
        lanes.rest()
        // In a slow build some of those that wait are refused as well, once their time is known.
        if refused == 0 { #expect(lanes.counters.get(.rejected) == 0) }
        #expect(lanes.counters.get(.applied) == 2 + count + 1 - lanes.counters.get(.rejected))
        lane.stop()
    }

    /// Makes the events of a session wait. None of them is long.
    private func makeWait(_ session: String) throws {
        try lane.queue.sync {
            let open = try #require(lane.table.activeSessions[session])
            for _ in 0..<100 {
                lane.table.costlySessions.noteEvent(of: open, nanoseconds: 8_000_000)
            }
            for _ in 0..<2 { lane.table.costlySessions.noteEvent(of: open, nanoseconds: 1_000) }
            #expect(open.effort.events.areLong)
        }
    }

    /// Whether usual events are short here. With a sanitizer some take as long as long ones.
    private func areUsualOnesShort() -> Bool {
        let times = lane.queue.sync {
            (0..<50).map { _ in
                var batch = Batch()
                batch.notify("short")
                let began = Clock.processor()
                _ = lane.process(batch, from: 0)
                return Clock.processor() - began
            }
        }
        return (times.max() ?? 0) < Limits.eventMicrosecondsShort * 1_000 / 2
    }

    @Test func aFloodOfShortOnesBehindLongOnesIsNotRefused() throws {
        let areShort = areUsualOnesShort()
        let before = lanes.counters.get(.applied)
        try makeWait("short")
        let count = 5 * Limits.costlyEventsOfSessionMax
        lane.queue.suspend()
        var batch = Batch()
        for _ in 0..<count { batch.notify("short") }
        lane.submit(&batch)
        lane.queue.resume()
        lanes.rest()
        let (applied, refused) = (lanes.counters.get(.applied), lanes.counters.get(.rejected))
        #expect(applied + refused <= before + count)
        if areShort {
            #expect(refused == 0 && applied == before + count)
            #expect(lane.queue.sync { !lane.table.costlySessions.isAnySlow })
        }
        lane.stop()
    }

    @Test func theEndDoesTheShortOnesThatWait() throws {
        let areShort = areUsualOnesShort()
        let before = lanes.counters.get(.applied)
        try makeWait("short")
        lane.queue.suspend()
        var batch = Batch()
        for _ in 0..<40 { batch.notify("short") }
        lane.submit(&batch)
        lane.queue.resume()
        lane.stop()
        let applied = lanes.counters.get(.applied) - before
        #expect(areShort ? applied == 40 : applied <= 40)
    }

    @Test func aFewLongOnesWaitAndTheRestIsRefused() throws {
        try makeWait("short")
        let tap = lane.table.settings.tap
        _ = tap.read(after: nil, .all)
        try lane.queue.sync {
            let open = try #require(lane.table.activeSessions["short"])
            for _ in 0..<100 {
                lane.table.costlySessions.noteEvent(of: open, nanoseconds: 25_000_000)
            }
            #expect(!open.effort.events.mayBeShort)
            var batch = Batch()
            for _ in 0..<100 { batch.notify("short") }
            var place = 0
            while place < batch.work.count { place = lane.process(batch, from: place) }
            #expect((10...11).contains(lane.spare.costly.eventCount))
        }
        let refused = lanes.counters.get(.rejected)
        #expect(refused >= 89)
        // Each that is not told would give its sender to the next one.
        let told = tap.read(after: 0, .all).entries.count { entry in
            if case .refused = entry.outcome { true } else { false }
        }
        #expect(told == refused)
        lane.stop()
    }

    /// They wait, and then they turn out to take four times as long as was known.
    @Test func thoseThatWaitForTooLongAreRefused() throws {
        try makeWait("short")
        try lane.queue.sync {
            let open = try #require(lane.table.activeSessions["short"])
            for _ in 0..<100 {
                lane.table.costlySessions.noteEvent(of: open, nanoseconds: 10_000_000)
            }
            var batch = Batch()
            for _ in 0..<100 { batch.notify("short") }
            var place = 0
            while place < batch.work.count { place = lane.process(batch, from: place) }
            let waiting = lane.spare.costly.eventCount
            for _ in 0..<100 {
                lane.table.costlySessions.noteEvent(of: open, nanoseconds: 40_000_000)
            }
            let refused = lanes.counters.get(.rejected)
            let next = lane.spare.costly.next()
            lane.costly.serve(try #require(next))
            let more = lanes.counters.get(.rejected) - refused
            #expect((waiting - 13...waiting - 11).contains(more), "\(more) of \(waiting)")
        }
        lane.stop()
    }

    @Test func nothingIsLeftOfASessionThatEnds() throws {
        try makeWait("short")
        var batch = Batch()
        batch.add("command", "short", #"{"command":"close"}"#)
        lane.submit(&batch)
        lanes.rest()
        #expect(lane.queue.sync { !lane.table.costlySessions.isAnySlow })
        lane.stop()
    }
}
