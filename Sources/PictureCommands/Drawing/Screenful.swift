import Commands
import Geometry
import Manual
import Notation
import Pictures

/// Lays a session's picture and words out on a terminal: values in, lines out.
struct Screenful {
    /// The largest one; a larger terminal stays empty beyond.
    static let columnsMax = 500
    static let rowsMax = 200
    /// The least columns beside the picture for a list of components.
    private static let panelColumnsMin = 24
    /// Pixels of a cell that letters are chosen by; a cell is twice as high as wide.
    private static let cell = (width: 8, height: 16)
    /// How much longer one side of a picture may become than it is.
    private static let stretchMax = 1.05
    /// Pixels of a picture for a terminal that shows pixels, so that it can keep up.
    private static let pixelsMax = 1_500_000.0

    /// A command that draws pixels at the top left corner; empty for lines alone.
    private(set) var graphics: [UInt8] = []
    private(set) var lines: [ShownText] = []

    private let shown: ShownSession
    private let columns: Int
    private let rows: Int
    private let chosen: [String]
    private let style: Style
    private let photos: Photos?

    /// `cell` is the size of a cell in pixels, if the terminal tells it.
    init(
        _ shown: ShownSession, columns: Int, rows: Int, only chosen: [String] = [],
        on kind: TerminalKind, cell: (width: Int, height: Int)? = nil, _ style: Style = .plain,
        photos: Photos? = nil
    ) {
        self.shown = shown
        self.columns = min(max(columns, 1), Self.columnsMax)
        self.rows = min(max(rows, 1), Self.rowsMax)
        self.chosen = chosen
        self.style = style
        self.photos = photos
        let stage = stage(cell: cell ?? Self.cell)
        let panel = panel(width: self.columns - stage.columns - 2)
        if kind.graphics == .symbols {
            layOutCells(stage, panel, kind.colors)
        } else {
            layOutGraphics(stage, panel, kind.graphics, cell: cell ?? (10, 20))
        }
        if let caption = shown.caption, self.rows > 2 { lines.append(told(caption)) }
        if let link = shown.link, self.rows > 3 { lines.append(footer(link)) }
        if self.rows > 1 { lines.append(caption(hasPanel: !panel.isEmpty)) }
    }

    private var stageRows: Int {
        let words = 1 + (shown.caption == nil ? 0 : 1) + (shown.link == nil ? 0 : 1)
        return max(rows - words, 1)
    }

    /// The columns of the picture, and how many are left blank before it.
    private func stage(cell: (width: Int, height: Int)) -> (columns: Int, blank: Int) {
        let viewport = shown.picture.viewport
        let height = Double(stageRows * cell.height)
        let wanted = height * viewport.width / viewport.height / Double(cell.width)
        let width = Int(min(max(wanted.rounded(), 1), Double(columns)))
        let rest = columns - width
        return (width, rest < Self.panelColumnsMin + 2 ? rest / 2 : 0)
    }

    /// The picture as large as it fits, in the middle.
    private func canvas(width: Int, height: Int, leavesText: Bool = false) -> Canvas? {
        let viewport = shown.picture.viewport
        let size = Size(Double(width), Double(height))
        let sides = (size.width / viewport.width, size.height / viewport.height)
        let scale = min(sides.0, sides.1)
        guard let canvas = try? Canvas(size, scale: 1) else { return nil }
        canvas.leavesText = leavesText
        canvas.photos = photos
        canvas.saved {
            // Whole cells leave a thin edge beside the picture, unless it is stretched a little.
            if max(sides.0, sides.1) < scale * Self.stretchMax {
                canvas.stretch(sides.0, sides.1)
            } else {
                canvas.translate(
                    (size.width - viewport.width * scale) / 2,
                    (size.height - viewport.height * scale) / 2)
                canvas.scale(scale)
            }
            if shown.notice.isEmpty || !shown.picture.components.isEmpty {
                Painter(shown.picture, on: canvas, only: Set(chosen)).paint()
            }
        }
        return canvas
    }

    private mutating func layOutCells(
        _ stage: (columns: Int, blank: Int), _ panel: [ShownText], _ colors: TerminalKind.Colors
    ) {
        let (width, height) = (stage.columns * Self.cell.width, stageRows * Self.cell.height)
        // Blocks cannot show words, so these come as letters.
        let cells = canvas(width: width, height: height, leavesText: true).flatMap { blocks in
            canvas(width: width, height: height).flatMap { words in
                blocks.cells(
                    columns: stage.columns, rows: stageRows, colors: colors, words: words)
            }
        }
        let blank = ShownText(String(repeating: " ", count: stage.blank))
        lines = (0..<stageRows).map { row in
            let picture = cells.map { ShownText(cells: $0.row(row), $0.colors) } ?? ""
            return blank + picture + (row < panel.count ? "  " + panel[row] : "")
        }
    }

    private mutating func layOutGraphics(
        _ stage: (columns: Int, blank: Int), _ panel: [ShownText],
        _ kind: TerminalKind.Graphics, cell: (width: Int, height: Int)
    ) {
        let (width, height) = (stage.columns * cell.width, stageRows * cell.height)
        let shrink = min(1, (Self.pixelsMax / Double(width * height)).squareRoot())
        let canvas = canvas(
            width: max(Int(Double(width) * shrink), 1),
            height: max(Int(Double(height) * shrink), 1))
        graphics =
            canvas?.command(columns: stage.columns, rows: stageRows, graphics: kind) ?? []
        lines = (0..<stageRows).map { row in
            let start: ShownText = "\u{1B}[\(stage.columns + 1)G"
            return start + (row < panel.count ? "  " + panel[row] : "")
        }
    }

    // MARK: Words

    private var components: [(id: String, phase: String)] {
        shown.picture.components.filter { chosen.isEmpty || chosen.contains($0.id) }
            .compactMap { component in
                shown.picture.states[component.id].map {
                    (Printable.line(component.id), Printable.line($0.phase))
                }
            }
    }

    /// The components with their phases, the counts and the last transitions; empty where there is
    /// no room.
    private func panel(width: Int) -> [ShownText] {
        guard width >= Self.panelColumnsMin else { return [] }
        let components = components
        let room = min(components.map(\.id.count).max() ?? 0, width / 2)
        var lines = components.map { component in
            let name = Help.padded(String(component.id.prefix(room)), to: room)
            let phase = component.phase.prefix(width - room - 2)
            let isQuiet = Self.quiet.contains(component.phase)
            return style(ShownText(name), .cyan) + "  "
                + style(ShownText(String(phase)), isQuiet ? .dim : .bold)
        }
        let counts = shown.picture.counts
        if !counts.isEmpty { lines.append("") }
        lines += counts.map { kind, count in
            style(ShownText(String(Printable.line("\(kind) \(count)").prefix(width))), .yellow)
        }
        if !shown.transitions.isEmpty { lines.append("") }
        lines += shown.transitions.map { transition in
            let words = Printable.line(
                "\(transition.component): \(transition.name) \(transition.event)")
            return style(ShownText(String(words.prefix(width))), .dim)
        }
        return Array(lines.prefix(stageRows))
    }

    /// Phases in which nothing happens.
    private static let quiet: Set = ["resting", "dismissed", "closed", "expanded"]

    /// The caption of what plays, in the middle of the line before the last.
    private func told(_ caption: String) -> ShownText {
        let words = Printable.line(caption).prefix(columns)
        let blank = ShownText(String(repeating: " ", count: (columns - words.count) / 2))
        return blank + style(ShownText(String(words)), .bold)
    }

    /// The page that shows the same, and how to open it.
    private func footer(_ link: String) -> ShownText {
        let words = Printable.line("\(link)  o opens it").prefix(columns)
        let blank = ShownText(String(repeating: " ", count: (columns - words.count) / 2))
        return blank + style(ShownText(String(words)), .cyan)
    }

    /// The last line: the session, what happens, and how to end.
    private func caption(hasPanel: Bool) -> ShownText {
        var parts: [String] = []
        let notice = shown.isSilent ? "the daemon does not answer" : shown.notice
        if !notice.isEmpty { parts.append(notice) }
        if shown.picture.total > 0 { parts.append("badge \(shown.picture.total)") }
        let shownPhases = components.filter { hasPanel ? !Self.quiet.contains($0.phase) : true }
        parts += shownPhases.prefix(8).map { "\($0.id): \($0.phase)" }
        if let transition = shown.transitions.first {
            parts.append("\(transition.component): \(transition.name) \(transition.event)")
        }
        let end = "  q ends"
        let room = max(columns - shown.session.count - end.count, 0)
        let middle = parts.map { "  " + Printable.line($0) }.joined().prefix(room)
        let session = String(shown.session.prefix(columns))
        var line = style(ShownText(session), .bold) + ShownText(String(middle))
        if columns >= session.count + middle.count + end.count {
            let gap = columns - session.count - middle.count - end.count
            line += style(ShownText(String(repeating: " ", count: gap) + end), .dim)
        }
        return line
    }
}
