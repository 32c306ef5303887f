import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// Checks each update as it comes: its number follows, its views are numbers.
private struct CheckingSink: UpdateSink {
    private(set) var last: [String: Stamp] = [:]
    private(set) var faults: [String] = []
    let isFull = false

    private mutating func check(_ topic: String, _ stamp: Stamp) {
        if let former = last[topic] {
            if stamp.seq != former.seq + 1 { faults.append("\(topic): \(former) then \(stamp)") }
            if stamp.instant < former.instant { faults.append("\(topic) runs back") }
        } else if stamp.seq != 1 {
            faults.append("\(topic) begins with \(stamp)")
        }
        last[topic] = stamp
    }

    mutating func session(
        _ life: SessionLife, _ event: SessionEvent, _ stamp: Stamp
    ) { check("session", stamp) }

    mutating func transition(
        _ life: SessionLife, component: String, _ transition: Transition, _ stamp: Stamp
    ) { check("transition/\(component)", stamp) }

    mutating func badge(_ life: SessionLife, _ badges: BadgeLedger, _ stamp: Stamp) {
        check("badge", stamp)
    }

    mutating func state(
        _ life: SessionLife, component: String, _ machine: any Machine,
        recognizer: GestureKind?, _ stamp: Stamp
    ) {
        check("state/\(component)", stamp)
        var views = ViewCheck()
        machine.model(into: &views)
        machine.views(into: &views)
        if let fault = views.fault { faults.append(fault) }
    }

    mutating func rejected(
        _ life: SessionLife, _ report: RejectionReport, _ stamp: Stamp
    ) { check("rejected", stamp) }
}

/// Whether every number is one, alpha within 0…1, sizes above 0.
private struct ViewCheck: StateSink {
    var fault: String?

    mutating func field(_ name: String, _ value: Int) {}
    mutating func field(_ name: String, _ value: Bool) {}
    mutating func field(_ name: String, _ value: String?) {}
    mutating func field(_ name: String, points: Double) {
        if !points.isFinite { fault = "\(name) is \(points)" }
    }
    mutating func field(_ name: String, _ values: [Int]) {}
    mutating func field(_ name: String, _ values: [String]) {}
    mutating func field(_ name: String, frame: Rect) {}
    mutating func open(_ name: String) {}
    mutating func close() {}
    mutating func null(_ name: String) {}
    mutating func view(_ name: String, number: Int, _ state: ViewState) { view(name, state) }
    mutating func view(_ name: String, _ state: ViewState) {
        let isSound =
            state.center.isFinite && state.rotation.isFinite && state.scale.isFinite
            && state.scale > 0 && state.alpha >= 0 && state.alpha <= 1
            && state.center.length < 1e8
        if !isSound { fault = "\(name) is \(state)" }
    }
}

@Suite struct StormTests {
    private func open(_ seed: UInt64) -> Session {
        let rate = [30, 60, 120][Int(seed % 3)]
        return Session(
            id: "alice", epoch: "e.1", scene: .phone(frameRate: rate, seed: seed),
            opened: Theater.opened, frameRate: 60)
    }

    /// Everything that a refused event must leave as it was, to the bit.
    private func state(_ session: Session) -> [AnyHashable] {
        session.machines.map { AnyHashable($0) } + [AnyHashable(session.badges)]
    }

    /// 240 sessions: whatever comes, numbers are numbers, nothing is skipped, all comes to rest.
    @Test(arguments: 0..<240 as Range<UInt64>)
    func whateverComesASessionStandsIt(seed: UInt64) {
        var storm = Storm(seed: seed)
        var session = open(seed)
        var sink = CheckingSink()
        func flush() {
            session.flush(to: .all, inFrame: session.isInFrame, into: &sink)
        }
        func step(_ count: Int) {
            for _ in 0..<count {
                session.advance(to: session.clock + 1)
                flush()
            }
        }
        flush()
        for _ in 0..<60 {
            let event = Event(storm.payload(), id: storm.id())
            let before = state(session)
            let reception = session.receive(
                event, received: Double(session.instant.nanoseconds) / 1e6)
            if reception != .applied {
                #expect(state(session) == before, "seed \(seed): \(event) was \(reception)")
            }
            if storm.random.whole(in: 0...2) > 0 { flush() }
            step(storm.pause())
        }
        var steps = 0
        while session.isMoving || session.machines.contains(where: { $0.nextTimer != nil }),
            steps < 1_200
        {
            step(1)
            steps += 1
        }
        #expect(steps < 1_200, "seed \(seed) never rests: \(session.machines.map(\.phase))")
        // Contacts that nobody lifted are lost in silence; then nothing wakes the session.
        step(PointerArena.silenceSteps + 2)
        #expect(session.nextWake(interest: .all) == nil, "seed \(seed)")
        #expect(sink.faults.isEmpty, "seed \(seed): \(sink.faults.prefix(3))")
        #expect(sink.last["state/tips"] != nil)
    }

    /// The same events at the same steps give the same bits, whoever listens.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func listeningChangesNothing(seed: UInt64) {
        var sessions = [open(seed), open(seed)]
        var storm = Storm(seed: seed)
        for _ in 0..<40 {
            let event = Event(storm.payload(), id: storm.id())
            let pause = storm.pause()
            for index in 0...1 {
                var sink = CheckingSink()
                _ = sessions[index].receive(event, received: 0)
                for _ in 0..<pause {
                    sessions[index].advance(to: sessions[index].clock + 1)
                    if index == 0 { sessions[0].flush(to: .all, inFrame: true, into: &sink) }
                }
            }
            #expect(state(sessions[0]) == state(sessions[1]), "seed \(seed)")
        }
    }
}
