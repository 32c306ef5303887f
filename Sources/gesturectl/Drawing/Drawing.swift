import Geometry
import Manual
import Notation

/// Draws a session on the cells of a terminal: values in, lines out.
struct Drawing {
    /// The largest drawing; a larger terminal stays empty beyond.
    static let columnsMax = 500
    static let rowsMax = 200
    /// The least columns beside the views for a list of components.
    static let panelColumnsMin = 24
    /// The colors of components, in order.
    static let palette: [Style.Paint] = [.cyan, .yellow, .green, .magenta, .blue, .red, .dim]
    /// The palette's index for the edge of the viewport.
    static let edgeColor = 6

    let picture: ShownSession
    let columns: Int
    let rows: Int
    /// The components to draw; empty: all.
    let chosen: [String]
    /// Dots of a point.
    private let scale: Double
    private let viewColumns: Int
    private let viewRows: Int

    init(_ picture: ShownSession, columns: Int, rows: Int, only chosen: [String] = []) {
        self.picture = picture
        self.columns = min(max(columns, 1), Self.columnsMax)
        self.rows = min(max(rows, 1), Self.rowsMax)
        self.chosen = chosen
        // The last line is for the status.
        let across = Double(2 * self.columns - 1)
        let down = Double(4 * max(self.rows - 1, 1) - 1)
        let viewport = picture.viewport
        scale = min(across / viewport.width, down / viewport.height)
        viewColumns = min(self.columns, Int((viewport.width * scale + 1) / 2 + 0.999))
        viewRows = min(max(self.rows - 1, 1), Int((viewport.height * scale + 1) / 4 + 0.999))
    }

    private var names: [String] {
        picture.names.filter { chosen.isEmpty || chosen.contains($0) }
    }

    /// A component's color does not depend on the others shown.
    private func color(of name: String) -> Int {
        (picture.names.firstIndex(of: name) ?? 0) % Self.edgeColor
    }

    private var hasPanel: Bool { columns - viewColumns >= Self.panelColumnsMin }

    func lines(_ style: Style = .plain) -> [ShownText] {
        var views = Canvas(columns: viewColumns, rows: viewRows)
        outline(frame, on: &views, every: 2, color: Self.edgeColor)
        for name in names {
            // A view hides those behind it in its component; components are transparent.
            var layer = Canvas(columns: viewColumns, rows: viewRows)
            for view in picture.components[name]?.views ?? [] {
                draw(view, on: &layer, color: color(of: name))
            }
            views.overlay(layer)
        }
        var page = Canvas(columns: columns, rows: max(rows - 1, 1))
        page.lay(views)
        if hasPanel { list(on: &page) }
        return page.lines(palette: Self.palette, style) + (rows > 1 ? [status] : [])
    }

    private var frame: [Canvas.Point] {
        let (x, y) = (picture.viewport.width * scale, picture.viewport.height * scale)
        return [
            Canvas.Point(x: 0, y: 0), Canvas.Point(x: x, y: 0), Canvas.Point(x: x, y: y),
            Canvas.Point(x: 0, y: y),
        ]
    }

    private func corners(of view: ShownSession.View) -> [Canvas.Point] {
        let (sine, cosine) = Angle.sineCosine(view.rotation)
        let x = view.width * view.scale / 2
        let y = view.height * view.scale / 2
        return [(-x, -y), (x, -y), (x, y), (-x, y)].map { x, y in
            Canvas.Point(
                x: (view.x + x * cosine - y * sine) * scale,
                y: (view.y + x * sine + y * cosine) * scale)
        }
    }

    /// The fainter a view, the fewer dots its edge has.
    private func draw(_ view: ShownSession.View, on canvas: inout Canvas, color: Int) {
        let every: Int
        switch view.alpha {
        case 0.75...: every = 1
        case 0.4...: every = 2
        case 0.1...: every = 4
        default: return
        }
        let corners = corners(of: view)
        guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return }
        if view.alpha >= 0.95 { canvas.clear(corners) }
        outline(corners, on: &canvas, every: every, color: color)
        label(view.name, corners, on: &canvas, color: color)
    }

    private func outline(
        _ corners: [Canvas.Point], on canvas: inout Canvas, every: Int, color: Int
    ) {
        for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            canvas.line(from: a, to: b, every: every, color: color)
        }
    }

    /// Writes the name in the middle of its view, if there is room.
    private func label(
        _ name: String, _ corners: [Canvas.Point], on canvas: inout Canvas, color: Int
    ) {
        let y = corners.map(\.y).reduce(0, +) / 4
        let row = Int((y / 4).rounded(.down).clamped(to: -1...Double(Self.rowsMax)))
        guard (0..<canvas.rows).contains(row) else { return }
        // All four lines of dots in the row need room.
        var (least, most) = (0, canvas.dotsAcross)
        for dot in 0..<4 {
            guard let span = canvas.span(of: corners, at: Double(4 * row + dot)) else { return }
            least = max(least, span.lowerBound)
            most = min(most, span.upperBound)
        }
        let first = (least + 1) / 2 + 1
        let last = (most - 1) / 2 - 1
        let text = Printable.line(name)
        guard !text.isEmpty, last - first + 1 >= text.count else { return }
        canvas.write(
            text, column: first + (last - first + 1 - text.count) / 2, row: row, color: color)
    }

    /// Lists components with their phases, and the counts, beside the views.
    private func list(on page: inout Canvas) {
        let column = viewColumns + 2
        let width = names.map(\.count).max() ?? 0
        for (row, name) in names.enumerated() {
            let phase = Printable.line(picture.components[name]?.phase ?? "")
            page.write(
                "\(Help.padded(Printable.line(name), to: width))  \(phase)", column: column,
                row: row,
                color: color(of: name))
        }
        for (row, text) in picture.counts.enumerated() {
            page.write(Printable.line(text), column: column, row: names.count + 1 + row)
        }
    }

    /// The last line: the session, a notice, and the total count.
    private var status: ShownText {
        var parts = [picture.session]
        let notice = picture.isSilent ? "the daemon does not answer" : picture.notice
        if !notice.isEmpty { parts.append(notice) }
        if !hasPanel {
            parts += names.map { "\($0): \(picture.components[$0]?.phase ?? "")" }
        }
        if picture.total > 0 { parts.append("badge \(picture.total)") }
        return ShownText(
            String(parts.map { Printable.line($0) }.joined(separator: "  ").prefix(columns)))
    }

}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension Canvas {
    /// Copies another canvas, which is no larger, into the top left corner.
    fileprivate mutating func lay(_ other: Canvas) {
        for row in 0..<Swift.min(rows, other.rows) {
            for column in 0..<Swift.min(columns, other.columns) {
                set(column, row, other.cells[row * other.columns + column])
            }
        }
    }
}
