package import Geometry
package import Gestures

/// What a machine asks for beside its own change of state.
package struct Effects: Sendable {
    /// The session's seeded generator.
    package var random: SplitMix64
    /// What began, ended or was cancelled, in order.
    package var transitions: [Transition] = []
    /// Kinds whose counts shall be cleared.
    package var clearedKinds: [String] = []
    /// Whether something is shown otherwise now: the state goes out at once.
    package var needsPublish = false
    /// How many times a world that would not come to rest was put to rest.
    package var restsForced = 0
    /// How many worlds of a former life could not be read as they stood.
    package var worldsUnread = 0

    package init(random: SplitMix64) { self.random = random }
}

/// What a component will do without any event.
package struct Schedule: Hashable, Sendable {
    package var isMoving: Bool
    /// `Step.never` where no timer runs.
    package var timer: Step

    package init(isMoving: Bool, timer: Step) {
        self.isMoving = isMoving
        self.timer = timer
    }
}

/// A component that decides what it shows next: one method per event, time as an argument.
///
/// It performs nothing. A kind implements the events that it knows; what it does not implement is
/// rejected here. Whatever throws has changed nothing.
package protocol Machine: Presentable, Hashable, Codable, Sendable {
    /// The session opened: the first state is about to be shown.
    mutating func opened(at now: Step, into effects: inout Effects)

    mutating func pan(_ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func scroll(
        _ scroll: Scroll, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection)
    mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func swipe(_ swipe: Swipe, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func pinch(_ pinch: Pinch, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func rotation(_ rotation: Rotation, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func command(_ command: Command, at now: Step, into effects: inout Effects)
        throws(Rejection)

    /// What raw contacts on this component are listened to with; empty: it takes no pointers.
    var recognizers: Recognizers { get }
    /// Whether its scroll samples need no `began`: then one may come in the midst of a touch.
    var scrollsInAnyOrder: Bool { get }
    /// A raw contact landed, moved or lifted, beside what is recognised of it.
    mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects)
    /// A raw contact that was recognised as a vertical pan drags the content.
    mutating func dragContent(
        _ drag: ContentDrag, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection)

    /// Whether counts mean anything to it; the others are not told of them.
    static var heedsCounts: Bool { get }
    /// A notification arrived; the counts hold its change already.
    mutating func notified(
        kind: String, counts: BadgeCounts, at now: Step, into effects: inout Effects)
    /// Counts changed otherwise: they were cleared.
    mutating func recounted(_ counts: BadgeCounts, at now: Step, into effects: inout Effects)

    /// The step at which a timer is due. Nil: none runs.
    var nextTimer: Step? { get }
    /// Fires the timers that are due at `now`.
    mutating func fire(at now: Step, into effects: inout Effects)

    /// What outlives the process.
    var durable: SavedState { get }
    /// Puts a new machine at rest where a former life of the same kind left off, instead of
    /// `opened`; what its parameters do not have any more is passed over.
    mutating func restore(
        _ durable: SavedState, counts: BadgeCounts, into effects: inout Effects)

    /// Whether a decoded one is of such a scene, and as no event or step of ours could trap on.
    func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool

    /// Whether what is shown changes with the next step.
    var isMoving: Bool { get }
    /// Both of the former at once.
    var schedule: Schedule { get }
    /// Moves on from the step before to `now`; returns whether anything is shown otherwise.
    mutating func advance(to now: Step, into effects: inout Effects) -> Bool
}

extension Machine {
    package mutating func opened(at now: Step, into effects: inout Effects) {}

    package mutating func pan(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) { throw .unknown(.pan) }

    package mutating func scroll(
        _ scroll: Scroll, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) { throw .unknown(.scroll) }

    package mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    { throw .unknown(.tap) }

    package mutating func swipe(_ swipe: Swipe, at now: Step, into effects: inout Effects)
        throws(Rejection)
    { throw .unknown(.swipe) }

    package mutating func pinch(_ pinch: Pinch, at now: Step, into effects: inout Effects)
        throws(Rejection)
    { throw .unknown(.pinch) }

    package mutating func rotation(
        _ rotation: Rotation, at now: Step, into effects: inout Effects
    ) throws(Rejection) { throw .unknown(.rotation) }

    package mutating func command(_ command: Command, at now: Step, into effects: inout Effects)
        throws(Rejection)
    { throw .unknown(command) }

    package var recognizers: Recognizers { [] }
    package var scrollsInAnyOrder: Bool { false }
    package mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects) {}

    package mutating func dragContent(
        _ drag: ContentDrag, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) { throw .unknown(.scroll) }

    package static var heedsCounts: Bool { false }

    package mutating func notified(
        kind: String, counts: BadgeCounts, at now: Step, into effects: inout Effects
    ) {}

    package mutating func recounted(
        _ counts: BadgeCounts, at now: Step, into effects: inout Effects
    ) {}

    package var nextTimer: Step? { nil }
    package mutating func fire(at now: Step, into effects: inout Effects) {}

    package var schedule: Schedule {
        Schedule(isMoving: isMoving, timer: nextTimer ?? .never)
    }

    package var isMoving: Bool { false }
    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool { false }

    /// Hands a gesture to the method that knows it.
    package mutating func gesture(
        _ gesture: Gesture, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch gesture {
        case .pan(let sample): try pan(sample, time: time, at: now, into: &effects)
        case .scroll(let sample): try scroll(sample, time: time, at: now, into: &effects)
        case .tap(let target): try tap(target, at: now, into: &effects)
        case .swipe(let stroke): try swipe(stroke, at: now, into: &effects)
        case .pinch(let sample): try pinch(sample, at: now, into: &effects)
        case .rotation(let sample): try rotation(sample, at: now, into: &effects)
        case .pointer, .longpress: throw .unknown(gesture.kind)
        }
    }
}

extension Rejection {
    static func unknown(_ gesture: GestureKind) -> Rejection {
        Rejection(.unknownGesture, "this component takes no \(gesture.rawValue)")
    }

    static func unknown(_ command: Command) -> Rejection {
        Rejection(.unknownCommand, "this component knows no command \"\(command.name)\"")
    }

    /// A phase that continues a gesture which is not open.
    static func notOpen(_ phase: Phase) -> Rejection {
        Rejection(.outOfOrder, "\(phase.rawValue) without a gesture that began")
    }
}
