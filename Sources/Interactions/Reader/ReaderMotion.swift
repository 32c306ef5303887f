import Geometry
import Motion

/// A header or a footer with its arrow. A pull that goes far enough loads it.
struct PullBar: Hashable, Sendable, Codable {
    private let name: String
    /// The arrow's angles, in radians.
    private let unloaded: Double
    private let loaded: Double
    private(set) var isLoaded = false
    /// The arrow's turn to its angle; nil: it stands.
    private var turn: Animation?

    init(_ name: String, unloaded: Double, loaded: Double) {
        self.name = name
        self.unloaded = unloaded
        self.loaded = loaded
    }

    /// Loads or unloads it. The arrow turns from its angle, and on a spring with its speed.
    /// Returns whether it has turned at once.
    mutating func set(
        _ isLoaded: Bool, at now: Step, _ pace: Pace, into effects: inout Effects
    ) -> Bool {
        guard isLoaded != self.isLoaded else { return false }
        let (angle, velocity) = (self.angle(at: now), self.turn?.velocity(at: now) ?? 0)
        tell(.cancelled, pace, into: &effects)
        self.isLoaded = isLoaded
        let turn = Animation(
            from: angle, to: restingAngle, velocity: velocity, begin: now, pace: pace,
            precision: Animation.nearShares)
        self.turn = turn
        tell(.began, pace, into: &effects)
        effects.needsPublish = true
        return turn.end <= now
    }

    /// Unloads it where nobody sees it. A turn that was told of is cancelled.
    mutating func hide(_ pace: Pace, into effects: inout Effects) {
        tell(.cancelled, pace, into: &effects)
        turn = nil
        isLoaded = false
    }

    var isTurning: Bool { turn != nil }

    /// The step at which the arrow stands.
    var end: Step? { turn?.end }

    mutating func fire(at now: Step, _ pace: Pace, into effects: inout Effects) {
        guard let turn, turn.end <= now else { return }
        tell(.ended, pace, into: &effects)
        self.turn = nil
        effects.needsPublish = true
    }

    /// The arrow's angle in radians, between 0 and π: it never turns the short way round.
    func angle(at step: Step) -> Double {
        min(max(0, turn?.value(at: step) ?? restingAngle), Double.pi)
    }

    private var restingAngle: Double { isLoaded ? loaded : unloaded }

    var state: String { isLoaded ? "loaded" : "unloaded" }

    /// Tells of the turn, if there is one.
    private func tell(_ event: Transition.Event, _ pace: Pace, into effects: inout Effects) {
        guard let turn else { return }
        effects.transitions.append(
            Transition("\(name)-\(state)", event, by: turn, pace: pace))
    }
}

/// A neighbour comes in while the page goes out.
struct Paging: Hashable, Sendable, Codable {
    enum Way: Hashable, Sendable, Codable {
        case previous, next
    }

    /// The distance at which a spring ends, in ways: 0.001 points of a page 1,000 points high.
    private static let near = 1e-6

    let way: Way
    /// Where the content stood when it began, in points.
    let offset: Double
    /// From 0 to 1.
    private var progress: Animation
    /// How far it had come when a contact stopped it; nil: none holds it.
    private var held: Double?

    /// `velocity` is that which the page has, in ways per second.
    init(_ way: Way, from offset: Double, velocity: Double, begin: Step, pace: Pace) {
        self.way = way
        self.offset = offset
        progress = Animation(
            from: 0, to: 1, velocity: velocity, begin: begin, pace: pace,
            precision: Self.near)
    }

    /// Never, while a contact holds it.
    var end: Step { isHeld ? .never : progress.end }
    var isHeld: Bool { held != nil }

    /// The place on the way from `from` to `to`.
    func between(_ from: Double, _ to: Double, at step: Step) -> Double {
        // A spring goes beyond its target, the pages do not.
        from + (to - from) * (held ?? min(progress.value(at: step), 1))
    }

    /// A contact landed: it stays where it is shown.
    mutating func hold(at step: Step) { held = held ?? min(progress.value(at: step), 1) }

    /// The contact lifted: it makes the rest of its way, in its share of the time of a whole one.
    mutating func letGo(at now: Step, _ pace: Pace) {
        guard let held else { return }
        var rest = pace
        if case .curve(let curve, let seconds) = pace {
            rest = .curve(curve, seconds: seconds * (1 - held))
        }
        progress = Animation(
            from: held, to: 1, begin: now, pace: rest, precision: Self.near)
        self.held = nil
    }

    func transition(_ event: Transition.Event, from: Int, to: Int, _ pace: Pace) -> Transition {
        var transition = Transition("page", event, by: progress, pace: pace)
        (transition.from, transition.to) = (.index(from), .index(to))
        return transition
    }
}

extension PullBar {
    /// Whether a decoded bar is sound and the same bar as `other`.
    func isSound(like other: PullBar) -> Bool {
        name == other.name && unloaded == other.unloaded && loaded == other.loaded
            && turn?.isSound != false
    }
}

extension Paging {
    var isSound: Bool {
        offset.magnitude <= 1e12 && progress.isSound
            && held.map { $0 <= 1 && $0.magnitude <= 1e9 } != false
    }
}

extension Transition {
    /// A motion of a reader. On a spring it tells that spring's own time; else that of the scene.
    fileprivate init(_ name: String, _ event: Event, by motion: Animation, pace: Pace) {
        switch pace {
        case .curve(let curve, let seconds):
            self.init(name, event, duration: seconds, curve: .timing(curve))
        case .spring:
            self.init(name, event, duration: motion.duration, curve: motion.curve)
        }
    }
}
