import CPictures

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
    package private(set) var cells: [Cell]

    package func row(_ row: Int) -> ArraySlice<Cell> {
        cells[row * columns..<(row + 1) * columns]
    }
}

extension Canvas {
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
