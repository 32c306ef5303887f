package import Geometry
package import Gestures

extension TipsParameters {
    /// `tip`, the one that shows.
    package func slotSize(_ name: String, viewport: Size) -> Size? {
        name == "tip" ? size : nil
    }

    package var slotNames: [String]? { ["tip"] }
}

extension Tips {
    package static var gestures: Set<GestureKind> { [.pan, .tap] }

    /// It is modal while it is shown.
    package var reach: Reach { phase == "dismissed" ? .views : .all(view: "backdrop") }
    package func isTouchable(_ view: String, isOccupied: Bool) -> Bool { view == "tip" }

    package func isInMotion(at point: Vector) -> Bool {
        guard pose?.contains(point, size: parameters.size) == true else { return false }
        switch state {
        case .dismissed, .resting, .dragging: return false
        case .entering, .returning, .leaving: return true
        case .presenting, .dismissing: return body?.isResting == false
        }
    }

    /// One that leaves has been decided on.
    package func catches(at point: Vector) -> Bool {
        switch state {
        case .entering, .returning: isInMotion(at: point)
        case .dismissed, .presenting, .resting, .dragging, .leaving, .dismissing: false
        }
    }
}
