package import Geometry
package import Gestures
import Motion
package import Notation

/// `panel`: a box that is dragged between places: a sheet, a drawer, a slider.
///
/// A finger drags it; let go, it goes to the anchor that is nearest to the place to which its
/// velocity would carry it. A spring takes it there. `Panel+Drag` is what a finger does to it, and
/// the session has a scroller that lies in it share the drag. Safe to change: the parameters in
/// `PanelParameters`.
package struct Panel: Machine {
    package static let kind = "panel"
    package static let commands = Action.allCases.map(\.rawValue)
    package static let anchorsMax = 16

    private enum Action: String, CaseIterable { case go, toggle }

    package struct Saved: SavedValue {
        /// The name of an anchor.
        package var anchor: String

        private enum CodingKeys: String, CodingKey { case anchor = "at" }

        package init(anchor: String) { self.anchor = anchor }

        package init(_ table: inout TableReader) throws(TableError) {
            try table.require("at")
            anchor = try table.string("at", default: "")
        }
    }

    enum State: Hashable, Sendable, Codable {
        /// At the anchor. Can become: `dragging`, `settling`.
        case resting
        /// A contact stopped it on its way, and has not moved yet. Can become: all others.
        case caught
        /// A finger drags it. Can become: `resting`, `settling`.
        case dragging(Grip)
        /// Goes to an anchor. Can become: all others.
        case settling(SpringAnimation, to: Int)
    }

    /// How a way to an anchor was told when it began.
    struct Course: Hashable, Sendable, Codable {
        var curve: MotionCurve
        /// Seconds until it arrives, unless something interrupts it.
        var seconds: Double
    }

    var parameters: PanelParameters
    let tracker: VelocityTracker.Kind
    var state = State.resting
    /// The anchor at which it rests, or rested last.
    var anchor: Int
    /// The place of its edge along the axis, in points.
    var position: Double
    /// Tells of the last way to an anchor; nil: it had none, or was there at once.
    var course: Course?
    /// Where the contact landed that is down; nil: none is.
    var landing: Vector?
    var cuts = ViewCuts()

    package init(
        _ parameters: PanelParameters, viewport: Size, tracker: VelocityTracker.Kind
    ) {
        self.parameters = parameters
        self.tracker = tracker
        anchor = parameters.startIndex
        position = parameters.position(of: anchor)
    }

    // MARK: Commands

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch try Self.action(Action.self, of: command) {
        case .go:
            let names = parameters.anchors.map(\.name)
            let (name, isAnimated) = try command.read { (table) throws(TableError) in
                try table.require("to")
                let name = try table.string("to", default: "")
                guard names.contains(name) else {
                    throw table.error("to", unknown: "anchor", name, among: names)
                }
                return (name, try table.bool("animated", default: true))
            }
            try mayGo()
            go(to: names.firstIndex(of: name) ?? 0, isAnimated: isAnimated, into: &effects)
        case .toggle:
            try mayGo()
            go(to: toggled, isAnimated: true, into: &effects)
        }
    }

    package func repeats(_ command: ComponentCommand) -> Bool {
        guard command.name == Action.go.rawValue, case .settling(_, let to) = state else {
            return false
        }
        return command.arguments.last { $0.name == "to" }?.value.string
            == parameters.anchors[to].name
    }

    private func mayGo() throws(Rejection) {
        switch state {
        case .resting, .settling: break
        case .caught, .dragging: throw Self.isHeld
        }
    }

    static let isHeld = Rejection(.busy, "a finger holds the panel")

    /// The anchor to which `toggle` leads: the last, and from there the first.
    private var toggled: Int {
        let goal: Int
        if case .settling(_, let to) = state { goal = to } else { goal = anchor }
        return goal == parameters.last ? 0 : parameters.last
    }

    // MARK: Time

    package var isMoving: Bool {
        if case .settling = state { return true }
        return false
    }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        guard case .settling(var spring, let to) = state else { return false }
        spring.advance()
        move(to: spring.value)
        if spring.isMoving {
            state = .settling(spring, to: to)
            effects.keepsSchedule = true
        } else {
            arrive(at: to, into: &effects)
        }
        return true
    }

    package var nextTimer: Step? {
        if case .dragging(let grip) = state { return grip.deadline }
        return nil
    }

    /// The finger was silent for too long.
    package mutating func fire(at now: Step, into effects: inout Effects) {
        guard let timer = nextTimer, timer <= now else { return }
        release(at: 0, into: &effects)
    }

    // MARK: Saving

    package var saved: Saved {
        let goal: Int
        switch state {
        case .resting: goal = anchor
        case .settling(_, let to): goal = to
        case .caught, .dragging: goal = nearestAnchor(to: position)
        }
        return Saved(anchor: parameters.anchors[goal].name)
    }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        anchor = parameters.index(of: saved.anchor) ?? parameters.startIndex
        position = parameters.position(of: anchor)
        state = .resting
    }

    // MARK: Decisions

    func nearestAnchor(to place: Double) -> Int {
        let distances = parameters.anchors.indices.map {
            (parameters.position(of: $0) - place).magnitude
        }
        return distances.indices.min { distances[$0] < distances[$1] } ?? 0
    }

    /// Goes to an anchor, with the velocity that it has.
    mutating func go(to goal: Int, isAnimated: Bool, into effects: inout Effects) {
        var velocity = 0.0
        switch state {
        case .resting: if goal == anchor { return }
        case .settling(let spring, let to):
            if goal == to, isAnimated { return }
            velocity = spring.velocity
        case .caught, .dragging: break
        }
        guard isAnimated else {
            cancelSettling(into: &effects)
            course = nil
            cutWhatJumps(to: parameters.position(of: goal))
            effects.transitions.append(settling(to: goal, .began))
            arrive(at: goal, into: &effects)
            effects.needsPublish = true
            return
        }
        settle(to: goal, velocity, into: &effects)
    }

    /// Lets the spring take it to an anchor. `velocity` in points per second.
    mutating func settle(to goal: Int, _ velocity: Double, into effects: inout Effects) {
        cancelSettling(into: &effects)
        let (spring, place) = (parameters.spring.spring, parameters.position(of: goal))
        let way = Animation(
            from: position, to: place, velocity: velocity, begin: .zero, pace: .spring(spring))
        course = Course(curve: way.curve, seconds: way.duration)
        effects.transitions.append(settling(to: goal, .began))
        effects.needsPublish = true
        let animation = SpringAnimation(
            from: position, to: place, velocity: velocity, spring: spring)
        state = .settling(animation, to: goal)
        if !animation.isMoving { arrive(at: goal, into: &effects) }
    }

    /// Stops it where it is, if it is on its way.
    mutating func cancelSettling(into effects: inout Effects) {
        guard case .settling(_, let to) = state else { return }
        state = .resting
        effects.transitions.append(settling(to: to, .cancelled))
    }

    mutating func arrive(at goal: Int, into effects: inout Effects) {
        effects.transitions.append(settling(to: goal, .ended))
        anchor = goal
        move(to: parameters.position(of: goal))
        state = .resting
    }

    mutating func move(to place: Double) {
        let hadBackdrop = backdropAlpha > 0
        position = place
        if hadBackdrop, backdropAlpha == 0 { cuts.grow("backdrop") }
    }

    private func settling(to goal: Int, _ event: Transition.Event) -> Transition {
        Transition(
            "settle", event, from: .screen(parameters.anchors[anchor].name),
            to: .screen(parameters.anchors[goal].name), duration: course?.seconds ?? 0,
            curve: course?.curve)
    }

    /// Grows the `cut` of each view that shows elsewhere once the panel stands at `place`.
    mutating func cutWhatJumps(to place: Double) {
        let former = ShownViews(self)
        let position = self.position
        self.position = place
        let cut = former.placedAnew(in: ShownViews(self))
        self.position = position
        for case .plain(let view) in cut { cuts.grow(view) }
    }
}
