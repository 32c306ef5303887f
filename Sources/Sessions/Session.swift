package import Geometry
import Gestures
package import Interactions
import Notation

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
    /// The scenes that it may become by their names.
    package var catalog: SceneCatalog

    /// The components, in the order of the scene.
    package internal(set) var machines: [any Machine]
    /// Each component's notes, which its state tells beside what it shows.
    var notes: [ComponentNotes]
    /// When each component moves by itself, so that nobody asks those at rest.
    var schedules: [Schedule]
    /// The raw contacts that are down, by component; empty at rest.
    var trackings: [ContactTracking] = []
    /// The contacts and gestures on the session's own topic.
    var routes = Routes()
    /// All contacts that are down, as updates tell them.
    var touches = TouchesTopic()
    /// The user whose contact's sample is being applied; nil: none is, or nobody knows.
    var user: String?
    /// The answer to the last event, beside its success.
    package internal(set) var answer = Answer.nothing
    /// Which components move, a bit for each by its place: a step reads no schedule for it.
    var moving: UInt32 = 0
    /// The first step at which any timer is due.
    var earliestTimer = Step.never
    package internal(set) var badges: BadgeLedger
    /// Whether counts may change. While they may not, what asks for it is refused, and a selection
    /// leaves the counts that it would clear.
    package var mayCount = true
    package internal(set) var clock = Step.zero
    /// Spreads the steps of sessions that nobody watches.
    let unwatchedPhase: Int
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
    var reacting: ReactionState
    /// Whether reactions that change the scene are left for ``makeChange()``, one after the other.
    package var leavesChanges = false
    var outgoing: Outgoing
    /// Whether its scene has texts that name values, and whether states tell any: mostly not, and
    /// nobody asks the scene.
    var hasTexts = false
    var tellsTexts = false
    /// Whether a subscription may wait for its answer: mostly none does, and nobody looks for it.
    var mayBeAsked = true

    /// The answer to an event, beside its success.
    package enum Answer: Hashable, Sendable {
        case nothing
        /// The hit of a gesture on the session's own topic; nil: it hit nothing. It is told by its
        /// names, for the gesture may have led to another scene.
        case hit(NamedHit?)
    }

    /// How a session begins.
    package enum Beginning: Sendable {
        /// In the first state of its scene; `version` is the last one that its counts may have had
        /// in a former life.
        case new(version: Int)
        /// As a stand-in for another one's state, which takes its place at once.
        case replaced(version: Int)
        /// At rest where a former life left off, with the ids that it applied.
        case restored(SavedSession, marks: [SeenIDs.Mark])

        /// The values that a scene's variables begin with.
        fileprivate func values(of variables: [Variable]) -> [VariableValue] {
            guard case .restored(let record, _) = self else { return variables.map(\.value) }
            return variables.map { variable in
                let saved = record.variables.first { $0.name == variable.name }?.value
                return saved?.kind == variable.value.kind ? saved ?? variable.value : variable.value
            }
        }
    }

    /// A session at its opening. `frameRate` is the configuration's, `key` that of the ids' hashes.
    package init(
        id: String, epoch: String, scene: Scene, opened: Instant, frameRate: Int,
        beginning: Beginning = .new(version: 0), key: UInt128 = 0,
        catalog: SceneCatalog = .none, mayCount: Bool = true
    ) {
        let rate = scene.frameRate ?? frameRate
        precondition(rate > 0 && Step.perSecond % rate == 0, "a frame rate of \(rate)")
        identity = SessionIdentity(id: id, epoch: epoch, scene: scene.name)
        self.scene = scene
        self.opened = opened
        frameSteps = Step.perSecond / rate
        self.frameRate = frameRate
        self.catalog = catalog
        machines = scene.components.indices.map {
            scene.components[$0].parameters.machine(
                viewport: scene.components[$0].placement.frame.size, tracker: scene.velocity)
        }
        unwatchedPhase = Int(StableHash(id).value % UInt64(Limits.unwatchedLookSteps))
        notes = machines.map { _ in ComponentNotes() }
        schedules = machines.map { _ in Schedule(isMoving: false, timer: .never) }
        effects = Effects(random: SplitMix64(seed: scene.seed ?? StableHash(id).value))
        outgoing = Outgoing(componentCount: scene.components.count)
        ids = KeyedHash(key: key)
        reacting = ReactionState(scene, at: .zero)
        self.mayCount = mayCount
        var former: [SavedSession.Component] = []
        switch beginning {
        case .new(let version), .replaced(let version):
            badges = BadgeLedger(after: version)
            outgoing.events.append(.opened)
        case .restored(let record, let marks):
            badges = BadgeLedger(record.counts, after: record.version)
            seen = SeenIDs(total: record.seenTotal, marks: marks)
            revision = record.revision
            effects.random = SplitMix64(seed: record.seed)
            former = record.components
            outgoing.events.append(.restored)
            if badges.total > 0 { outgoing.changeBadges(at: .zero) }
        }
        badges.begin(scene.variables, beginning.values(of: scene.variables))
        outgoing.begin(scene)
        takePhases()
        beginTexts()
        for index in machines.indices {
            // A scene that was changed meanwhile may have a component of another kind.
            let place = former.index(of: scene.components[index].id)
            let isRestored = place.map {
                machines[index].restore(
                    former[$0].state, counts: badges.counts, into: &effects)
            }
            if isRestored != true { machines[index].opened(at: .zero, into: &effects) }
            collectEffects(of: index)
        }
        if case .restored(let record, _) = beginning { takeRowsFloor(of: record) }
        takeRowsTopics()
        switch beginning {
        case .new: react(to: .opened)
        case .restored(let record, _):
            // The store has it as it came back.
            dirtyParts = []
            reacting.goOn(record.waits, in: scene)
            reactAnew(to: .restored)
        case .replaced: reacting = ReactionState(scene, at: .zero)
        }
    }

    package var id: String { identity.id }
    package var epoch: String { identity.epoch }

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
        // A refused event may have ended what another one began.
        defer { react() }
        let mark = event.id.map { ids($0) }
        if let mark, seen.contains(mark) { return .duplicate }
        switch event.payload {
        case .gesture(let component, let gesture):
            guard let component else {
                let time = SampleTime(claimed: event.time, received: received)
                noteUser(of: gesture, on: nil)
                defer { user = nil }
                let hit = try route(gesture, claimed: event.time, time: time)
                answer = .hit(named(hit))
                noteApplied(gesture, on: nil, by: event.publisher)
                break
            }
            let index = try scene.components.index(of: component)
            try perform(
                Sample(
                    component: index, gesture, time: event.time, publisher: event.publisher),
                received: received)
        case .command(let component, let command):
            try apply(command, to: component)
        case .notification(let kind, let change, let data):
            try notify(kind, change, data)
        case .assign(let values): try assign(values)
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

    /// Applies a sample at the clock's step; a refused one changes nothing that is shown.
    mutating func apply(_ sample: Sample, received: Double) throws(Rejection) {
        answer = .nothing
        defer { react() }
        try perform(sample, received: received)
    }

    private mutating func perform(_ sample: Sample, received: Double) throws(Rejection) {
        let time = SampleTime(claimed: sample.time, received: received)
        noteUser(of: sample.gesture, on: sample.component)
        defer { user = nil }
        try apply(sample.gesture, on: sample.component, time: time)
        notes[sample.component].note(input: sample.time)
        noteApplied(sample.gesture, on: sample.component, by: sample.publisher)
    }

    /// Applies a gesture in the component's own coordinates.
    mutating func apply(_ gesture: Gesture, on index: Int, time: SampleTime) throws(Rejection) {
        var schedule: Schedule?
        if case .pointer(let pointer) = gesture {
            // Mostly it is the usual one, and this spares a copy of the session.
            let isUsual =
                pointer.phase != .began && scene.components[index].placement.holder == nil
            let setting = isUsual ? ContactSetting() : self.setting(of: pointer, on: index)
            _ = try receive(pointer, on: index, time: time, setting)
        } else {
            // Mostly no contact is down, and this spares copies of the session.
            let mayMeet = !trackings.isEmpty
            if mayMeet { try judge(gesture, on: index) }
            if scene.components[index].placement.holder == nil {
                schedule = try machines[index].gesture(
                    gesture, time: time, at: motion, into: &effects)
            } else {
                schedule = try machines[index].gesture(
                    measured(gesture, on: index), time: time, at: motion, into: &effects)
            }
            if gesture.phase?.goesOn != true { markDirty(index) }
            if mayMeet { muteContacts(after: gesture, on: index) }
        }
        collectEffects(of: index, schedule)
        fireTimers()
    }

    mutating func apply(_ command: ComponentCommand, to component: String) throws(Rejection) {
        if component == Self.badgesComponent {
            return try applyToBadges(command)
        }
        let index = try self.index(of: component)
        for argument in command.arguments where argument.value.depth > Limits.argumentDepthMax {
            throw .tooDeep(argument.name)
        }
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
    ///
    /// `schedule` is the component's own, where it is known.
    mutating func collectEffects(of index: Int, _ schedule: Schedule? = nil) {
        if effects.keepsSchedule {
            effects.keepsSchedule = false
        } else {
            reschedule(index, schedule ?? machines[index].schedule)
        }
        used.insert(.component(index))
        if !effects.transitions.isEmpty {
            for transition in effects.transitions {
                // Meetings on the way do not change where everything will rest.
                if transition.meeting == nil { markDirty(index) }
                if notes[index].note(transition, at: clock) {
                    outgoing.changeState(index, urgently: false)
                }
                noteReactions(to: transition, of: index)
                outgoing.transitions.append(
                    Outgoing.DatedTransition(component: index, transition: transition, step: clock))
            }
            effects.transitions.removeAll()
        }
        notePhase(of: index)
        if effects.needsPublish {
            outgoing.changeState(index, urgently: !reacting.isInStep)
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
