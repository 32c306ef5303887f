package import Geometry
import Motion
package import Notation

/// The parameters of `reader`. Lengths in points, durations in seconds.
package struct ReaderParameters: KindParameters {
    package typealias Component = Reader

    package enum Pages: Hashable, Sendable {
        /// At least 1; titled `Page 1`, `Page 2` …
        case count(Int)
        /// At least one.
        case titles([SceneText])
    }

    package var pages: Pages
    /// The first page shown, from 0.
    package var start = 0
    package var size: Size
    package var headerHeight = 55.0
    package var footerHeight = 55.0
    /// In the header's and the footer's own coordinates.
    package var arrow = Rect(13, 4, 21, 39)
    package var duration = 0.2
    /// Moves the pages and the arrows in place of `duration`; nil: none does.
    package var spring: SpringParameters?

    package static var textLists: [String] { ["pages"] }

    package init(viewport: Size) { self.init(pages: .count(1), viewport: viewport) }

    package init(pages: Pages, viewport: Size) {
        self.pages = pages
        size = viewport
    }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("pages")
        try table.value(
            "pages",
            .either([
                .whole(1...Reader.pagesMax), .list(.either([.text, .texts]), 1...Reader.titlesMax),
            ]), pages.node
        ) { (reader) throws(TableError) in pages = try Pages(&reader) }
        try table.whole(
            "start", &start, in: 0...pages.count - 1, widest: 0...Reader.pagesMax - 1)
        try table.size("size", &size)
        try table.number("header_height", &headerHeight, in: .size)
        try table.number("footer_height", &footerHeight, in: .size)
        try table.rect("arrow", &arrow)
        try table.number("duration", &duration, in: .duration)
        try table.table("spring", &spring)
    }
}

extension ReaderParameters {
    /// How the pages and the arrows move.
    var pace: Pace { spring.pace(.easeInOut, seconds: duration) }
}

extension ReaderParameters.Pages {
    package var count: Int {
        switch self {
        case .count(let count): count
        case .titles(let titles): titles.count
        }
    }

    /// The title of a page that exists.
    package func title(_ index: Int) -> SceneText {
        switch self {
        case .count: "Page \(index + 1)"
        case .titles(let titles): titles[index]
        }
    }

    /// A count, or a list of titles.
    fileprivate init(_ reader: inout TableReader) throws(TableError) {
        guard let nodes = reader.node("pages")?.array else {
            self = .count(try reader.whole("pages", in: 1...Reader.pagesMax) ?? 1)
            return
        }
        guard !nodes.isEmpty else { throw reader.error("pages", "must have at least one page") }
        guard nodes.count <= Reader.titlesMax else {
            throw reader.error("pages", "must have at most \(Reader.titlesMax) entries")
        }
        var (titles, errors) = ([SceneText](), [TableError]())
        for (index, node) in nodes.enumerated() where errors.count < Limits.entriesToldMax {
            if let flaw = Self.flaw(ofEntry: index + 1, node) {
                errors.append(reader.error("pages", entry: index, flaw))
            } else if let title = SceneText(node) {
                titles.append(title)
            }
        }
        try TableError.throwFirst(of: errors)
        self = .titles(titles)
    }

    private static func flaw(ofEntry number: Int, _ node: Node) -> String? {
        guard let title = SceneText(node) else {
            return node.members == nil
                ? "entry \(number) must be a string, or strings by language"
                : "entry \(number): \(node.textFlaw)"
        }
        return title.longestBytes <= TableReader.textBytesMax
            ? nil : "entry \(number) must be at most \(TableReader.textBytesMax) bytes long"
    }

    fileprivate var node: Node {
        switch self {
        case .count(let count): Node(.integer(count))
        case .titles(let titles): Node(.array(titles.map(\.node)))
        }
    }
}
