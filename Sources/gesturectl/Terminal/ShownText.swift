import Notation
import Pictures

/// Text that may be shown: it can neither command a terminal nor forge a line.
///
/// `Console` prints nothing else. Literals are this program's own words, line ends and colors. A
/// value that is interpolated may be a peer's or a file's: its control characters, line ends and
/// changes of the writing direction are shown by their numbers, as `\u{9b}`.
struct ShownText: Hashable, Sendable, ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += Printable.line(value.description)
        }

        mutating func appendInterpolation(_ shown: ShownText) { text += shown.text }
    }

    private(set) var text: String

    init(stringLiteral literal: String) { text = literal }
    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// One line of anybody's text.
    init(_ text: String) { self.text = Printable.line(text) }

    /// This program's own text of several lines, such as a manual page. It keeps tabs.
    init(ownLines text: String) {
        self.text = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false)
                .map { Printable.line(String($0)) }.joined(separator: "\t")
        }.joined(separator: "\n")
    }

    /// Text of a person's own template. It keeps tabs and line ends.
    init(template text: String) { self.init(ownLines: text) }

    /// Letters of blocks and dots in colors, run by run, without trailing blanks.
    init(cells: ArraySlice<Cells.Cell>, _ colors: TerminalKind.Colors) {
        var cells = cells
        while let last = cells.last, last.letter == " " && last.back == nil { cells.removeLast() }
        text = ""
        var shown: (front: Int?, back: Int?) = (nil, nil)
        for cell in cells {
            // A blank shows no front, so it need not change it.
            let front = cell.letter == " " ? shown.front : cell.front
            if colors != .none && (front != shown.front || cell.back != shown.back) {
                let codes = [
                    front == shown.front ? nil : Self.code(of: front, colors, isBack: false),
                    cell.back == shown.back ? nil : Self.code(of: cell.back, colors, isBack: true),
                ]
                text += "\u{1B}[" + codes.compactMap { $0 }.joined(separator: ";") + "m"
                shown = (front, cell.back)
            }
            text.unicodeScalars.append(cell.letter)
        }
        if shown.front != nil || shown.back != nil { text += "\u{1B}[0m" }
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

    var isEmpty: Bool { text.isEmpty }

    static func + (first: ShownText, second: ShownText) -> ShownText { "\(first)\(second)" }
    static func += (first: inout ShownText, second: ShownText) { first.text += second.text }
}

extension Sequence<ShownText> {
    func joined(separator: ShownText = "") -> ShownText {
        var all: ShownText = ""
        for (index, part) in enumerated() { all += index == 0 ? part : separator + part }
        return all
    }
}
