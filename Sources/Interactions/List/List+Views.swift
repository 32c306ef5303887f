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
    private var displaced: (row: Int, side: Side, x: Double)? {
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

    package func views(into sink: inout some StateSink) {
        let displaced = self.displaced
        let size = Size(viewport.width, parameters.rowHeight)
        func place(_ row: Int, _ x: Double) -> Vector {
            Vector(
                size.width / 2 + x, Double(row) * size.height - scroller.offset + size.height / 2)
        }
        if let (row, side, x) = displaced {
            // A pushing menu stands beside the row, on the side that it comes from.
            let menu: Double
            switch parameters.style {
            case .reveal: menu = 0
            case .push: menu = x - side.sign * size.width
            }
            sink.view(
                "menu",
                ViewState(center: place(row, menu), size: size, z: 0, cut: cuts["menu"]))
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
            Int(min(max(0, place), Double(parameters.rows)))
        }
        let top = scroller.offset / parameters.rowHeight
        let bottom = (scroller.offset + viewport.height) / parameters.rowHeight
        let first = row(top.rounded(.down))
        return first..<max(first, min(row(bottom.rounded(.up)), first + Self.shownRowsMax))
    }
}

extension List {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        let rows = 0..<parameters.rows
        guard viewport == self.viewport, selected.map(rows.contains) != false,
            scroller.isSound(like: List(parameters, viewport: viewport, tracker: tracker).scroller)
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
