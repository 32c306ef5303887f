package import Geometry

/// Where in its life a continuous gesture is.
package enum Phase: String, Hashable, Sendable, CaseIterable, Codable {
    case began, changed, ended, cancelled
}

/// What kinds of gestures there are, named as on the wire.
package enum GestureKind: String, Hashable, Sendable, CaseIterable, Codable {
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
package enum Direction: String, Hashable, Sendable, CaseIterable, Codable {
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

/// A press that lasts, already recognised.
package struct LongPress: Hashable, Sendable {
    package var phase: Phase
    /// Where the source gives it.
    package var location: Vector?

    package init(phase: Phase, location: Vector?) {
        self.phase = phase
        self.location = location
    }
}

/// Two fingers that spread or close, already recognised.
package struct Pinch: Hashable, Sendable {
    package var phase: Phase
    /// The middle of the fingers, where the source gives it.
    package var location: Vector?
    /// The fingers' distance, as a multiple of what it was at the beginning; above 0.
    package var scale: Double
    /// Multiples per second.
    package var velocity: Double?

    package init(phase: Phase, location: Vector?, scale: Double, velocity: Double? = nil) {
        self.phase = phase
        self.location = location
        self.scale = scale
        self.velocity = velocity
    }
}

/// Two fingers that turn around each other, already recognised.
package struct Rotation: Hashable, Sendable {
    package var phase: Phase
    /// The middle of the fingers, where the source gives it.
    package var location: Vector?
    /// Radians since the beginning, clockwise on screen.
    package var angle: Double
    /// Radians per second.
    package var velocity: Double?

    package init(phase: Phase, location: Vector?, angle: Double, velocity: Double? = nil) {
        self.phase = phase
        self.location = location
        self.angle = angle
        self.velocity = velocity
    }
}

/// Any gesture sample, as it arrives.
package enum Gesture: Hashable, Sendable {
    case pan(Pan)
    case swipe(Swipe)
    case tap(Target)
    case scroll(Scroll)
    case pointer(Pointer)
    case longpress(LongPress)
    case pinch(Pinch)
    case rotation(Rotation)

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

    /// The number of a raw contact.
    package var pointer: Int? {
        if case .pointer(let pointer) = self { return pointer.pointer }
        return nil
    }

    /// Nil for the discrete ones, which are over at once.
    package var phase: Phase? {
        switch self {
        case .pan(let pan): pan.phase
        case .swipe, .tap: nil
        case .scroll(let scroll): scroll.phase
        case .pointer(let pointer): pointer.phase
        case .longpress(let press): press.phase
        case .pinch(let pinch): pinch.phase
        case .rotation(let rotation): rotation.phase
        }
    }
}
