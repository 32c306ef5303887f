import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// One session that stands a storm, and what it shows on the way.
private struct Run {
    /// An event of a sort that met a component in a phase.
    struct Meeting: Hashable {
        var component: String
        var phase: String
        var sort: Storm.Sort
    }

    /// Steps after the last event by which everything rests: 10 s.
    static let restSteps = 10 * Step.perSecond

    private(set) var session: Session
    private(set) var faults: [String] = []
    private(set) var digest = Digest()
    private let isDigested: Bool
    private(set) var meetings: Set<Meeting>
    fileprivate var storm: Storm
    private var sink = CheckingSink()

    /// `meetings` are those that need not be sought any more. A digest is taken only where it is
    /// asked for, because it costs as much as the events.
    init(seed: UInt64, meetings: Set<Meeting> = [], isDigested: Bool = false) {
        storm = Storm(seed: seed)
        self.isDigested = isDigested
        self.meetings = meetings
        let rate = [30, 60, 120][Int(seed % 3)]
        session = Session(
            id: "alice", epoch: "e.1", scene: .phone(frameRate: rate, seed: seed),
            opened: Theater.opened, frameRate: 60)
        flush()
    }

    /// Everything that a refused event must leave as it was, to the bit.
    private var state: [AnyHashable] {
        session.machines.map { AnyHashable($0) } + [AnyHashable(session.badges)]
    }

    private mutating func flush() {
        session.flush(to: .all, inFrame: session.isInFrame, into: &sink)
    }

    mutating func play(events: Int) {
        for _ in 0..<events {
            apply(next())
            for _ in 0..<storm.pause() {
                session.advance(to: session.clock + 1)
                flush()
            }
        }
        rest()
        for (component, machine) in zip(session.scene.components, session.machines) {
            faults += Invariants(component.id, machine).faults
        }
        faults += sink.faults
        if sink.last["state/tips"] == nil { faults.append("nothing was told") }
    }

    /// Every third event is one that nobody met in its phase yet.
    private mutating func next() -> Event.Payload {
        guard storm.isOnceIn(3) else { return storm.payload() }
        var missing: [(component: String, sort: Storm.Sort)] = []
        for (component, machine) in zip(Storm.components, session.machines) {
            for sort in Storm.Sort.allCases {
                let meeting = Meeting(component: component, phase: machine.phase, sort: sort)
                if !meetings.contains(meeting) { missing.append((component, sort)) }
            }
        }
        guard !missing.isEmpty else { return storm.payload() }
        let (component, sort) = storm.pick(missing)
        return storm.payload(sort, on: component)
    }

    private mutating func apply(_ payload: Event.Payload) {
        note(payload)
        let event = Event(payload, id: storm.id())
        let before = state
        let received = Double(session.instant.nanoseconds) / 1e6
        let reception = session.receive(event, received: received)
        if reception != .applied && state != before {
            faults.append("\(event) was \(reception), and yet something changed")
        }
        takeDigest()
        if !storm.isOnceIn(3) { flush() }
    }

    private mutating func takeDigest() {
        guard isDigested else { return }
        for machine in session.machines { digest.combine(machine) }
    }

    private mutating func note(_ payload: Event.Payload) {
        let (component, sort): (String?, Storm.Sort)
        switch payload {
        case .gesture(let name, let gesture): (component, sort) = (name, Storm.Sort(gesture))
        case .command(let name, _): (component, sort) = (name, .command)
        case .notification, .assign, .change, .open, .replace, .close: return
        }
        guard let component, let index = Storm.components.firstIndex(of: component) else { return }
        let phase = session.machines[index].phase
        meetings.insert(Meeting(component: component, phase: phase, sort: sort))
    }

    /// Lets time pass as a daemon does, until nothing is left to do.
    private mutating func rest() {
        flush()
        let last = session.clock
        while let wake = session.nextWake(interest: .all) {
            guard wake - last <= Self.restSteps else {
                faults.append("never rests: \(session.machines.map(\.phase))")
                return
            }
            session.advance(to: wake)
            flush()
        }
        takeDigest()
    }
}

extension Storm.Sort {
    fileprivate init(_ gesture: Gesture) {
        switch gesture {
        case .pan: self = .pan
        case .swipe: self = .swipe
        case .tap: self = .tap
        case .scroll: self = .scroll
        case .wheel: self = .wheel
        case .pointer: self = .pointer
        case .longpress: self = .longpress
        case .pinch: self = .pinch
        case .rotation: self = .rotation
        case .token: preconditionFailure("a storm of fingers puts no tokens")
        }
    }
}

@Suite struct StormTests {
    private static let chunk = 360 as UInt64

    /// In 2,880 sessions numbers stay finite, nothing is skipped, and everything comes to rest;
    /// every sort of event meets every component in every phase.
    @Test func sessionsWithstandAnyEvents() async {
        let meetings = await withTaskGroup(of: Set<Run.Meeting>.self) { group in
            for first in 0..<8 as Range<UInt64> {
                group.addTask { standing(first * Self.chunk..<(first + 1) * Self.chunk) }
            }
            return await group.reduce(into: Set<Run.Meeting>()) { $0.formUnion($1) }
        }
        var missing: [Run.Meeting] = []
        for (component, phases) in Self.phases {
            for phase in phases {
                missing += Storm.Sort.allCases.map {
                    Run.Meeting(component: component, phase: phase, sort: $0)
                }
            }
        }
        let all = Set(missing)
        missing.removeAll { meetings.contains($0) }
        #expect(missing.isEmpty, "\(missing.count) did not occur, as \(missing.prefix(9))")
        #expect(meetings.isSubset(of: all), "\(meetings.subtracting(all))")
    }

    private static let phases: [(String, Set<String>)] = [
        (
            "tips",
            [
                "dismissed", "presenting", "entering", "resting", "dragging", "returning",
                "leaving", "dismissing",
            ]
        ),
        ("toss", ["resting", "dragging", "thrown", "returning"]),
        ("navigation", ["resting", "transitioning"]),
        ("profile", ["pulled", "expanded", "collapsed", "titled"]),
        ("list", ["closed", "opening", "open", "closing"]),
        ("reader", ["resting", "dragging", "returning", "paging"]),
        ("tabs", ["resting", "moving"]),
    ]

    /// Runs storms of some seeds, and says what met what.
    private func standing(_ seeds: Range<UInt64>) -> Set<Run.Meeting> {
        var meetings: Set<Run.Meeting> = []
        for seed in seeds {
            var run = Run(seed: seed, meetings: meetings)
            run.storm.velocityOnceIn = 2
            run.play(events: 24)
            #expect(run.faults.isEmpty, "seed \(seed): \(run.faults.prefix(3))")
            meetings = run.meetings
        }
        return meetings
    }

    /// The same seed gives the same bits, twice and in every build.
    @Test func everyStormKeepsItsBits() throws {
        var digests = ""
        for seed in 0..<48 as Range<UInt64> {
            var run = Run(seed: seed, isDigested: true)
            var again = Run(seed: seed, isDigested: true)
            run.play(events: 40)
            again.play(events: 40)
            #expect(run.digest.text == again.digest.text, "seed \(seed)")
            digests += "\(seed) \(run.digest.text)\n"
        }
        try expectGolden(digests, named: "storms.txt")
    }

    /// The same events at the same steps give the same bits, whoever listens.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func listeningChangesNothing(seed: UInt64) {
        func open() -> Session {
            Session(
                id: "alice", epoch: "e.1", scene: .phone(frameRate: 60, seed: seed),
                opened: Theater.opened, frameRate: 60)
        }
        var sessions = [open(), open()]
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
            let states = sessions.map { $0.machines.map { AnyHashable($0) } }
            #expect(states[0] == states[1], "seed \(seed)")
            #expect(sessions[0].badges == sessions[1].badges, "seed \(seed)")
        }
    }
}
