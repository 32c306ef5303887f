import Interactions
import Notation
import Sessions

extension ListParameters {
    static let reader = ComponentReader(kind: "list") { (table, _) throws(TableError) in
        try table.require("rows")
        let rows = try table.whole("rows", in: 0...Limits.listRowsMax) ?? 0
        var list = ListParameters(rows: rows)
        list.rowHeight = try table.number("row_height", default: list.rowHeight, in: .size)
        list.style = try table.choice("style", default: list.style)
        list.duration = try table.number("duration", default: list.duration, in: .duration)
        list.bounce = try table.number("bounce", default: list.bounce, in: .distance)
        return .list(list)
    }
}
