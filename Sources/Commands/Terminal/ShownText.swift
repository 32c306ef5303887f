import Notation

/// Text that may be shown: it can neither command a terminal nor forge a line.
///
/// `Console` prints nothing else. Literals are this program's own words, line ends and colors. A
/// value that is interpolated may be a peer's or a file's: its control characters, line ends and
/// changes of the writing direction are shown by their numbers, as `\u{9b}`.
package struct ShownText: Hashable, Sendable, ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += Printable.line(value.description)
        }

        package mutating func appendInterpolation(_ shown: ShownText) { text += shown.text }
    }

    package private(set) var text: String

    package init(stringLiteral literal: String) { text = literal }
    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// One line of anybody's text.
    package init(_ text: String) { self.text = Printable.line(text) }

    /// This program's own text of several lines, such as a manual page. It keeps tabs.
    package init(ownLines text: String) {
        self.text = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false)
                .map { Printable.line(String($0)) }.joined(separator: "\t")
        }.joined(separator: "\n")
    }

    /// Text of a person's own template. It keeps tabs and line ends.
    package init(template text: String) { self.init(ownLines: text) }

    package var isEmpty: Bool { text.isEmpty }

    package static func + (first: ShownText, second: ShownText) -> ShownText { "\(first)\(second)" }
    package static func += (first: inout ShownText, second: ShownText) { first.text += second.text }
}

extension Sequence<ShownText> {
    package func joined(separator: ShownText = "") -> ShownText {
        var all: ShownText = ""
        for (index, part) in enumerated() { all += index == 0 ? part : separator + part }
        return all
    }
}
