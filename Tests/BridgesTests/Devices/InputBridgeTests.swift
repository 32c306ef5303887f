import Geometry
import Notation
import Protocol
import Recordings
import Testing

@testable import Bridges

/// A bridge of a viewport of 100 × 50 points, and the clock of its device.
private struct Bench {
    var bridge: InputBridge
    var now = Moment(steady: 1_000, wall: 1_700_000_000_000)

    init(_ device: InputDevice, panel: TouchMap = TouchMap()) {
        let touches = Touches<InputBridge.ContactKey>(
            session: "s", map: TouchMap(), firstPointer: 0)
        bridge = InputBridge(touches: touches, panel: panel, pointsOfNotch: 50)
        bridge.touches.setDaemon(isThere: true, at: now)
        bridge.setViewport(Size(100, 50), at: now)
        let isPlugged = bridge.plug(device, as: 0)
        #expect(isPlugged)
    }

    /// Sends one report, and returns its events.
    mutating func report(_ events: [(type: Int, code: Int, value: Int)]) -> [Node] {
        now.steady += 10
        now.wall += 10
        for event in events + [(0, 0, 0)] {
            let reading = InputReading(
                microseconds: now.steady * 1_000, type: event.type, code: event.code,
                value: event.value)
            bridge.read(reading, of: 0, at: now)
        }
        return takeEvents()
    }

    mutating func takeEvents() -> [Node] {
        (bridge.touches.takeEvents() + bridge.takeWheels()).map { event in
            #expect(event.topic == "gesture/s")
            return (try? Document.json(event.body)) ?? Node(.null)
        }
    }
}

private func place(_ event: Node?) -> [Double] {
    [event?["x"]?.double ?? .nan, event?["y"]?.double ?? .nan]
}

private let screen = InputDevice(
    name: "a screen", axes: [0x2F: 0...4, 0x35: 0...999, 0x36: 0...499], keys: [0x14A])
private let mouse = InputDevice(
    name: "a mouse", relative: [0, 1, 0x08, 0x0B], keys: [0x110])

@Suite struct InputBridgeTests {
    @Test func aSlotLandsMovesAndLifts() {
        var bench = Bench(screen)
        let landed = bench.report([(3, 0x2F, 0), (3, 0x39, 5), (3, 0x35, 500), (3, 0x36, 250)])
        #expect(landed.count == 1 && landed.first?["phase"]?.string == "began")
        #expect(place(landed.first) == [50, 25])
        #expect(landed.first?["t"]?.double == bench.now.wall)
        #expect(place(bench.report([(3, 0x35, 600)]).first) == [60, 25])
        #expect(bench.report([(3, 0x39, -1)]).last?["phase"]?.string == "ended")
        #expect(bench.bridge.touches.isEmpty)
    }

    @Test func theLastUnitLiesWithinTheViewport() {
        var bench = Bench(screen)
        let landed = bench.report([(3, 0x2F, 0), (3, 0x39, 5), (3, 0x35, 999), (3, 0x36, 499)])
        #expect(place(landed.first).allSatisfy { $0 < 100 } && place(landed.first)[1] < 50)
    }

    @Test func aTurnedPanelTurnsTouchesButNoMouse() {
        var map = TouchMap()
        map.turns = 2
        var bench = Bench(screen, panel: map)
        let landed = bench.report([(3, 0x2F, 0), (3, 0x39, 5), (3, 0x35, 100), (3, 0x36, 100)])
        #expect(place(landed.first) == [90, 40])
        var other = Bench(mouse, panel: map)
        _ = other.report([(2, 0, 10)])
        #expect(place(other.report([(1, 0x110, 1)]).first) == [60, 25])
    }

    @Test func palmsAndHoveringFingersTouchNothing() {
        var bench = Bench(screen)
        let palm = bench.report(
            [(3, 0x2F, 0), (3, 0x39, 5), (3, 0x37, 2), (3, 0x35, 500), (3, 0x36, 250)])
        let above = bench.report(
            [(3, 0x2F, 1), (3, 0x39, 6), (3, 0x3B, 4), (3, 0x35, 100), (3, 0x36, 50)])
        #expect(palm.isEmpty && above.isEmpty)
        #expect(bench.report([(3, 0x3B, 0)]).map { $0["phase"]?.string } == ["began"])
        #expect(bench.report([(3, 0x37, 2)]).map { $0["phase"]?.string } == ["cancelled"])
        #expect(bench.report([(3, 0x35, 300)]).isEmpty)
        #expect(bench.bridge.counters[.palms] == 2)
    }

    /// A device without slots either ends each contact of a report, or has only one.
    @Test func aDeviceWithoutSlotsShowsItsProtocol() {
        let plain = InputDevice(
            name: "an old screen", axes: [0x35: 0...999, 0x36: 0...499], keys: [0x14A])
        var single = Bench(plain)
        #expect(single.report([(1, 0x14A, 1)]).isEmpty)
        #expect(place(single.report([(3, 0x35, 500), (3, 0x36, 250)]).first) == [50, 25])
        #expect(place(single.report([(3, 0x35, 600)]).first) == [60, 25])
        #expect(single.report([(1, 0x14A, 0)]).map { $0["phase"]?.string } == ["ended"])
        #expect(place(single.report([(1, 0x14A, 1)]).first) == [60, 25])
        var lists = Bench(plain)
        let landed = lists.report(
            [(3, 0x35, 500), (3, 0x36, 250), (0, 2, 0), (3, 0x35, 0), (3, 0x36, 0), (0, 2, 0)])
        #expect(landed.map { $0["phase"]?.string } == ["began", "began"])
        #expect(lists.report([(0, 2, 0)]).map { $0["phase"]?.string } == ["ended", "ended"])
    }

    @Test func aPenThatLeavesItsRangeLifts() {
        let pen = InputDevice(
            name: "a pen", axes: [0: 0...999, 1: 0...499], keys: [0x140, 0x14A])
        var bench = Bench(pen)
        #expect(bench.report([(1, 0x140, 1), (3, 0, 500), (3, 1, 250)]).isEmpty)
        #expect(bench.report([(1, 0x14A, 1)]).map { $0["phase"]?.string } == ["began"])
        #expect(bench.report([(1, 0x140, 0)]).map { $0["phase"]?.string } == ["ended"])
        #expect(bench.report([(1, 0x140, 1), (3, 0, 600)]).isEmpty)
        #expect(bench.bridge.counters[.ignored] == 0)
    }

    @Test func anUnpluggedDeviceLosesItsContacts() {
        var bench = Bench(screen)
        _ = bench.report([(3, 0x2F, 0), (3, 0x39, 5), (3, 0x35, 500), (3, 0x36, 250)])
        bench.bridge.unplug(0, at: bench.now)
        #expect(bench.takeEvents().map { $0["phase"]?.string } == ["cancelled"])
        #expect(bench.bridge.counters[.unplugged] == 1)
        // Its later events are nobody's.
        #expect(bench.report([(3, 0x35, 1)]).isEmpty)
    }

    @Test func aMouseStaysWithinTheViewport() {
        var bench = Bench(mouse)
        _ = bench.report([(2, 0, 1_000_000), (2, 1, -1_000_000)])
        #expect(place(bench.report([(1, 0x110, 1)]).first) == [99, 0])
        #expect(bench.report([(1, 0x110, 0)]).last?["phase"]?.string == "ended")
    }

    @Test func fineTurnsAreNotCountedTwice() {
        var bench = Bench(mouse)
        let turned = bench.report([(2, 0x0B, 120), (2, 0x08, 1)])
        #expect(turned.map { $0["dy"]?.double } == [-50])
        // Once it has sent fine turns its coarse ones tell nothing new.
        #expect(bench.report([(2, 0x08, 1)]).isEmpty)
        #expect(bench.report([(2, 0x0B, -30)]).map { $0["dy"]?.double } == [12.5])
    }

    @Test func aWheelBeyondAllMeasureIsMalformed() {
        var bench = Bench(mouse)
        #expect(bench.report([(2, 0x08, Int(Int32.max))]).isEmpty)
        #expect(bench.bridge.counters[.malformed] == 1)
    }

    @Test func aWheelWithoutASessionIsCounted() {
        var bench = Bench(mouse)
        bench.bridge.setViewport(nil, at: bench.now)
        #expect(bench.report([(2, 0x08, 1)]).isEmpty)
        #expect(bench.bridge.counters[.unplacedWheels] == 1)
    }

    @Test func aDeviceWithoutAnythingToTouchIsRefused() {
        var bench = Bench(mouse)
        let areKeys = bench.bridge.plug(InputDevice(name: "keys", keys: [30]), as: 1)
        // A joystick has axes, and no touch.
        let stick = InputDevice(name: "stick", axes: [0: -127...127, 1: -127...127])
        let isStick = bench.bridge.plug(stick, as: 1)
        #expect(!areKeys && !isStick)
    }

    @Test func aDevicesWildClockIsNotBelieved() {
        var bench = Bench(mouse)
        let reading = InputReading(microseconds: 0, type: 1, code: 0x110, value: 1)
        bench.now.steady += 3_600_000
        bench.bridge.read(reading, of: 0, at: bench.now)
        bench.bridge.read(
            InputReading(microseconds: 0, type: 0, code: 0, value: 0), of: 0, at: bench.now)
        #expect(bench.takeEvents().first?["t"]?.double == bench.now.wall)
    }
}
