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

    package var rows: Int
    package var rowHeight = 70.0
    package var style = Style.reveal
    /// Seconds of opening, and of each of the three steps of closing.
    package var duration = 0.2
    /// How far a closing row bounces first; then twice as far.
    package var bounce = 5.0
    package var side = Sides.both
    package var others = Others.animated
    /// From left to right, each as wide as the others; at most `List.actionsMax`.
    package var menu: [Action] = []

    package init(viewport: Size) { self.init(rows: 0) }
    package init(rows: Int) { self.rows = rows }

    /// Where the content may rest in a frame of that size.
    func offsets(in viewport: Size) -> ClosedRange<Double> {
        0...max(0, Double(rows) * rowHeight - viewport.height)
    }

    package var contentBytes: Int { menu.reduce(0) { $0 + ($1.content?.jsonBytes ?? 0) } }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("rows")
        try table.whole("rows", &rows, in: 0...List.rowsMax)
        try table.number("row_height", &rowHeight, in: .size)
        try table.choice("style", &style)
        try table.number("duration", &duration, in: .duration)
        try table.number("bounce", &bounce, in: .distance)
        try table.choice("side", &side)
        try table.choice("others", &others)
        try table.tables("menu", &menu, called: "action", count: 0...List.actionsMax)
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
