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

    /// Loads or unloads it. The arrow turns from the angle that is shown, in `duration` seconds.
    /// Returns whether it has turned at once.
    mutating func set(
        _ isLoaded: Bool, at now: Step, _ duration: Double, into effects: inout Effects
    ) -> Bool {
        guard isLoaded != self.isLoaded else { return false }
        let angle = self.angle(at: now)
        if turn != nil { effects.transitions.append(turning(.cancelled, duration)) }
        self.isLoaded = isLoaded
        let turn = Animation(from: angle, to: restingAngle, begin: now, duration: duration)
        self.turn = turn
        effects.transitions.append(turning(.began, duration))
        effects.needsPublish = true
        return turn.end <= now
    }

    /// Unloads it where nobody sees it. A turn that was told of is cancelled.
    mutating func hide(_ duration: Double, into effects: inout Effects) {
        if turn != nil { effects.transitions.append(turning(.cancelled, duration)) }
        turn = nil
        isLoaded = false
    }

    var isTurning: Bool { turn != nil }

    /// The step at which the arrow stands.
    var end: Step? { turn?.end }

    mutating func fire(at now: Step, _ duration: Double, into effects: inout Effects) {
        guard let turn, turn.end <= now else { return }
        self.turn = nil
        effects.transitions.append(turning(.ended, duration))
        effects.needsPublish = true
    }

    /// The arrow's angle in radians, between 0 and π: it never turns the short way round.
    func angle(at step: Step) -> Double { turn?.value(at: step) ?? restingAngle }

    private var restingAngle: Double { isLoaded ? loaded : unloaded }

    var state: String { isLoaded ? "loaded" : "unloaded" }

    private func turning(_ event: Transition.Event, _ duration: Double) -> Transition {
        Transition("\(name)-\(state)", event, duration: duration, curve: .easeInOut)
    }
}

/// A neighbour comes in while the page goes out.
struct Paging: Hashable, Sendable, Codable {
    enum Way: Hashable, Sendable, Codable {
        case previous, next
    }

    let way: Way
    /// Where the content stood when it began, in points.
    let offset: Double
    /// From 0 to 1.
    private var progress: Animation
    /// How far it had come when a contact stopped it; nil: none holds it.
    private var held: Double?

    init(_ way: Way, from offset: Double, begin: Step, duration: Double) {
        self.way = way
        self.offset = offset
        progress = Animation(from: 0, to: 1, begin: begin, duration: duration)
    }

    /// Never, while a contact holds it.
    var end: Step { isHeld ? .never : progress.end }
    var isHeld: Bool { held != nil }

    /// The place on the way from `from` to `to`.
    func between(_ from: Double, _ to: Double, at step: Step) -> Double {
        from + (to - from) * (held ?? progress.value(at: step))
    }

    /// A contact landed: it stays where it is shown.
    mutating func hold(at step: Step) { held = held ?? progress.value(at: step) }

    /// The contact lifted: it makes the rest of its way. `duration` is that of a whole way.
    mutating func letGo(at now: Step, _ duration: Double) {
        guard let held else { return }
        progress = Animation(from: held, to: 1, begin: now, duration: duration * (1 - held))
        self.held = nil
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
            && held.map((0.0...1).contains) != false
    }
}
