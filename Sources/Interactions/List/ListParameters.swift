package import Geometry
package import Notation

/// The parameters of `list`. Lengths in points, durations in seconds.
package struct ListParameters: KindParameters {
    package typealias Component = List

    /// The place of a swiped row's menu.
    package enum Style: String, Hashable, Sendable, CaseIterable {
        /// The menu lies behind the row.
        case reveal
        /// The menu pushes the row out.
        case push
    }

    /// The sides that rows open to.
    package enum Sides: String, Hashable, Sendable, CaseIterable {
        case both, left, right
        /// Rows do not open.
        case none
    }

    /// The side that rows open to, whichever way they are swiped.
    package enum Opens: String, Hashable, Sendable, CaseIterable {
        case left, right
    }

    /// How the open row makes way for another one.
    package enum Others: String, Hashable, Sendable, CaseIterable {
        /// It closes with its bounce while the other opens.
        case animated
        case atOnce = "at-once"
    }

    /// An action that a row's menu offers.
    package struct Action: Hashable, Sendable {
        package var id: String
        package var content: Node?

        package init() { self.init(id: "") }
        package init(id: String) { self.id = id }
    }

    /// How many rows there are.
    package private(set) var rows: Int
    /// The rows, each with an id; nil: the scene gives their number alone.
    package private(set) var listed: ListedRows?
    /// The content of each row where `rows` is a number: `$row` stands for the row's number.
    package var rowContent: Node?
    package var rowHeight = 70.0
    package var style = Style.reveal
    /// Seconds of opening, and of each of the three steps of closing.
    package var duration = 0.2
    /// Moves the rows in place of `duration`, and home in place of the bounce; nil: none does.
    package var spring: SpringParameters?
    /// How far a closing row bounces first; then twice as far.
    package var bounce = 5.0
    package var side = Sides.both
    /// Nil: to the side to which they are swiped.
    package var opens: Opens?
    package var others = Others.animated
    /// From left to right, each as wide as the others; at most `List.actionsMax`.
    package var menu: [Action] = []

    package init(viewport: Size) { self.init(rows: 0) }
    package init(rows: Int) { self.rows = rows }

    /// A list of rows with ids, which must differ.
    package init(listed rows: [ListRow]) {
        self.rows = rows.count
        listed = ListedRows(rows)
    }

    /// Where the content may rest in a frame of that size, if there are so many rows.
    func offsets(of rows: Int, in viewport: Size) -> ClosedRange<Double> {
        0...max(0, Double(rows) * rowHeight - viewport.height)
    }

    package var contentBytes: Int {
        menu.contentBytes + (listed?.contentBytes ?? 0) + (rowContent?.jsonBytes ?? 0)
    }

    package var bulk: Bulk { listed?.bulk ?? Bulk() }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("rows")
        try table.value(
            "rows",
            .either([
                .whole(0...List.rowsMax), .list(.table(ListRow.shape), 0...List.listedRowsMax),
            ]), listed?.node ?? Node(.integer(rows))
        ) { (reader) throws(TableError) in try readRows(&reader) }
        try table.content("row", &rowContent)
        if listed != nil, rowContent != nil {
            throw table.error("row", "cannot stand beside a list of rows, which have content")
        }
        try table.number("row_height", &rowHeight, in: .size)
        try table.choice("style", &style)
        try table.number("duration", &duration, in: .duration)
        try table.table("spring", &spring)
        try table.number("bounce", &bounce, in: .distance)
        try table.choice("side", &side)
        try table.choice("opens", &opens)
        try table.choice("others", &others)
        try table.tables("menu", &menu, called: "action", count: 0...List.actionsMax)
    }
}

extension ListParameters {
    /// A number, or a list of tables.
    private mutating func readRows(_ reader: inout TableReader) throws(TableError) {
        guard let nodes = reader.node("rows")?.array else {
            guard reader.node("rows")?.double != nil else {
                throw reader.error("rows", "must be a whole number, or a list of tables")
            }
            rows = try reader.whole("rows", in: 0...List.rowsMax) ?? 0
            return
        }
        guard nodes.count <= List.listedRowsMax else {
            throw reader.error(
                "rows", "must have at most \(List.listedRowsMax) rows, not \(nodes.count)")
        }
        var (read, ids) = ([ListRow](), Set<String>(minimumCapacity: nodes.count))
        read.reserveCapacity(nodes.count)
        for (place, node) in nodes.enumerated() {
            let path = [reader.path, "row \(place + 1)"].filter { !$0.isEmpty }
                .joined(separator: ", ")
            let row = try ListRow(node, path: path, origin: place)
            guard ids.insert(row.id).inserted else {
                throw TableError(
                    path: path, key: "id", line: node["id"]?.line ?? node.line,
                    message: "\(row.id) is taken by another row")
            }
            read.append(row)
        }
        rows = read.count
        listed = ListedRows(read)
    }

    /// As clients are told of it: rows stand in a topic of their own, and here is their number.
    package var told: Node {
        var told = self
        told.listed = nil
        return told.node
    }
}

extension ListParameters.Action: ParameterEntry {
    package var uniqueID: String? { id }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("id")
        try table.name("id", &id)
        try table.content("content", &content)
    }
}
