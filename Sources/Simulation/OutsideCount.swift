package import Geometry
import Gestures
package import Sessions

/// Contacts and gestures on sessions' own topics that begin outside of the viewport.
///
/// Nothing lies there, so they touch nothing, and no rejection tells of them: mostly the size of a
/// screen is wrong.
package struct OutsideCount: Hashable, Sendable {
    /// One that began outside.
    package struct Beginning: Hashable, Sendable {
        package var place: Vector
        /// Its session's.
        package var viewport: Size
    }

    package private(set) var count = 0
    /// Nil while there is none.
    package private(set) var first: Beginning?

    package init() {}

    /// Counts an event, if it begins something outside.
    package mutating func note(_ event: Event, viewport: Size) {
        guard case .gesture(component: nil, let gesture) = event.payload,
            gesture.phase ?? .began == .began, let place = gesture.point,
            !Rect(0, 0, viewport.width, viewport.height).contains(place)
        else { return }
        count += 1
        if first == nil { first = Beginning(place: place, viewport: viewport) }
    }
}
