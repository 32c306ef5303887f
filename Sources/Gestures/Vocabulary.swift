package import Geometry

/// Where in its life a continuous gesture is.
package enum Phase: String, Hashable, Sendable, CaseIterable {
    case began, changed, ended, cancelled
}

/// What kinds of gestures there are, named as on the wire.
package enum GestureKind: String, Hashable, Sendable, CaseIterable {
    case pan, swipe, tap, scroll, pointer, longpress, pinch, rotation
}

/// One sample of a moving finger, already recognised as a pan.
package struct Pan: Hashable, Sendable {
    package var phase: Phase
    /// In points in the viewport.
    package var location: Vector
    /// In points per second, where the source measured it itself.
    package var velocity: Vector?

    package init(phase: Phase, location: Vector, velocity: Vector? = nil) {
        self.phase = phase
        self.location = location
        self.velocity = velocity
    }
}

/// A vertical content offset, as shown by the client's own scroll view.
package struct Scroll: Hashable, Sendable {
    package var phase: Phase
    /// In points; negative when pulled down beyond the top.
    package var offset: Double

    package init(phase: Phase, offset: Double) {
        self.phase = phase
        self.offset = offset
    }
}

/// What a discrete gesture was aimed at: a place, or something by its number.
package enum Target: Hashable, Sendable {
    case point(Vector)
    case index(Int)
    case row(Int)
}

/// The four ways to swipe.
package enum Direction: String, Hashable, Sendable, CaseIterable {
    case left, right, up, down
}

/// A quick stroke, already recognised.
package struct Swipe: Hashable, Sendable {
    package var direction: Direction
    package var target: Target

    package init(direction: Direction, target: Target) {
        self.direction = direction
        self.target = target
    }
}

/// One sample of a raw contact.
package struct Pointer: Hashable, Sendable {
    package var phase: Phase
    package var pointer: Int
    package var location: Vector

    package init(phase: Phase, pointer: Int, location: Vector) {
        self.phase = phase
        self.pointer = pointer
        self.location = location
    }
}

/// Any gesture sample, as it arrives.
package enum Gesture: Hashable, Sendable {
    case pan(Pan)
    case swipe(Swipe)
    case tap(Target)
    case scroll(Scroll)
    case pointer(Pointer)
    case longpress(phase: Phase, location: Vector)
    case pinch(phase: Phase, location: Vector, scale: Double, velocity: Double?)
    case rotation(phase: Phase, location: Vector, angle: Double, velocity: Double?)

    package var kind: GestureKind {
        switch self {
        case .pan: .pan
        case .swipe: .swipe
        case .tap: .tap
        case .scroll: .scroll
        case .pointer: .pointer
        case .longpress: .longpress
        case .pinch: .pinch
        case .rotation: .rotation
        }
    }

    /// Nil for the discrete ones, which are over at once.
    package var phase: Phase? {
        switch self {
        case .pan(let pan): pan.phase
        case .swipe, .tap: nil
        case .scroll(let scroll): scroll.phase
        case .pointer(let pointer): pointer.phase
        case .longpress(let phase, _): phase
        case .pinch(let phase, _, _, _): phase
        case .rotation(let phase, _, _, _): phase
        }
    }
}
