package import Geometry
package import Gestures
import Motion

// MARK: - What is shown

extension List {
    package var phase: String {
        switch state {
        case .closed: "closed"
        case .opening: "opening"
        case .open: "open"
        case .closing: "closing"
        }
    }

    /// The row that is out of its place and makes no way, and its distance in points to the right.
    var displaced: (row: Int, side: Side, x: Double)? {
        switch state {
        case .closed: nil
        case .opening(let opened, let way):
            (opened.row, opened.side, way.value(at: shownStep))
        case .open(let opened):
            (opened.row, opened.side, opened.side.sign * viewport.width)
        case .closing(let opened, let bounce):
            (opened.row, opened.side, bounce.value(at: shownStep))
        }
    }

    package func model(into sink: inout some StateSink) {
        let displaced = self.displaced
        field("row", displaced?.row, into: &sink)
        sink.field("direction", displaced?.side.rawValue)
        field("selected", selected, into: &sink)
        sink.field("offset", points: scroller.offset)
    }

    private func field(_ name: StaticString, _ row: Int?, into sink: inout some StateSink) {
        if let row { sink.field(name, row) } else { sink.null(name) }
    }

    /// Before the number of a row that makes way: the name of its menu's view.
    static let leavingMenu: StaticString = "menu-"

    package func views(into sink: inout some StateSink) {
        if !shifts.isEmpty { return shiftedViews(into: &sink) }
        let displaced = self.displaced
        let size = Size(viewport.width, parameters.rowHeight)
        func place(_ row: Int, _ x: Double) -> Vector {
            Vector(
                size.width / 2 + x, Double(row) * size.height - scroller.offset + size.height / 2)
        }
        // A pushing menu stands beside its row, on the side that it comes from.
        func menu(_ row: Int, _ side: Side, _ x: Double, cut: Int) -> ViewState {
            let shift: Double
            switch parameters.style {
            case .reveal: shift = 0
            case .push: shift = x - side.sign * size.width
            }
            return ViewState(center: place(row, shift), size: size, z: 0, cut: cut)
        }
        if let (row, side, x) = displaced {
            sink.view("menu", menu(row, side, x, cut: cuts["menu"]))
        }
        for other in leaving.rows {
            let (row, x) = (other.opened.row, other.bounce.value(at: shownStep))
            sink.view(
                Self.leavingMenu, number: row,
                menu(row, other.opened.side, x, cut: menuCuts[row]))
        }
        for row in shownRows {
            var x = row == displaced?.row ? displaced?.x ?? 0 : 0
            for other in leaving.rows where other.opened.row == row {
                x = other.bounce.value(at: shownStep)
            }
            sink.view(
                "row-", number: row,
                ViewState(center: place(row, x), size: size, z: 1, cut: rowCuts[row]))
        }
    }

    /// The rows whose places lie in the frame, wherever the one that is out of its place stands.
    var shownRows: Range<Int> {
        // Compared as doubles: the quotients may be beyond `Int`.
        func row(_ place: Double) -> Int {
            Int(min(max(0, place), Double(rows.count)))
        }
        let top = scroller.offset / parameters.rowHeight
        let bottom = (scroller.offset + viewport.height) / parameters.rowHeight
        let first = row(top.rounded(.down))
        return first..<max(first, min(row(bottom.rounded(.up)), first + Self.shownRowsMax))
    }
}

extension List {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        let rows = 0..<self.rows.count
        guard viewport == self.viewport, selected.map(rows.contains) != false,
            scroller.isSound(like: Scroller(bounds: offsets, extent: viewport.height)),
            shifts.isSound(rows: rows.count)
        else { return false }
        var out = leaving.rows.map(\.opened.row)
        guard out.count <= Self.leavingMax, leaving.rows.allSatisfy({ $0.bounce.isSound }) else {
            return false
        }
        switch state {
        case .closed: break
        case .open(let opened): out.append(opened.row)
        case .opening(let opened, let way):
            guard way.isSound else { return false }
            out.append(opened.row)
        case .closing(let opened, let bounce):
            guard bounce.isSound else { return false }
            out.append(opened.row)
        }
        return out.allSatisfy(rows.contains) && Set(out).count == out.count
    }
}
