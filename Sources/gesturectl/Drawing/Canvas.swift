/// Dots and letters on the cells of a terminal. A cell has two by four dots.
struct Canvas: Hashable {
    /// A cell; its letter hides its dots.
    struct Cell: Hashable {
        /// The bits of a braille pattern.
        var dots: UInt8 = 0
        var letter: Character?
        /// An index of the palette; nil for the terminal's own color.
        var color: Int?

        var character: Character {
            if let letter { return letter }
            guard dots != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(dots)) else { return " " }
            return Character(scalar)
        }
    }

    /// A place in dots, from the center of the top left one.
    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    let columns: Int
    let rows: Int
    private(set) var cells: [Cell]

    var dotsAcross: Int { 2 * columns }
    var dotsDown: Int { 4 * rows }

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Cell(), count: columns * rows)
    }

    /// Bits of the dots of a cell, by row and column.
    private static let bits: [[UInt8]] = [
        [0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80],
    ]

    private mutating func set(_ x: Int, _ y: Int, color: Int?) {
        guard (0..<dotsAcross).contains(x), (0..<dotsDown).contains(y) else { return }
        let place = y / 4 * columns + x / 2
        cells[place].dots |= Self.bits[y % 4][x % 2]
        cells[place].color = color
    }

    private mutating func clear(_ x: Int, _ y: Int) {
        let place = y / 4 * columns + x / 2
        cells[place].dots &= ~Self.bits[y % 4][x % 2]
        cells[place].letter = nil
    }

    /// Draws a line with every `every`th of its dots.
    mutating func line(from start: Point, to end: Point, every: Int = 1, color: Int? = nil) {
        guard let (start, end) = clipped(start, end) else { return }
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let count = Int(max(dx.magnitude, dy.magnitude).rounded(.up))
        for step in 0...count where step % every == 0 {
            let part = count == 0 ? 0 : Double(step) / Double(count)
            set(
                Int((start.x + dx * part).rounded()), Int((start.y + dy * part).rounded()),
                color: color)
        }
    }

    /// The part of a line on the canvas, by Liang and Barsky; nil for none.
    private func clipped(_ start: Point, _ end: Point) -> (Point, Point)? {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        guard dx.isFinite, dy.isFinite else { return nil }
        var (from, to) = (0.0, 1.0)
        let edges = [
            (-dx, start.x + 0.5), (dx, Double(dotsAcross) - 0.5 - start.x),
            (-dy, start.y + 0.5), (dy, Double(dotsDown) - 0.5 - start.y),
        ]
        for (slope, room) in edges {
            if slope == 0 {
                if room < 0 { return nil }
            } else if slope < 0 {
                from = max(from, room / slope)
            } else {
                to = min(to, room / slope)
            }
        }
        guard from <= to else { return nil }
        return (
            Point(x: start.x + dx * from, y: start.y + dy * from),
            Point(x: start.x + dx * to, y: start.y + dy * to)
        )
    }

    /// The dots of a row within a convex polygon.
    func span(of polygon: [Point], at y: Double) -> ClosedRange<Int>? {
        var (least, most) = (Double.infinity, -Double.infinity)
        for (a, b) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) {
            guard min(a.y, b.y) <= y, y <= max(a.y, b.y) else { continue }
            let part = a.y == b.y ? 0 : (y - a.y) / (b.y - a.y)
            let ends = a.y == b.y ? [a.x, b.x] : [a.x + (b.x - a.x) * part]
            least = min(least, ends.min() ?? least)
            most = max(most, ends.max() ?? most)
        }
        least = max(least.rounded(.up), 0)
        most = min(most.rounded(.down), Double(dotsAcross - 1))
        return least <= most ? Int(least)...Int(most) : nil
    }

    /// Clears the inside of a convex polygon.
    mutating func clear(_ polygon: [Point]) {
        let top = max(polygon.map(\.y).min() ?? 0, 0).rounded(.up)
        let bottom = min(polygon.map(\.y).max() ?? 0, Double(dotsDown - 1)).rounded(.down)
        guard top <= bottom else { return }
        for y in Int(top)...Int(bottom) {
            guard let span = span(of: polygon, at: Double(y)) else { continue }
            for x in span { clear(x, y) }
        }
    }

    /// Replaces a cell.
    mutating func set(_ column: Int, _ row: Int, _ cell: Cell) {
        cells[row * columns + column] = cell
    }

    /// Writes letters from a cell on; those beyond the edge are left out.
    mutating func write(_ text: String, column: Int, row: Int, color: Int? = nil) {
        guard (0..<rows).contains(row) else { return }
        for (offset, letter) in text.enumerated() where (0..<columns).contains(column + offset) {
            cells[row * columns + column + offset].letter = letter
            cells[row * columns + column + offset].color = color
        }
    }

    /// Lays another canvas of the same size over this one. Where words would touch, this canvas
    /// keeps its own.
    mutating func overlay(_ other: Canvas) {
        var other = other
        for row in 0..<rows { other.removeWords(in: row, touching: self) }
        for place in cells.indices where other.cells[place] != Cell() {
            cells[place].dots |= other.cells[place].dots
            cells[place].letter = cells[place].letter ?? other.cells[place].letter
            cells[place].color = other.cells[place].color ?? cells[place].color
        }
    }

    /// Removes the words of a row that touch words of another canvas.
    private mutating func removeWords(in row: Int, touching other: Canvas) {
        var start = 0
        while start < columns {
            var end = start
            while end < columns, cells[row * columns + end].letter != nil { end += 1 }
            let around = max(start - 1, 0)..<min(end + 1, columns)
            if end > start,
                around.contains(where: { other.cells[row * columns + $0].letter != nil })
            {
                for column in start..<end {
                    cells[row * columns + column].letter = nil
                    // An empty cell must not change the color below it.
                    let isEmpty = cells[row * columns + column].dots == 0
                    if isEmpty { cells[row * columns + column] = Cell() }
                }
            }
            start = end + 1
        }
    }

    /// The rows as text without trailing blanks, colored run by run.
    func lines(palette: [Style.Paint] = [], _ style: Style = .plain) -> [ShownText] {
        (0..<rows).map { row in
            var cells = cells[row * columns..<(row + 1) * columns]
            while let last = cells.last, last.character == " " { cells.removeLast() }
            var text: ShownText = ""
            var run = ""
            var color: Int?
            func paint() -> ShownText {
                guard let color, !palette.isEmpty else { return ShownText(run) }
                return style(run, palette[color % palette.count])
            }
            for cell in cells {
                // A blank shows no color, so it does not end a run.
                if cell.color != color && cell.character != " " {
                    text += paint()
                    run = ""
                    color = cell.color
                }
                run.append(cell.character)
            }
            return text + paint()
        }
    }
}
