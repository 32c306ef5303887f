import Commands
import Pictures

extension ShownText {
    /// Letters of blocks and dots in colors, run by run, without trailing blanks.
    init(cells: ArraySlice<Cells.Cell>, _ colors: TerminalKind.Colors) {
        var cells = cells
        while let last = cells.last, last.letter == " " && last.back == nil { cells.removeLast() }
        var text: ShownText = ""
        // Letters that have the same colors.
        var run = ""
        var shown: (front: Int?, back: Int?) = (nil, nil)
        for cell in cells {
            // A blank shows no front, so it need not change it.
            let front = cell.letter == " " ? shown.front : cell.front
            if colors != .none && (front != shown.front || cell.back != shown.back) {
                let codes = [
                    front == shown.front ? nil : Self.code(of: front, colors, isBack: false),
                    cell.back == shown.back ? nil : Self.code(of: cell.back, colors, isBack: true),
                ]
                text += ShownText(run)
                text += "\u{1B}[\(codes.compactMap { $0 }.joined(separator: ";"))m"
                run = ""
                shown = (front, cell.back)
            }
            run.unicodeScalars.append(cell.letter)
        }
        text += ShownText(run)
        if shown.front != nil || shown.back != nil { text += "\u{1B}[0m" }
        self = text
    }

    /// The number of a color in an escape sequence.
    private static func code(
        of color: Int?, _ colors: TerminalKind.Colors, isBack: Bool
    ) -> String {
        let base = isBack ? 48 : 38
        guard let color else { return "\(base + 1)" }
        switch colors {
        case .millions: return "\(base);2;\(color >> 16 & 255);\(color >> 8 & 255);\(color & 255)"
        case .palette: return "\(base);5;\(color)"
        case .sixteen, .none: return "\((color < 8 ? base - 8 : base + 44) + color)"
        }
    }
}
