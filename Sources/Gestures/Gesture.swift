package import Geometry

/// The phases of a continuous gesture.
///
/// This module turns raw contacts into gestures. This file names the gestures, which sources may
/// also send already recognized. `Recognizers` has one state machine per gesture, `Arena` lets them
/// compete for the contacts of one component, `Velocity` measures releases. Names and coding keys
/// are on the wire and in documents; thresholds are UIKit's.
package enum Phase: String, Hashable, Sendable, CaseIterable, Codable {
    case began, changed, ended, cancelled
}

/// The kinds of gestures, named as on the wire.
package enum GestureKind: String, Hashable, Sendable, CaseIterable, Codable {
    case pan, swipe, tap, scroll, pointer, longpress, pinch, rotation
}

/// One sample of a pan.
package struct Pan: Hashable, Sendable {
    package var phase: Phase
    /// In points in the viewport.
    package var location: Vector
    /// In points per second, if the source measured it.
    package var velocity: Vector?

    package init(phase: Phase, location: Vector, velocity: Vector? = nil) {
        self.phase = phase
        self.location = location
        self.velocity = velocity
    }
}

/// A vertical content offset that the client's own scroll view shows.
package struct Scroll: Hashable, Sendable {
    package var phase: Phase
    /// In points; negative if pulled down beyond the top.
    package var offset: Double

    package init(phase: Phase, offset: Double) {
        self.phase = phase
        self.offset = offset
    }
}

/// The aim of a tap or a swipe: a place, or a thing by its number.
package enum Target: Hashable, Sendable {
    case point(Vector)
    case index(Int)
    case row(Int)
}

/// The directions of a swipe.
package enum Direction: String, Hashable, Sendable, CaseIterable, Codable {
    case left, right, up, down
}

/// A quick stroke.
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

/// One sample of a long press.
package struct LongPress: Hashable, Sendable {
    package var phase: Phase
    /// In points, if the source gives it.
    package var location: Vector?

    package init(phase: Phase, location: Vector?) {
        self.phase = phase
        self.location = location
    }
}

/// One sample of two fingers that spread or close.
package struct Pinch: Hashable, Sendable {
    package var phase: Phase
    /// The middle of the fingers, if the source gives it.
    package var location: Vector?
    /// The fingers' distance relative to the beginning; above 0.
    package var scale: Double
    /// The scale's change per second.
    package var velocity: Double?

    package init(phase: Phase, location: Vector?, scale: Double, velocity: Double? = nil) {
        self.phase = phase
        self.location = location
        self.scale = scale
        self.velocity = velocity
    }
}

/// One sample of two fingers that rotate around each other.
package struct Rotation: Hashable, Sendable {
    package var phase: Phase
    /// The middle of the fingers, if the source gives it.
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

/// A sample of any gesture, as it arrives.
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

    /// The number of a raw contact; nil for other gestures.
    package var pointer: Int? {
        if case .pointer(let pointer) = self { return pointer.pointer }
        return nil
    }

    /// Nil for taps and swipes, which are a single event.
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
