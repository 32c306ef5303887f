import Geometry

/// Texts on the cells of a terminal: each letter has one cell, in the text's own color.
extension Cells {
    /// Writes a text where it was drawn; a line that is too long ends in an ellipsis.
    mutating func write(_ text: PlacedText, cell: Size) {
        let room = Int(((text.right - text.left) / cell.width).bounded(by: 10_000).rounded())
        let rowsMax = max(1, Int((text.frame.size.height / cell.height).rounded(.up)))
        let lines = Self.lines(of: text.words, width: max(room, 1), most: min(text.lines, rowsMax))
        let middle = (text.frame.origin.y + text.frame.size.height / 2) / cell.height
        let top = Int((middle - Double(lines.count) / 2).bounded(by: 10_000).rounded())
        for (index, line) in lines.enumerated() {
            let row = top + index
            guard (0..<rows).contains(row) else { continue }
            let count = Double(line.unicodeScalars.count)
            let start: Double =
                switch text.alignment {
                case .left: text.left / cell.width
                case .center: (text.left + text.right) / 2 / cell.width - count / 2
                case .right: text.right / cell.width - count
                }
            write(line, row: row, from: Int(start.bounded(by: 10_000).rounded()), text.color)
        }
    }

    private mutating func write(_ line: String, row: Int, from start: Int, _ color: Color) {
        for (index, letter) in line.unicodeScalars.enumerated() {
            let column = start + index
            guard (0..<columns).contains(column) else { continue }
            let place = row * columns + column
            // A block's letter shows its front color, a blank its back.
            let isSolid = cells[place].letter == "\u{2588}"
            let back = isSolid ? cells[place].front : cells[place].back
            cells[place] = Cell(letter: letter, front: number(of: color), back: back)
        }
    }

    /// A color as the mode of colors counts; nil: the terminal's own.
    private func number(of color: Color) -> Int? {
        let levels = [color.red, color.green, color.blue].map { min(max($0, 0), 1) }
        switch colors {
        case .millions:
            return levels.reduce(0) { $0 << 8 | Int(($1 * 255).rounded()) }
        case .palette:
            return levels.reduce(0) { $0 * 6 + Int(($1 * 5).rounded()) } + 16
        case .sixteen:
            return levels.reduce(0, +) > 1.5 ? 15 : 0
        case .none: return nil
        }
    }

    /// Lines of at most `width` letters, broken between words.
    static func lines(of words: String, width: Int, most: Int) -> [String] {
        var lines: [String] = []
        for paragraph in words.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                let isFirst = line.isEmpty
                if isFirst || line.count + 1 + word.count <= width {
                    line += (isFirst ? "" : " ") + word
                } else {
                    lines.append(line)
                    line = String(word)
                }
            }
            lines.append(line)
        }
        let isCut = lines.count > most
        var shown = Array(lines.prefix(max(most, 1)))
        for index in shown.indices {
            let isLast = index == shown.count - 1
            guard shown[index].count > width || (isCut && isLast) else { continue }
            let part = shown[index].prefix(max(width - 1, 0))
            shown[index] = width > 0 ? "\(part)…" : ""
        }
        return shown
    }
}
