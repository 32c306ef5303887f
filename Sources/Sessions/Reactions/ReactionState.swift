import Geometry
import Interactions
import Notation

/// The reactions of a session that are to be performed, now or later. All of it is empty in a
/// scene without reactions, where nothing asks for more than a bit.
struct ReactionState: Sendable {
    /// A reaction to something that happened.
    struct Due: Hashable, Sendable {
        /// Its index in the scene.
        var reaction: Int
        var facts: Facts
        /// Whether it has waited already.
        var hasWaited = false
    }

    /// The reactions to one event or step, with all that they cause, as they are performed.
    struct Chain: Hashable, Sendable {
        /// Those that happened together, in their order, and the first that is not performed.
        private var dues: [Due] = []
        private var place = 0
        /// The reactions so far, and those among them that set keys.
        private(set) var count = 0
        private(set) var setCount = 0

        init() {}

        /// The next reaction; nil: all of `dues` are performed.
        var next: Due? { place < dues.count ? dues[place] : nil }

        mutating func take(_ caused: [Due]) { (dues, place) = (caused, 0) }

        /// Counts the next reaction and moves behind it.
        mutating func pass(isSet: Bool) {
            place += 1
            count += 1
            if isSet { setCount += 1 }
        }
    }

    /// A reaction that waits; each has one wait at most.
    struct Wait: Hashable, Sendable, Codable {
        var reaction: Int
        /// A step of the motion.
        var due: Step
        var facts: Facts
    }

    /// A command that a reaction gave to its component.
    private struct Given: Hashable, Sendable {
        var reaction: Int
        var component: Int
        var command: ComponentCommand
    }

    /// The components whose transitions or phases any reaction waits for, as bits.
    private(set) var watchedTransitions: UInt32 = 0
    private(set) var watchedPhases: UInt32 = 0
    /// Whether any reaction sets keys, which changes the scene; and whether that takes so long that
    /// changes may be left.
    private(set) var setsKeys = false
    private(set) var areChangesLong = false
    /// The phase in which each component was seen last; empty where no phase is watched.
    var phases: [String] = []
    /// The reactions to the present event or step, performed after it; empty between two.
    private(set) var pending: [Due] = []
    private(set) var waits: [Wait] = []
    private(set) var earliestWait = Step.never
    /// The commands of reactions that their components have taken and are still busy with.
    private var underWay: [Given] = []
    /// The chain whose next reaction changes the scene and is left for later; nil: none is left.
    var left: Chain?
    /// Whether a step is made, whose changes are shown with the next frame.
    var isInStep = false
    /// Commands that were refused, and chains that were stopped, since somebody asked.
    var refusedCount = 0
    var stoppedCount = 0

    init() {}

    init(_ scene: Scene) {
        for reaction in scene.reactions {
            if reaction.deed.isSet { setsKeys = true }
            switch reaction.cause {
            case .transition(let cause): watchedTransitions |= 1 << UInt32(cause.component)
            case .phase(let component, _): watchedPhases |= 1 << UInt32(component)
            case .notification, .badge, .session: break
            }
        }
        areChangesLong = setsKeys && (scene.text?.utf8.count ?? 0) > Limits.shortSceneBytesMax
    }

    func watchesTransitions(of component: Int) -> Bool {
        watchedTransitions & (1 << UInt32(component)) != 0
    }

    func watchesPhases(of component: Int) -> Bool {
        watchedPhases & (1 << UInt32(component)) != 0
    }

    /// One more than a chain may have is enough to know that it is too long.
    mutating func add(_ due: Due) {
        if pending.count <= Limits.reactionChainMax { pending.append(due) }
    }

    /// The pending ones, in the order of the scene, and of what happened where one reaction is to
    /// be performed more than once.
    mutating func takePending() -> [Due] {
        let places = pending.indices.sorted {
            (pending[$0].reaction, $0) < (pending[$1].reaction, $1)
        }
        defer { pending.removeAll(keepingCapacity: true) }
        return places.map { pending[$0] }
    }

    mutating func dropPending() { pending.removeAll(keepingCapacity: true) }

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

    /// Lets a reaction wait, anew if it waits already.
    mutating func wait(_ wait: Wait) {
        waits.removeAll { $0.reaction == wait.reaction }
        waits.append(wait)
        earliestWait = waits.reduce(.never) { min($0, $1.due) }
    }

    /// Makes what has waited until `now` pending.
    mutating func endWaits(at now: Step) {
        guard earliestWait <= now else { return }
        for wait in waits where wait.due <= now {
            add(Due(reaction: wait.reaction, facts: wait.facts, hasWaited: true))
        }
        keepWaits { $0.due > now }
    }

    mutating func keepWaits(_ isKept: (Wait) -> Bool) {
        waits.removeAll { !isKept($0) }
        earliestWait = waits.reduce(.never) { min($0, $1.due) }
    }

    /// Goes on with the waits of an encoded session, which are sound.
    mutating func goOn(_ former: [Wait]) {
        waits = former
        keepWaits { _ in true }
    }

    /// The same of a session whose scene became another one: a reaction that both have goes on
    /// waiting. Nothing is pending but where a reaction itself changed the scene.
    func carried(from former: Scene, to scene: Scene) -> ReactionState {
        var state = ReactionState(scene)
        (state.refusedCount, state.stoppedCount) = (refusedCount, stoppedCount)
        state.isInStep = isInStep
        let names = scene.reactions.map { NamedReaction($0, in: scene) }
        if names == former.reactions.map({ NamedReaction($0, in: former) }) {
            state.pending = pending
        }
        for wait in waits {
            let name = NamedReaction(former.reactions[wait.reaction], in: former)
            guard let index = names.firstIndex(of: name) else { continue }
            state.wait(Wait(reaction: index, due: wait.due, facts: wait.facts))
        }
        return state
    }
}

extension Limits {
    /// Bytes of a scene's text up to which its reactions set keys at once: as many as one event may
    /// lead to take some two milliseconds.
    static let shortSceneBytesMax = 8 * 1024
}

/// A reaction by the id of the component that it watches, which another scene may have elsewhere.
private struct NamedReaction: Hashable {
    let reaction: Reaction
    var component: String?

    init(_ reaction: Reaction, in scene: Scene) {
        var nameless = reaction
        switch reaction.cause {
        case .transition(var cause):
            component = scene.components[cause.component].id
            cause.component = 0
            nameless.cause = .transition(cause)
        case .phase(let index, let phase):
            component = scene.components[index].id
            nameless.cause = .phase(component: 0, phase: phase)
        case .notification, .badge, .session: component = nil
        }
        self.reaction = nameless
    }
}

extension Array<ReactionState.Wait> {
    /// Whether they are of such a scene, and none is later than any timer of ours.
    func areSound(_ scene: Scene, now: Step) -> Bool {
        let latest = now.after(seconds: Limits.timerImportedSecondsMax)
        return Set(map(\.reaction)).count == count
            && allSatisfy { wait in
                scene.reactions.indices.contains(wait.reaction)
                    && scene.reactions[wait.reaction].after > 0 && wait.due <= latest
                    && wait.due.count >= 0 && wait.facts.isSound
            }
    }
}
