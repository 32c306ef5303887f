import Geometry

/// Where rows stand while they make place for others.
extension List {
    /// The numbers of the rows that show, from the uppermost place down, at most `shownRowsMax`.
    var rowsThatShow: [Int] {
        guard !shifts.isEmpty else { return Array(shownRows) }
        return shiftedRows.map(\.row)
    }

    /// The same while rows make place for others, each with its upper edge.
    private var shiftedRows: [(row: Int, top: Double)] {
        let near = nearRows
        let points = shifts.displacements(of: near, at: shownStep)
        var showing: [(row: Int, top: Double)] = []
        for (row, points) in zip(near, points) { show(row, top(of: row, points)) }
        for move in shifts.moves where !near.contains(move.first) {
            show(move.first, top(of: move.first))
        }
        showing.sort { $0.row < $1.row }
        return Array(showing.prefix(Self.shownRowsMax))

        func show(_ row: Int, _ top: Double) {
            guard top < viewport.height && top + parameters.rowHeight > 0 else { return }
            showing.append((row, top))
        }
    }

    /// The rows that may show: those whose places are no farther from the frame than rows are out
    /// of their places.
    var nearRows: Range<Int> {
        guard !shifts.isEmpty else { return shownRows }
        let reach = (shifts.reach(at: shownStep) / parameters.rowHeight).rounded(.up)
        let extra = Int(min(reach, Double(List.listedRowsMax))) + 1
        let shown = shownRows
        let first = max(0, shown.lowerBound - extra)
        return first..<max(first, min(rows.count, shown.upperBound + extra))
    }

    /// The upper edge of a row, in points in the component's coordinates.
    func top(of row: Int) -> Double {
        top(of: row, shifts.displacement(of: row, at: shownStep))
    }

    /// The same of a row that is so far below its place.
    private func top(of row: Int, _ displacement: Double) -> Double {
        Double(row) * parameters.rowHeight - scroller.offset + displacement
    }

    /// Changes places while rows make place for others: each row that shows no more has left.
    mutating func moveRows<Result>(_ move: (inout List) -> Result) -> Result {
        let former = rowsThatShow
        let result = move(&self)
        let shown = rowsThatShow
        for row in former where !shown.contains(row) { rowCuts.grow(row) }
        return result
    }

    /// No row that shows moves to where it shows next.
    mutating func cutShownRows() {
        guard !shifts.isEmpty else { return rowCuts.grow(shownRows) }
        for row in rowsThatShow { rowCuts.grow(row) }
    }

    /// The views while rows make place for others. A function of its own, so that a list whose
    /// rows are in their places is shown as fast as before.
    func shiftedViews(into sink: inout some StateSink) {
        let displaced = self.displaced
        let size = Size(viewport.width, parameters.rowHeight)
        func view(_ top: Double, _ x: Double, z: Int, cut: Int) -> ViewState {
            let center = Vector(size.width / 2 + x, top + size.height / 2)
            return ViewState(center: center, size: size, z: z, cut: cut)
        }
        func shift(_ side: Side, _ x: Double) -> Double {
            parameters.style == .reveal ? 0 : x - side.sign * size.width
        }
        if let (row, side, x) = displaced {
            sink.view("menu", view(top(of: row), shift(side, x), z: 0, cut: cuts["menu"]))
        }
        for other in leaving.rows {
            let (row, x) = (other.opened.row, other.bounce.value(at: shownStep))
            sink.view(
                Self.leavingMenu, number: row,
                view(top(of: row), shift(other.opened.side, x), z: 0, cut: menuCuts[row]))
        }
        for (row, top) in shiftedRows {
            var x = row == displaced?.row ? displaced?.x ?? 0 : 0
            for other in leaving.rows where other.opened.row == row {
                x = other.bounce.value(at: shownStep)
            }
            var shown = view(top, x, z: 1, cut: rowCuts[row])
            shown.alpha = shifts.alpha(of: row, at: shownStep)
            sink.view("row-", number: row, shown)
        }
    }
}
