package import Geometry
package import Gestures

extension TipsParameters {
    /// `tip`, the one that shows.
    package func slotSize(_ name: String, viewport: Size) -> Size? {
        name == "tip" ? size : nil
    }
}

extension Tips {
    package static var gestures: Set<GestureKind> { [.pan] }

    /// It is modal while it is shown.
    package var reach: Reach { phase == "dismissed" ? .views : .all(view: "backdrop") }
    package func isTouchable(_ view: String, isOccupied: Bool) -> Bool { view == "tip" }
}
