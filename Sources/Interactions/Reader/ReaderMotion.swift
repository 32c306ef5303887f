import Geometry
import Motion

/// A header or a footer that is loaded when it is pulled far enough, and the arrow in it.
struct PullBar: Hashable, Sendable, Codable {
    private let name: String
    /// The arrow's angles, in radians.
    private let unloaded: Double
    private let loaded: Double
    private(set) var isLoaded = false
    /// The arrow on its way to where it belongs; nil: it is there.
    private var turn: Animation?

    init(_ name: String, unloaded: Double, loaded: Double) {
        self.name = name
        self.unloaded = unloaded
        self.loaded = loaded
    }

    /// Loads or unloads it: the arrow turns from where it is shown, in so many seconds.
    mutating func set(
        _ isLoaded: Bool, at now: Step, _ duration: Double, into effects: inout Effects
    ) {
        guard isLoaded != self.isLoaded else { return }
        let angle = self.angle(at: now)
        if turn != nil { effects.transitions.append(turning(.cancelled, duration)) }
        self.isLoaded = isLoaded
        turn = Animation(from: angle, to: restingAngle, begin: now, duration: duration)
        effects.transitions.append(turning(.began, duration))
        effects.needsPublish = true
    }

    var isTurning: Bool { turn != nil }

    /// When the arrow is where it belongs.
    var end: Step? { turn?.end }

    mutating func fire(at now: Step, _ duration: Double, into effects: inout Effects) {
        guard let turn, turn.end <= now else { return }
        self.turn = nil
        effects.transitions.append(turning(.ended, duration))
        effects.needsPublish = true
    }

    /// Of the arrow, in radians: between 0 and π, never the short way round.
    func angle(at step: Step) -> Double { turn?.value(at: step) ?? restingAngle }

    private var restingAngle: Double { isLoaded ? loaded : unloaded }

    var state: String { isLoaded ? "loaded" : "unloaded" }

    private func turning(_ event: Transition.Event, _ duration: Double) -> Transition {
        Transition("\(name)-\(state)", event, duration: duration, curve: .easeInOut)
    }
}

/// A neighbour that comes in while the page goes.
struct Paging: Hashable, Sendable, Codable {
    enum Way: Hashable, Sendable, Codable {
        case previous, next
    }

    let way: Way
    /// Where the content stood when it began, in points.
    let offset: Double
    /// From 0 to 1.
    private let progress: Animation

    init(_ way: Way, from offset: Double, begin: Step, duration: Double) {
        self.way = way
        self.offset = offset
        progress = Animation(from: 0, to: 1, begin: begin, duration: duration)
    }

    var end: Step { progress.end }

    /// How far something that runs from one place to another is.
    func between(_ from: Double, _ to: Double, at step: Step) -> Double {
        from + (to - from) * progress.value(at: step)
    }
}

extension PullBar {
    /// Whether a decoded one is the same bar as `other`.
    func isSound(like other: PullBar) -> Bool {
        name == other.name && unloaded == other.unloaded && loaded == other.loaded
            && turn?.isSound != false
    }
}

extension Paging {
    var isSound: Bool { offset.magnitude <= 1e12 && progress.isSound }
}
