package import Geometry

/// The set of gestures that a component listens for in raw contacts.
package struct Recognizers: OptionSet, Hashable, Sendable, Codable {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A pan along both axes.
    package static let pan = Recognizers(rawValue: 1)
    /// A vertical pan that drags the content.
    package static let scroll = Recognizers(rawValue: 2)
    /// A swipe to the left or right.
    package static let swipe = Recognizers(rawValue: 4)
    /// A tap, recognized when the contact lifts.
    package static let tap = Recognizers(rawValue: 8)
    /// A tap, recognized as soon as the contact lands.
    package static let tapOnTouchDown = Recognizers(rawValue: 16)
    package static let longpress = Recognizers(rawValue: 32)
    package static let pinch = Recognizers(rawValue: 64)
    package static let rotation = Recognizers(rawValue: 128)
    /// A pan that begins while the movement is at least as far across as along.
    package static let panAcross = Recognizers(rawValue: 256)
    /// A tap, recognized when the contact lifts, wherever it has been: at the place where it lifts.
    /// The component judges the place.
    package static let press = Recognizers(rawValue: 512)
    /// Beside `scroll`: it begins only while the movement is at least as far along as across.
    package static let mostlyAlong = Recognizers(rawValue: 1_024)
    /// Beside `pan`: two contacts and more hold the thing together, and one that stays pans on.
    package static let grasp = Recognizers(rawValue: 2_048)
}

/// The primary contact itself, whether or not a gesture is recognized.
package enum Touch: Hashable, Sendable {
    /// It landed, at a point in the viewport.
    case down(Vector)
    case moved(Vector)
    /// It lifted or was lost.
    case up
}

/// One sample of a raw contact that drags content vertically.
package struct ContentDrag: Hashable, Sendable {
    package var phase: Phase
    /// Points since the gesture began, positive downwards, without the recognizer's slop.
    package var translation: Double
    /// Points within which a resting finger trembles.
    package var tremble: Double

    package init(
        phase: Phase, translation: Double, tremble: Double = VelocityTracker.tremblePoints
    ) {
        self.phase = phase
        self.translation = translation
        self.tremble = tremble
    }
}

/// One sample of two contacts or more that hold one thing together.
package struct Grasp: Hashable, Sendable {
    package var phase: Phase
    /// Whether the contacts are others than before: the change begins anew, at what is.
    package var isRebased: Bool
    /// The middle of the contacts, in points, when they became these.
    package var origin = Vector.zero
    /// Their middle now.
    package var middle = Vector.zero
    /// The middle of where they landed, at the beginning; nil later.
    package var landing: Vector?
    /// Their distances relative to the beginning; 0 where all are at one point.
    package var scale = 1.0
    /// Radians since the beginning, clockwise on screen.
    package var angle = 0.0

    package init(phase: Phase, isRebased: Bool = false) {
        self.phase = phase
        self.isRebased = isRebased
    }
}
