package import Geometry
package import Gestures

extension ListParameters {
    package static var clips: Bool { true }

    /// `row-<n>` and `menu`.
    package func slotSize(_ name: String, viewport: Size) -> Size? {
        name == "menu" || isRow(name) ? Size(viewport.width, rowHeight) : nil
    }

    /// All rows are one entry: there may be a million.
    package var slotNames: [String]? {
        switch rows {
        case 0: ["menu"]
        case 1: ["menu", "row-0"]
        default: ["menu", "row-0 to row-\(rows - 1)"]
        }
    }

    private func isRow(_ name: String) -> Bool {
        guard let row = Int(name.dropFirst("row-".count)) else { return false }
        return row >= 0 && row < rows && name == "row-\(row)"
    }
}

extension List {
    package static var gestures: Set<GestureKind> { [.swipe, .tap, .scroll, .wheel] }
    package var reach: Reach { .frame }

    /// Rows that open or bounce home are no aim either.
    package func isInMotion(at point: Vector) -> Bool {
        if scroller.isCoasting { return true }
        guard let row = try? row(at: .point(point)) else { return false }
        if !shifts.isEmpty, shifts.displacement(of: row, at: shownStep) != 0 { return true }
        if leaving.rows.contains(where: { $0.opened.row == row }) { return true }
        switch state {
        case .closed, .open: return false
        case .opening(let opened, _), .closing(let opened, _): return opened.row == row
        }
    }

    /// A row goes on under the finger, and a swipe on it is busy.
    package func stopsMotion(at point: Vector) -> Bool { scroller.isCoasting }

    package func canScroll(by way: Double) -> Bool { scroller.canFollow(way) }
    package func endOfDrag(before way: Double) -> Double? { scroller.endOfDrag(before: way) }
}
