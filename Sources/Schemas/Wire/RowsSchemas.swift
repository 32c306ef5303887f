import Interactions
import Notation

/// The rows of a list that tells their content: topic `rows/…`, and a member of frames.
enum RowsSchemas {
    static var schema: Schema {
        Schema.both([.record(nil, UpdateSchemas.head()), .ref("#/$defs/told")])
            .about("The rows that show, and their neighbours: topic rows/<session>/<component>.")
            .with(["type": "object", "$defs": ["told": .record(nil, told)]])
    }

    private static var told: [Field] {
        [
            .must("version", .whole(from: 1), "Grows with each change of the rows' content."),
            .must("count", .whole(from: 0, to: List.rowsMax), "How many rows there are."),
            .must("from", .whole(from: 0), "The number of the first row in rows."),
            .must("rows", .list(of: row), "One row after the other."),
        ]
    }

    private static var row: Schema {
        let menu = Schema.ref("scene.json#/$defs/component-\(List.kind)/properties/menu")
        return .record(
            nil,
            [
                .may("id", .common("name"), "Absent where the scene gives a number of rows."),
                .must("content", .object, Words.content),
                .may("menu", menu, "A menu of its own; absent: the list's."),
            ])
    }
}
