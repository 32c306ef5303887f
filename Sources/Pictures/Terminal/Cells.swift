import CPictures
import Geometry

/// A picture on the cells of a terminal.
package struct Cells: Hashable, Sendable {
    package struct Cell: Hashable, Sendable {
        package var letter: Unicode.Scalar
        /// A color of 24 bits or an index, as the mode of colors says; nil: the terminal's own.
        package var front: Int?
        package var back: Int?
    }

    package let columns: Int
    package let rows: Int
    package let colors: TerminalKind.Colors
    package internal(set) var cells: [Cell]

    package func row(_ row: Int) -> ArraySlice<Cell> {
        cells[row * columns..<(row + 1) * columns]
    }
}

extension Canvas {
    /// The pixels as letters, and texts by their own. `words` is the same picture with its texts
    /// drawn, where this one leaves them: where both look alike, a text is covered.
    package func cells(
        columns: Int, rows: Int, colors: TerminalKind.Colors, words: Canvas
    ) -> Cells? {
        guard var cells = cells(columns: columns, rows: rows, colors: colors) else { return nil }
        let cell = Size(size.width / Double(columns), size.height / Double(rows))
        for text in texts.prefix(PlacedText.countMax) where isSeen(text, in: words) {
            cells.write(text, cell: cell)
        }
        return cells
    }

    /// Whether a text has made a difference to a picture.
    private func isSeen(_ text: PlacedText, in other: Canvas) -> Bool {
        let frame = text.frame
        let seen: Bool?? = unsafe withPixels { own, width, height, stride in
            unsafe other.withPixels { drawn, otherWidth, otherHeight, otherStride -> Bool in
                guard width == otherWidth, height == otherHeight, stride == otherStride else {
                    return false
                }
                let columns = Self.range(frame.origin.x, frame.size.width, most: Int(width))
                let rows = Self.range(frame.origin.y, frame.size.height, most: Int(height))
                var different = 0
                for y in rows {
                    for x in columns {
                        let place = y * Int(stride) + 4 * x
                        let change = (0..<3).reduce(0) { sum, channel in
                            let (a, b) = unsafe (own[place + channel], drawn[place + channel])
                            return sum + abs(Int(a) - Int(b))
                        }
                        if change > Self.changeMin { different += 1 }
                    }
                }
                return different * Self.pixelsPerLetter > columns.count * rows.count
            }
        }
        return seen == true
    }

    /// The change of a pixel's three channels that the eye sees.
    private static let changeMin = 60
    /// A letter changes one pixel of so many at least.
    private static let pixelsPerLetter = 25

    private static func range(_ start: Double, _ length: Double, most: Int) -> Range<Int> {
        let low = Int(min(max(start.rounded(.down), 0), Double(most)))
        let high = Int(min(max((start + length).rounded(.up), Double(low)), Double(most)))
        return low..<high
    }

    /// The pixels as letters. libchafa chooses for each cell the letter that comes nearest.
    package func cells(columns: Int, rows: Int, colors: TerminalKind.Colors) -> Cells? {
        var raw = [gp_cell](repeating: gp_cell(), count: columns * rows)
        let isGood = unsafe withPixels { data, width, height, stride in
            unsafe gp_cells(
                data, width, height, stride, Int32(columns), Int32(rows), colors.rawValue, &raw)
                == 1
        }
        guard isGood == true else { return nil }
        let cells = raw.map { cell in
            Cells.Cell(
                letter: Unicode.Scalar(cell.letter) ?? " ",
                front: cell.front < 0 ? nil : Int(cell.front),
                back: cell.back < 0 ? nil : Int(cell.back))
        }
        return Cells(columns: columns, rows: rows, colors: colors, cells: cells)
    }

    /// The pixels as a command that draws them at a terminal's cursor.
    package func command(
        columns: Int, rows: Int, graphics: TerminalKind.Graphics
    ) -> [UInt8] {
        let kind = graphics == .kitty ? gp_kitty : gp_sixels
        return unsafe withPixels { data, width, height, stride in
            var count = 0
            guard
                let text = unsafe gp_graphics(
                    data, width, height, stride, Int32(columns), Int32(rows), Int32(kind), &count)
            else { return [] }
            defer { unsafe gp_graphics_free(text) }
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: count)
            return unsafe Array(bytes)
        } ?? []
    }
}
