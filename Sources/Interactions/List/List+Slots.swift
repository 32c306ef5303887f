package import Geometry
package import Gestures

extension ListParameters {
    package static var clips: Bool { true }

    /// `row-<n>` and `menu`.
    package func slotSize(_ name: String, viewport: Size) -> Size? {
        name == "menu" || isRow(name) ? Size(viewport.width, rowHeight) : nil
    }

    private func isRow(_ name: String) -> Bool {
        guard let row = Int(name.dropFirst("row-".count)) else { return false }
        return row >= 0 && row < rows && name == "row-\(row)"
    }
}

extension List {
    package static var gestures: Set<GestureKind> { [.swipe, .tap, .scroll, .wheel] }
    package var reach: Reach { .frame }
}
