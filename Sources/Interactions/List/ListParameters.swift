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

    package var rows: Int
    package var rowHeight = 70.0
    package var style = Style.reveal
    /// Seconds of opening, and of each of the three steps of closing.
    package var duration = 0.2
    /// How far a closing row bounces first; then twice as far.
    package var bounce = 5.0

    package init(viewport: Size) { self.init(rows: 0) }
    package init(rows: Int) { self.rows = rows }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("rows")
        try table.whole("rows", &rows, in: 0...List.rowsMax)
        try table.number("row_height", &rowHeight, in: .size)
        try table.choice("style", &style)
        try table.number("duration", &duration, in: .duration)
        try table.number("bounce", &bounce, in: .distance)
    }
}
