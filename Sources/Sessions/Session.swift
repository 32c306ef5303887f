package import Geometry
import Gestures
package import Interactions
package import Notation

/// One user's surface: its components, its counts, and what of them was published.
///
/// The room `Sessions` turns events into updates. An event comes by `receive` (Events), which
/// suppresses the rest of refused contacts (Contacts) and applies it to a component's machine or to
/// the counts (Badges); `advance` moves everything to a step; `flush` and `renderFrame` hand what
/// changed to a sink (Updates). Table has the rules for many sessions, Persistence what outlives
/// the process. A session is a value: it decides what is published when, and performs nothing. Its
/// *clock* counts every step since the opening; its *motion* stands still for steps that are
/// jumped over after a stall. Goldens hold the order of all this to the bit.
package struct Session: Sendable {
    package internal(set) var identity: SessionIdentity
    package internal(set) var scene: Scene
    /// 1 at the opening; grows by 1 with each change of the scene.
    package internal(set) var revision = 1
    /// The wall clock at step 0.
    package let opened: Instant
    /// Steps between two frames: 4, 2 or 1.
    package internal(set) var frameSteps: Int
    /// The frame rate of scenes that give none.
    let frameRate: Int

    /// The components, in the order of the scene.
    package internal(set) var machines: [any Machine]
    /// Each component's notes, which its state tells beside what it shows.
    var notes: [ComponentNotes]
    /// When each component moves by itself, so that nobody asks those at rest.
    private var schedules: [Schedule]
    /// The raw contacts that are down, by component; empty at rest.
    var trackings: [ContactTracking] = []
    /// The contacts and gestures on the session's own topic.
    var routes = Routes()
    /// The answer to the last event, beside its success.
    package private(set) var answer = Answer.nothing
    /// How many components move, and the first step at which any timer is due.
    private var movingCount = 0
    private var earliestTimer = Step.never
    package internal(set) var badges: BadgeLedger
    /// Whether counts may change. While they may not, what asks for it is refused, and a selection
    /// leaves the counts that it would clear.
    package var mayCount = true
    package internal(set) var clock = Step.zero
    /// Spreads the steps of sessions that nobody watches.
    private let unwatchedPhase: Int
    /// How far the motion lags behind the clock.
    var jumped = 0
    package internal(set) var seen = SeenIDs()
    let ids: KeyedHash
    /// Parts of the saved record that may have changed since `takeDirtyParts`.
    var dirtyParts = SavedParts.all
    /// Components that anything happened to since `takeUsed`.
    var used = SavedParts.all
    var effects: Effects
    var refused = RefusedContacts()
    var outgoing: Outgoing

    /// The answer to an event, beside its success.
    package enum Answer: Hashable, Sendable {
        case nothing
        /// The hit of a gesture on the session's own topic; nil: it hit nothing.
        case hit(Hit?)
    }

    /// How a session begins.
    package enum Beginning: Sendable {
        /// In the first state of its scene; `version` is the last one that its counts may have had
        /// in a former life.
        case new(version: Int)
        /// At rest where a former life left off, with the ids that it applied.
        case restored(SavedSession, marks: [SeenIDs.Mark])
    }

    /// A session at its opening. `frameRate` is the configuration's, `key` that of the ids' hashes.
    package init(
        id: String, epoch: String, scene: Scene, opened: Instant, frameRate: Int,
        beginning: Beginning = .new(version: 0), key: UInt128 = 0
    ) {
        let rate = scene.frameRate ?? frameRate
        precondition(rate > 0 && Step.perSecond % rate == 0, "a frame rate of \(rate)")
        identity = SessionIdentity(id: id, epoch: epoch, scene: scene.name)
        self.scene = scene
        self.opened = opened
        frameSteps = Step.perSecond / rate
        self.frameRate = frameRate
        machines = scene.components.map {
            $0.parameters.machine(viewport: $0.placement.frame.size, tracker: scene.velocity)
        }
        unwatchedPhase = Int(StableHash(id).value % UInt64(Limits.unwatchedLookSteps))
        notes = machines.map { _ in ComponentNotes() }
        schedules = machines.map { _ in Schedule(isMoving: false, timer: .never) }
        effects = Effects(random: SplitMix64(seed: scene.seed ?? StableHash(id).value))
        outgoing = Outgoing(componentCount: scene.components.count)
        ids = KeyedHash(key: key)
        var former: [String: SavedState] = [:]
        switch beginning {
        case .new(let version):
            badges = BadgeLedger(after: version)
            outgoing.events.append(.opened)
        case .restored(let record, let marks):
            badges = BadgeLedger(record.counts, after: record.version)
            seen = SeenIDs(total: record.seenTotal, marks: marks)
            revision = record.revision
            effects.random = SplitMix64(seed: record.seed)
            former = Dictionary(
                record.components.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first }
            )
            outgoing.events.append(.restored)
            if badges.total > 0 { outgoing.changeBadges(at: .zero) }
        }
        for index in machines.indices {
            // A scene that was changed meanwhile may have a component of another kind.
            let state = former[scene.components[index].id]
            let isRestored = state.map {
                machines[index].restore($0, counts: badges.counts, into: &effects)
            }
            if isRestored != true { machines[index].opened(at: .zero, into: &effects) }
            collectEffects(of: index)
        }
    }

    /// The step at which the components are.
    var motion: Step { Step(clock.count - jumped) }

    /// The instant that the session shows now.
    package var instant: Instant { opened + clock }

    // MARK: Time

    package var id: String { identity.id }
    package var epoch: String { identity.epoch }

    /// Whether anything changes with the next step.
    package var isMoving: Bool { movingCount > 0 }

    /// Notes when a component moves by itself, after anything that may change that.
    mutating func reschedule(_ index: Int) {
        var schedule = machines[index].schedule
        // Mostly there is no contact, and this spares a copy of the session.
        if !trackings.isEmpty, let tracking = tracking(on: index) {
            schedule.timer = min(schedule.timer, trackings[tracking].arena.nextTimer)
        }
        let former = schedules[index]
        guard schedule != former else { return }
        schedules[index] = schedule
        if schedule.isMoving != former.isMoving { movingCount += schedule.isMoving ? 1 : -1 }
        guard schedule.timer != former.timer else { return }
        earliestTimer = schedules.reduce(.never) { min($0, $1.timer) }
    }

    /// Forgets when components move, for they are others now.
    mutating func forgetSchedules() {
        schedules = machines.map { _ in Schedule(isMoving: false, timer: .never) }
        (movingCount, earliestTimer) = (0, .never)
    }

    /// The next step of the clock at which this session is due; nil: never.
    ///
    /// A session that moves is due at each frame, and less often if nobody watches: it makes up the
    /// steps between on the way.
    package func nextWake(interest: Channels) -> Step? {
        var next: Step?
        if isMoving && interest.isDisjoint(with: [.state, .transition, .frame]) {
            let stride = Limits.unwatchedLookSteps
            next = clock + (stride - (clock.count + unwatchedPhase) % stride)
        } else if isMoving || outgoing.hasChanges(for: interest) {
            next = clock + (frameSteps - clock.count % frameSteps)
        }
        if earliestTimer != .never {
            let step = max(earliestTimer + jumped, clock + 1)
            next = min(next ?? step, step)
        }
        if let answer = outgoing.nextAnswer {
            let step = max(answer, clock + 1)
            next = min(next ?? step, step)
        }
        return next
    }

    /// Brings the session to a step of its clock; returns how many steps it jumped over.
    ///
    /// It makes up motion of at most `Limits.stepsMadeUpMax` steps; rest costs nothing.
    @discardableResult
    package mutating func advance(to target: Step) -> Int {
        var budget = Limits.stepsMadeUpMax
        while clock < target {
            if isMoving {
                guard budget > 0 else {
                    let rest = target - clock
                    jumped += rest
                    clock = target
                    return rest
                }
                budget -= 1
                step()
                continue
            }
            // At rest only timers count, so the clock runs straight to the next of them.
            clock =
                earliestTimer == .never
                ? target : min(target, max(earliestTimer + jumped, clock + 1))
            fireTimers()
        }
        return 0
    }

    /// Jumps over the steps to a target that it would not make up, and moves no further; returns
    /// how many they are. So whoever makes steps up one after the other makes those of `advance`.
    package mutating func jump(toReach target: Step) -> Int {
        let rest = target - clock - Limits.stepsMadeUpMax
        guard isMoving, rest > 0 else { return 0 }
        jumped += rest
        clock = clock + rest
        return rest
    }

    /// One step: physics to it, then its timers.
    private mutating func step() {
        clock = clock + 1
        let now = motion
        for index in schedules.indices where schedules[index].isMoving {
            if machines[index].advance(to: now, into: &effects) {
                outgoing.changeState(index, urgently: false)
            }
            collectEffects(of: index)
        }
        fireTimers()
    }

    mutating func fireTimers() {
        let now = motion
        while earliestTimer <= now {
            for index in schedules.indices where schedules[index].timer <= now {
                // Contacts come first: what their loss ends has no timer any more.
                if fireContacts(on: index, at: now) { continue }
                machines[index].fire(at: now, into: &effects)
                markDirty(index)  // Silence may have ended what an event began.
                // A timer's change is motion: it is shown with the next frame.
                effects.needsPublish = false
                outgoing.changeState(index, urgently: false)
                collectEffects(of: index)
            }
        }
    }

    // MARK: Events

    /// The result of an event that was not refused.
    package enum Outcome: Equatable, Sendable {
        case applied
        /// Its id was applied before; nothing changed.
        case duplicate
    }

    /// Applies an event at the clock's step; a refused one changes nothing that is shown.
    ///
    /// `received` is the time of receipt in milliseconds since the Unix epoch. `open` and `close`
    /// are decided by the session table.
    package mutating func apply(_ event: Event, received: Double) throws(Rejection) -> Outcome {
        answer = .nothing
        let mark = event.id.map { ids($0) }
        if let mark, seen.contains(mark) { return .duplicate }
        switch event.payload {
        case .gesture(let component, let gesture):
            let time = SampleTime(claimed: event.time, received: received)
            guard let component else {
                answer = .hit(try route(gesture, claimed: event.time, time: time))
                break
            }
            let index = try scene.components.index(of: component)
            try apply(gesture, on: index, time: time)
            notes[index].note(input: event.time)
        case .command(let component, let command):
            try apply(command, to: component)
        case .notification(let kind, let change):
            try notify(kind, change)
        case .change(let change): try apply(change)
        case .replace(let reference): try apply(.update(reference))
        case .open, .close: break
        }
        if let mark {
            seen.insert(mark)
            dirtyParts.insert(.own)
        }
        return .applied
    }

    /// Applies a gesture in the component's own coordinates.
    mutating func apply(_ gesture: Gesture, on index: Int, time: SampleTime) throws(Rejection) {
        if case .pointer(let pointer) = gesture {
            _ = try receive(pointer, on: index, time: time)
        } else {
            try judge(gesture, on: index)
            try machines[index].gesture(gesture, time: time, at: motion, into: &effects)
            if gesture.phase?.goesOn != true { markDirty(index) }
            muteContacts(after: gesture, on: index)
        }
        collectEffects(of: index)
        fireTimers()
    }

    private mutating func apply(_ command: ComponentCommand, to component: String) throws(Rejection)
    {
        if component == Self.badgesComponent {
            guard command.name == "clear" else {
                throw Rejection(
                    .unknownCommand, "badges know no command \"\(command.name)\"")
            }
            let kind = try command.read { (table) throws(TableError) in try table.name("kind") }
            guard mayCount else { throw Self.mayNotCount }
            clear(kind.map { [$0] })
            return
        }
        let index = try self.index(of: component)
        leaveRoom(for: index)
        try machines[index].command(command, at: motion, into: &effects)
        markDirty(index)
        collectEffects(of: index)
        fireTimers()
    }

    /// Tells a component what the others leave of the session's bounds.
    mutating func leaveRoom(for index: Int) {
        guard machines.count > 1 else { return }
        effects.room = .sessionMax
        for other in machines.indices where other != index {
            effects.room = effects.room - machines[other].bulk
        }
    }

    /// The reserved component that stands for the session's counts.
    package static let badgesComponent = "badges"

    static let mayNotCount = Rejection(
        .internal, "nothing is counted before the store can be written")

    package func index(of component: String) throws(Rejection) -> Int {
        try scene.components.index(of: component)
    }

    /// Takes over a component's effects: transitions, changes of its state, counts to clear.
    mutating func collectEffects(of index: Int) {
        reschedule(index)
        used.insert(.component(index))
        if !effects.transitions.isEmpty {
            for transition in effects.transitions {
                // Meetings on the way do not change where everything will rest.
                if transition.meeting == nil { markDirty(index) }
                if notes[index].note(transition, at: clock) {
                    outgoing.changeState(index, urgently: false)
                }
                outgoing.transitions.append(
                    Outgoing.Passage(component: index, transition: transition, step: clock))
            }
            effects.transitions.removeAll()
        }
        if effects.needsPublish {
            outgoing.changeState(index, urgently: true)
            effects.needsPublish = false
        }
        guard !effects.clearedKinds.isEmpty else { return }
        let kinds = effects.clearedKinds
        effects.clearedKinds = []
        if mayCount { clear(kinds) }
    }

    /// Ends the session with its last update; only a flush may follow.
    package mutating func end(_ event: SessionEvent) {
        outgoing.events.append(event)
        outgoing.isOver = true
    }
}

extension Limits {
    /// Steps that are made up after a stall: a quarter of a second, then time is jumped over.
    package static let stepsMadeUpMax = 30
    /// Steps between two looks at a session that moves while nobody watches: 67 ms.
    package static let unwatchedLookSteps = 8
}
