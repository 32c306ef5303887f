package import Geometry
package import Gestures
package import Notation

/// One kind of component: it decides what it shows next. One method per event, time as an argument.
///
/// This folder holds the protocol of kinds and the values that cross it: parameters and commands
/// in, `Effects` and `Transition`s out, fields and views to a `StateSink`, and `SavedState` for the
/// store. A machine performs nothing. A kind implements the events that it knows; an event that it
/// does not implement is rejected here. A method that throws has changed nothing.
package protocol Machine: Presentable, Hashable, Codable, Sendable {
    associatedtype Parameters: KindParameters where Parameters.Component == Self
    /// Where it settles: what outlives the process.
    associatedtype Saved: SavedValue

    /// The kind's name in scenes and in stored sessions.
    static var kind: String { get }
    /// The names of the commands that it takes.
    static var commands: [String] { get }

    /// The first state. `tracker` measures the velocity of contacts.
    init(_ parameters: Parameters, viewport: Size, tracker: VelocityTracker.Kind)

    /// The session opened: the first state is about to be shown.
    mutating func opened(at now: Step, into effects: inout Effects)

    mutating func pan(_ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func scroll(
        _ scroll: Scroll, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection)
    mutating func wheel(_ wheel: Wheel, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func swipe(_ swipe: Swipe, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func pinch(_ pinch: Pinch, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func rotation(_ rotation: Rotation, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func longpress(
        _ press: LongPress, at now: Step, into effects: inout Effects
    ) throws(Rejection)
    /// A token that lies on it. It sets `isOfRest` where the token does nothing else.
    mutating func token(_ token: Token, at now: Step, into effects: inout Effects)
        throws(Rejection)
    mutating func command(_ command: ComponentCommand, at now: Step, into effects: inout Effects)
        throws(Rejection)

    /// Whether a command asks for what the component is on its way to, so that it would change
    /// nothing when its turn comes.
    func repeats(_ command: ComponentCommand) -> Bool

    /// The recognizers for raw contacts on this component; empty: it takes no pointers.
    var recognizers: Recognizers { get }
    /// Whether its scroll samples need no `began`, so that one may come during a touch.
    var scrollsInAnyOrder: Bool { get }
    /// A raw contact landed, moved or lifted. Recognised gestures arrive separately.
    mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects)
    /// A raw contact that was recognised as a vertical pan drags the content.
    mutating func dragContent(
        _ drag: ContentDrag, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection)

    /// Several raw contacts hold one thing together.
    mutating func grasp(_ grasp: Grasp, at now: Step, into effects: inout Effects)
        throws(Rejection)
    /// The contacts among which one counts that lands at a point.
    func hand(landing pointer: PointerNumber, at point: Vector) -> Hand
    /// Whether a hand's thing is for one person at a time.
    func isExclusive(_ hand: Hand) -> Bool
    /// Whether two contacts beside all things make a pair that holds what lies between them.
    func pairs(landingAt point: Vector, beside other: Vector, isOnePerson: Bool) -> Bool

    /// The recognised gestures that it takes.
    static var gestures: Set<GestureKind> { get }
    /// How much of it a finger can hit.
    var reach: Reach { get }
    /// Whether a finger can hit a view of it. `isOccupied`: the scene puts components into it.
    func isTouchable(_ view: String, isOccupied: Bool) -> Bool
    /// Whether a point in a view's own coordinates lies in the view.
    func contains(_ place: Vector, in view: String, size: Size) -> Bool
    /// Whether it could take a contact that lands at a point; else it leaves it to others.
    func takesLanding(at point: Vector) -> Bool
    /// Whether something moves by itself where a contact lands. The contact is no tap, and neither
    /// is it for what that holds.
    func isInMotion(at point: Vector) -> Bool
    /// Whether a contact stops what moves there. Where it does not, the component itself judges a
    /// swipe of it.
    func stopsMotion(at point: Vector) -> Bool
    /// Whether a contact that lands at a point takes hold of what moves there: its pan begins at
    /// once, and what that holds loses the contact.
    func catches(at point: Vector) -> Bool
    /// Whether its content can follow by a way that changes its offset in that direction, and does
    /// more than stretch the rubber band. A scroller that cannot leaves the way to one that holds
    /// it. False for what does not scroll.
    func canScroll(by way: Double) -> Bool

    /// Whether it shares a vertical drag with a scroller that lies in it: each moves as far as it
    /// can, and the other one goes on in the same drag.
    var sharesDrags: Bool { get }
    /// Whether a vertical drag moves it before a scroller that lies in it.
    var claimsDrags: Bool { get }
    /// The way, in points since its drag began, at which it comes to its end, where `way` leads
    /// beyond; nil: it can follow that far.
    func endOfDrag(before way: Double) -> Double?

    /// Whether it wants to hear of counts.
    static var heedsCounts: Bool { get }
    /// Whether a notification of a kind may change anything of it.
    func heeds(notification kind: String) -> Bool
    /// A notification arrived; `counts` include it.
    mutating func notified(
        kind: String, counts: BadgeCounts, at now: Step, into effects: inout Effects)
    /// Counts were cleared.
    mutating func recounted(_ counts: BadgeCounts, at now: Step, into effects: inout Effects)

    /// The step at which a timer is due. Nil: none runs.
    var nextTimer: Step? { get }
    /// Fires the timers that are due at `now`.
    mutating func fire(at now: Step, into effects: inout Effects)

    /// Where it would settle if nothing more came. A drag in flight is gone from it, a page that
    /// comes in is there.
    var saved: Saved { get }
    /// Puts a new machine at rest where a former one left off, instead of `opened`. The document
    /// may be damaged, and the scene another one: values beyond its bounds are brought within.
    mutating func restore(_ saved: Saved, counts: BadgeCounts, into effects: inout Effects)
    /// Does the same with a component of any kind, if it was of this kind; else returns false. It
    /// is stated here so that each kind gets code of its own: many sessions come back at once.
    mutating func restore(
        _ state: SavedState, counts: BadgeCounts, into effects: inout Effects
    ) -> Bool

    /// Becomes what another scene says of it: new parameters, a frame of another size. The rule of
    /// the kind says what stays. Views that are placed anew carry a new `cut`.
    mutating func adapt(
        to parameters: Parameters, viewport: Size, at now: Step, into effects: inout Effects)

    /// Whether a part of it is in a state; false for parts and states that it does not have.
    func isIn(_ state: PartState, _ part: ComponentPart) -> Bool

    /// The values that its texts name are these from now on. A text that it writes through
    /// `StateSink.field(_:text:)` needs no heed. `fades` is false before it is shown.
    mutating func showTexts(
        _ texts: TextContext?, fades: Bool, at now: Step, into effects: inout Effects)

    /// Whether a decoded machine is of this scene, and in a state in which no event or step traps.
    func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool

    /// How much of worlds each step looks at.
    var bulk: Bulk { get }

    /// The rows whose content it tells beside its state; nil: it tells none.
    var rowsOutline: RowsOutline? { get }
    /// These rows with their content.
    func toldRows(_ rows: Range<Int>) -> ToldRows

    /// Whether what is shown changes with the next step.
    var isMoving: Bool { get }
    /// `isMoving` and `nextTimer` in one call.
    var schedule: Schedule { get }
    /// Moves on by one step to `now`. Returns whether anything shown has changed.
    mutating func advance(to now: Step, into effects: inout Effects) -> Bool
    /// Moves on by several steps, up to `end`, and stops behind the first one that has effects or
    /// may have changed the schedule. Asked once for all: a call through the protocol costs as much
    /// as a part of a step.
    mutating func run(from start: Step, to end: Step, into effects: inout Effects) -> Run
}

/// The steps that a component made in one go.
package struct Run {
    /// The step that it has reached.
    package var reached: Step
    /// Whether anything shown has changed.
    package var isChanged = false
    /// When it moves from then on; nil: as before.
    package var schedule: Schedule?
}

extension Machine {
    package static var commands: [String] { [] }

    package mutating func opened(at now: Step, into effects: inout Effects) {}

    package mutating func pan(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) { throw Self.unknown(.pan) }

    package mutating func scroll(
        _ scroll: Scroll, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) { throw Self.unknown(.scroll) }

    package mutating func wheel(_ wheel: Wheel, at now: Step, into effects: inout Effects)
        throws(Rejection)
    { throw Self.unknown(.wheel) }

    package mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    { throw Self.unknown(.tap) }

    package mutating func swipe(_ swipe: Swipe, at now: Step, into effects: inout Effects)
        throws(Rejection)
    { throw Self.unknown(.swipe) }

    package mutating func pinch(_ pinch: Pinch, at now: Step, into effects: inout Effects)
        throws(Rejection)
    { throw Self.unknown(.pinch) }

    package mutating func rotation(
        _ rotation: Rotation, at now: Step, into effects: inout Effects
    ) throws(Rejection) { throw Self.unknown(.rotation) }

    package mutating func longpress(
        _ press: LongPress, at now: Step, into effects: inout Effects
    ) throws(Rejection) { throw Self.unknown(.longpress) }

    package mutating func token(_ token: Token, at now: Step, into effects: inout Effects)
        throws(Rejection)
    { throw Self.unknown(.token) }

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    )
        throws(Rejection)
    { throw Self.unknown(command) }

    package func repeats(_ command: ComponentCommand) -> Bool { false }

    package var recognizers: Recognizers { [] }
    package var scrollsInAnyOrder: Bool { false }
    package mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects) {}

    package mutating func dragContent(
        _ drag: ContentDrag, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) { throw Self.unknown(.scroll) }

    package mutating func grasp(
        _ grasp: Grasp, at now: Step, into effects: inout Effects
    ) throws(Rejection) { throw Self.unknown(.pinch) }

    package func hand(landing pointer: PointerNumber, at point: Vector) -> Hand { .shared }
    package func isExclusive(_ hand: Hand) -> Bool { false }
    package func pairs(
        landingAt point: Vector, beside other: Vector, isOnePerson: Bool
    ) -> Bool { false }

    package static var heedsCounts: Bool { false }
    package func heeds(notification kind: String) -> Bool { Self.heedsCounts }

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

    package mutating func showTexts(
        _ texts: TextContext?, fades: Bool, at now: Step, into effects: inout Effects
    ) {}

    package var bulk: Bulk { Bulk() }
    package var isMoving: Bool { false }
    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool { false }

    package mutating func run(
        from start: Step, to end: Step, into effects: inout Effects
    ) -> Run {
        var run = Run(reached: start)
        repeat {
            run.reached = run.reached + 1
            effects.keepsSchedule = false
            if advance(to: run.reached, into: &effects) { run.isChanged = true }
        } while run.reached < end && effects.keepsSchedule && effects.areNone
        if !effects.keepsSchedule { run.schedule = schedule }
        return run
    }

    /// Calls the method for a gesture; returns when it moves from then on. Who asks a machine in an
    /// array for that afterwards copies it.
    @discardableResult
    package mutating func gesture(
        _ gesture: Gesture, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) -> Schedule {
        try perform(gesture, time: time, at: now, into: &effects)
        return schedule
    }

    @inline(__always)
    private mutating func perform(
        _ gesture: Gesture, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch gesture {
        case .pan(let sample): try pan(sample, time: time, at: now, into: &effects)
        case .scroll(let sample): try scroll(sample, time: time, at: now, into: &effects)
        case .wheel(let sample): try wheel(sample, at: now, into: &effects)
        case .tap(let target): try tap(target, at: now, into: &effects)
        case .swipe(let stroke): try swipe(stroke, at: now, into: &effects)
        case .pinch(let sample): try pinch(sample, at: now, into: &effects)
        case .rotation(let sample): try rotation(sample, at: now, into: &effects)
        case .longpress(let sample): try longpress(sample, at: now, into: &effects)
        case .token(let sample): try token(sample, at: now, into: &effects)
        case .pointer: throw Self.unknown(gesture.kind)
        }
    }
}

extension Machine {
    static func unknown(_ gesture: GestureKind) -> Rejection {
        let known = GestureKind.allCases.filter { gestures.contains($0) }.map(\.rawValue)
        return Rejection(
            .unknownGesture,
            "a component \(kind) takes no \(gesture.rawValue), "
                + knownNames(nearestTo: gesture.rawValue, among: known))
    }

    static func unknown(_ command: ComponentCommand) -> Rejection {
        .unknown(command: command.name, of: "a component \(kind)", among: commands)
    }
}

extension Rejection {
    /// `whose` begins the sentence: a component, or what else takes commands.
    package static func unknown(
        command: String, of whose: String, among known: [String]
    ) -> Rejection {
        Rejection(
            .unknownCommand,
            "\(whose) knows no command \"\(TableReader.shortened(command))\", "
                + knownNames(nearestTo: command, among: known))
    }

    /// The error for a phase that continues no open gesture.
    static func notOpen(_ phase: Phase) -> Rejection {
        Rejection(.outOfOrder, "\(phase.rawValue) without a gesture that began")
    }
}
