package import Geometry
package import Gestures

/// How much of a component a finger can hit, beside what its slots hold.
package enum Reach: Hashable, Sendable {
    /// Its views that can be touched; else what lies behind.
    case views
    /// Its views, and its frame beyond them.
    case frame
    /// Everything that lands, on this view where on no other: it is modal.
    case all(view: String?)
    /// Everything that lands; what its slots hold is not hit either.
    case closed
}

extension Machine {
    package var reach: Reach { .views }
    package static var gestures: Set<GestureKind> { [] }
    package func isTouchable(_ view: String, isOccupied: Bool) -> Bool { true }

    package func contains(_ place: Vector, in view: String, size: Size) -> Bool {
        Rect(0, 0, size.width, size.height).contains(place)
    }

    package func takesLanding(at point: Vector) -> Bool { true }
    package func isInMotion(at point: Vector) -> Bool { false }
    package func stopsMotion(at point: Vector) -> Bool { isInMotion(at: point) }
    package func catches(at point: Vector) -> Bool { false }
    package func canScroll(by way: Double) -> Bool { false }
    package var sharesDrags: Bool { false }
    package var claimsDrags: Bool { false }
    package func endOfDrag(before way: Double) -> Double? { nil }
}
