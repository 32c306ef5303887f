package import Geometry
package import Gestures

extension TabsParameters {
    /// `page-<item id>`: the whole frame, over which the bar lies, or what is above the bar.
    package func slotSize(_ name: String, viewport: Size) -> Size? {
        let isPage = items.contains { name == "page-\($0.id)" }
        return isPage ? pageSize : nil
    }

    package var slotNames: [String]? { items.map { "page-\($0.id)" } }

    package func slotRests(_ name: String) -> Bool { true }
}

extension Tabs {
    package static var gestures: Set<GestureKind> { [.tap] }

    /// Arrow, glows and bubble are no targets, nor is a page that holds nothing.
    package func isTouchable(_ view: String, isOccupied: Bool) -> Bool {
        if view.hasPrefix("page-") { return isOccupied }
        return view == "bar" || view.hasPrefix("item-")
    }

    package func takesLanding(at point: Vector) -> Bool { isOnBar(point) }
}
