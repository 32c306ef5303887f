import Interactions
import Notation
import Sessions

extension ReaderParameters {
    static let reader = ComponentReader(kind: "reader") { (table, viewport) throws(TableError) in
        try table.require("pages")
        var reader = ReaderParameters(pages: try pages(&table), viewport: viewport)
        reader.start = try table.whole(
            "start", default: reader.start, in: 0...reader.pages.count - 1)
        reader.size = try table.size("size", default: reader.size)
        reader.headerHeight = try table.number(
            "header_height", default: reader.headerHeight, in: .size)
        reader.footerHeight = try table.number(
            "footer_height", default: reader.footerHeight, in: .size)
        reader.arrow = try table.rect("arrow", default: reader.arrow)
        reader.duration = try table.number("duration", default: reader.duration, in: .duration)
        return .reader(reader)
    }

    /// A count, or a list of titles.
    private static func pages(_ table: inout TableReader) throws(TableError) -> Pages {
        guard table.node("pages")?.array != nil else {
            return .count(try table.whole("pages", in: 1...Limits.readerPagesMax) ?? 1)
        }
        let titles = try table.strings("pages", countMax: Limits.readerTitlesMax) ?? []
        guard !titles.isEmpty else { throw table.error("pages", "must have at least one page") }
        return .titles(titles)
    }
}
