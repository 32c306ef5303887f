import Geometry
import Interactions
import Notation

/// The reactions of a session that are to be performed, now or later. All of it is empty in a
/// scene without reactions, where nothing asks for more than a bit.
struct ReactionState: Sendable {
    /// A command that a reaction gave to its component.
    private struct Given: Hashable, Sendable {
        var reaction: Int
        var component: Int
        var command: ComponentCommand
    }

    /// The components whose transitions or phases any reaction waits for, as bits.
    private(set) var watchedTransitions: UInt32 = 0
    private(set) var watchedPhases: UInt32 = 0
    /// Whether any reaction changes the scene; and whether that takes so long that changes may be
    /// left. Nobody knows how long another scene takes.
    private(set) var changesScene = false
    private(set) var areChangesLong = false
    /// The phase in which each component was seen last; empty where no phase is watched.
    var phases: [String] = []
    /// The reactions to the present event or step, performed after it; empty between two.
    private(set) var pending: [Due] = []
    private(set) var waits: [Wait] = []
    /// The causes that time alone brings, each with its next step.
    private(set) var timers: [Timer] = []
    /// The first step at which a wait ends or a timer is due.
    private(set) var earliestWait = Step.never
    /// Whether any reaction waits for a session that nobody touches.
    private(set) var heedsTouches = false
    /// The clock's step at which the last timer was due; nil: none was.
    private(set) var lastTimerEnd: Step?
    /// How often waits began or ended.
    private(set) var waitChanges = 0
    /// The commands of reactions that their components have taken and are still busy with.
    private var underWay: [Given] = []
    /// The components that show texts whose values have changed, as bits, until nothing more
    /// follows from the change.
    var dueTexts: UInt32 = 0
    /// The chain that is left for later, because its next action changes the scene.
    var left = Left.nothing
    /// Whether a step is made, whose changes are shown with the next frame.
    var isInStep = false
    /// Actions that were refused, and chains that were stopped, since somebody asked.
    var refusedCount = 0
    var stoppedCount = 0

    init() {}

    init(_ scene: Scene, at now: Step) {
        for (index, reaction) in scene.reactions.enumerated() {
            if reaction.actions.contains(where: \.deed.isChange) { changesScene = true }
            for (place, cause) in reaction.causes.enumerated() {
                switch cause {
                case .transition(let cause): watchedTransitions |= 1 << UInt32(cause.component)
                case .phase(let component, _): watchedPhases |= 1 << UInt32(component)
                case .idle(let seconds), .every(let seconds):
                    if case .idle = cause { heedsTouches = true }
                    timers.append(
                        Timer(reaction: index, cause: place, due: now.after(seconds: seconds)))
                case .notification, .badge, .session, .variable: break
                }
            }
        }
        let isLong = (scene.text?.utf8.count ?? 0) > Limits.shortSceneBytesMax
        areChangesLong = changesScene && (isLong || !scene.scenesToBecome.isEmpty)
        noteEarliest()
    }

    func watchesTransitions(of component: Int) -> Bool {
        watchedTransitions & (1 << UInt32(component)) != 0
    }

    func watchesPhases(of component: Int) -> Bool {
        watchedPhases & (1 << UInt32(component)) != 0
    }

    // MARK: What is due

    /// One more than there is room for tells that there are too many.
    mutating func add(_ due: Due) {
        if pending.count <= Limits.reactionsPendingMax { pending.append(due) }
    }

    /// Gives a chain the pending ones, in the order of the scene, and of what happened where one
    /// reaction is to be performed more than once.
    mutating func givePending(to chain: inout Chain) {
        let excess = pending.count > Limits.reactionsPendingMax ? pending.removeLast() : nil
        let places = pending.indices.sorted {
            (pending[$0].reaction, $0) < (pending[$1].reaction, $1)
        }
        chain.take(places.map { pending[$0] }, excess: excess)
        pending.removeAll(keepingCapacity: true)
    }

    mutating func dropPending() { pending.removeAll(keepingCapacity: true) }

    // MARK: Commands under way

    /// A component has taken a command of a reaction, and moves because of it.
    mutating func begin(_ command: ComponentCommand, of reaction: Int, on component: Int) {
        let given = Given(reaction: reaction, component: component, command: command)
        guard !underWay.contains(given) else { return }
        if underWay.count >= Limits.reactionsMax { underWay.removeFirst() }
        underWay.append(given)
    }

    /// Whether a component is still busy with such a command of the reaction itself.
    func isUnderWay(_ command: ComponentCommand, of reaction: Int, on component: Int) -> Bool {
        underWay.contains(Given(reaction: reaction, component: component, command: command))
    }

    /// A component has come to rest.
    mutating func endCommands(on component: Int) {
        if !underWay.isEmpty { underWay.removeAll { $0.component == component } }
    }

    // MARK: Time

    /// Lets an action wait, anew if it waits already.
    mutating func wait(_ wait: Wait) {
        waits.removeAll { $0.reaction == wait.reaction && $0.action == wait.action }
        waits.append(wait)
        waitChanges += 1
        noteEarliest()
    }

    /// Bytes of what notifications brought, in the waits, with one more wait.
    func dataBytes(with wait: Wait) -> Int {
        waits.reduce(wait.dataBytes) { sum, other in
            let isReplaced = other.reaction == wait.reaction && other.action == wait.action
            return sum + (isReplaced ? 0 : other.dataBytes)
        }
    }

    /// Makes what has waited until `now` pending, and what time alone brings. `clock` is the
    /// session's own step.
    mutating func endWaits(at now: Step, clock: Step, in scene: Scene) {
        guard earliestWait <= now else { return }
        for wait in waits where wait.due <= now {
            add(
                Due(
                    reaction: wait.reaction, facts: wait.facts, hasWaited: true,
                    action: wait.action))
        }
        waits.removeAll { $0.due <= now }
        for place in timers.indices where timers[place].due <= now {
            let timer = timers[place]
            lastTimerEnd = clock
            add(Due(reaction: timer.reaction, facts: Facts()))
            switch scene.reactions[timer.reaction].causes[timer.cause] {
            // Later than `now`, also where steps were jumped over.
            case .every(let seconds):
                timers[place].due = max(timer.due, now).after(seconds: seconds)
            default: timers[place].due = .never
            }
        }
        waitChanges += 1
        noteEarliest()
    }

    /// Somebody touches the session: those that wait for nobody to do so begin anew.
    mutating func noteTouch(at now: Step, in scene: Scene) {
        for place in timers.indices {
            let timer = timers[place]
            guard case .idle(let seconds) = scene.reactions[timer.reaction].causes[timer.cause]
            else { continue }
            timers[place].due = now.after(seconds: seconds)
        }
        noteEarliest()
    }

    /// Ends the waits of the reactions of a name.
    mutating func cancel(_ name: String, in scene: Scene) {
        keepWaits { scene.reactions[$0.reaction].name != name }
    }

    mutating func keepWaits(_ isKept: (Wait) -> Bool) {
        waits.removeAll { !isKept($0) }
        waitChanges += 1
        noteEarliest()
    }

    /// Goes on with the waits of a former life, as far as the scene has their reactions and they
    /// could be of it: a record may be damaged. Steps count from the beginning of this one.
    mutating func goOn(_ saved: [SavedWait], in scene: Scene) {
        for one in saved {
            guard let index = scene.reactions.firstIndex(where: { $0.mark == one.reaction })
            else { continue }
            let reaction = scene.reactions[index]
            switch one.place {
            case .timer(let cause):
                guard one.steps != nil || reaction.mayRest(cause) else { continue }
                setTimer(of: index, cause, due: one.steps.map { Step($0) } ?? .never)
            case .actions(let action):
                guard let steps = one.steps, reaction.after(of: action) > 0 else { continue }
                let wait = Wait(
                    reaction: index, due: Step(steps), facts: one.facts, action: action)
                guard dataBytes(with: wait) <= Limits.reactionWaitDataBytesMax else { continue }
                self.wait(wait)
            }
        }
    }

    /// The waits and timers with what is left of them, for a later life.
    func saved(_ scene: Scene, at now: Step) -> [SavedWait] {
        let timers = timers.map { timer in
            let isSet = timer.due != .never
            return SavedWait(
                reaction: scene.reactions[timer.reaction].mark, place: .timer(timer.cause),
                steps: isSet ? max(1, timer.due - now) : nil, facts: Facts())
        }
        return timers
            + waits.map { wait in
                SavedWait(
                    reaction: scene.reactions[wait.reaction].mark, place: .actions(wait.action),
                    steps: max(1, wait.due - now), facts: wait.facts)
            }
    }

    /// Goes on with the waits and timers of an encoded session, which are sound.
    mutating func goOn(_ waits: [Wait], _ timers: [Timer]?) {
        self.waits = waits
        if let timers { self.timers = timers }
        noteEarliest()
    }

    private mutating func noteEarliest() {
        earliestWait = timers.reduce(waits.reduce(.never) { min($0, $1.due) }) { min($0, $1.due) }
    }

    // MARK: Another scene

    /// The same of a session whose scene became another one: a reaction that both have goes on
    /// waiting, and is still pending. Nothing is but where a reaction itself changed the scene.
    func carried(from former: Scene, to scene: Scene, at now: Step) -> ReactionState {
        var state = ReactionState(scene, at: now)
        (state.refusedCount, state.stoppedCount) = (refusedCount, stoppedCount)
        (state.isInStep, state.lastTimerEnd) = (isInStep, lastTimerEnd)
        let marks = scene.reactions.map(\.mark)
        state.pending = pending.moved(from: former.reactions, to: scene.reactions)
        for wait in waits {
            let mark = former.reactions[wait.reaction].mark
            guard let index = marks.firstIndex(of: mark) else { continue }
            var carried = wait
            carried.reaction = index
            state.wait(carried)
        }
        for timer in timers {
            let mark = former.reactions[timer.reaction].mark
            guard let index = marks.firstIndex(of: mark) else { continue }
            state.setTimer(of: index, timer.cause, due: timer.due)
        }
        return state
    }

    /// Gives a timer another step; nothing where the scene has no such timer.
    mutating func setTimer(of reaction: Int, _ cause: Int, due: Step) {
        for place in timers.indices
        where timers[place].reaction == reaction && timers[place].cause == cause {
            timers[place].due = due
        }
        noteEarliest()
    }
}

extension ReactionState {
    /// A reaction to something that happened.
    struct Due: Hashable, Sendable {
        /// Its index in the scene.
        var reaction: Int
        var facts: Facts
        /// Whether it has waited already.
        var hasWaited = false
        /// The action that has waited by itself; nil: all of them.
        var action: Int?
    }

    /// An action that waits, or all of a reaction; each has one wait at most.
    struct Wait: Hashable, Sendable, Codable {
        var reaction: Int
        /// A step of the motion.
        var due: Step
        var facts: Facts
        /// Its place among the reaction's actions; nil: all of them wait.
        var action: Int?

        /// Bytes of what a notification brought.
        var dataBytes: Int { facts.data?.jsonBytes ?? 0 }
    }

    /// A cause that time alone brings.
    struct Timer: Hashable, Sendable {
        var reaction: Int
        /// Its place among the reaction's causes.
        var cause: Int
        /// A step of the motion; `never` where it waits for a touch.
        var due: Step
    }
}

extension Reaction {
    /// Seconds for which an action waits by itself, or for nil all of them; 0: they do not, or
    /// there is no such action.
    func after(of action: Int?) -> Double {
        guard let action else { return after }
        return actions.indices.contains(action) ? actions[action].after : 0
    }

    /// Whether a cause that time brings may wait for a touch.
    func mayRest(_ cause: Int) -> Bool {
        guard causes.indices.contains(cause), case .idle = causes[cause] else { return false }
        return true
    }
}

extension Limits {
    /// Bytes of a scene's text up to which its reactions set keys at once: as many as one event may
    /// lead to take some two milliseconds.
    static let shortSceneBytesMax = 8 * 1024
    /// Reactions to one event or step whose turn comes together: their conditions are looked at,
    /// which takes some microseconds for each.
    package static let reactionsPendingMax = 128
    /// Bytes of what notifications brought that a session's waits keep, as JSON.
    package static let reactionWaitDataBytesMax = 64 * 1024
}
