package import Notation

/// The rows that a component tells beside its state: their content, on a topic of their own.
package struct ToldRows: Hashable, Sendable {
    /// One row with its content, as it is told.
    package struct Row: Hashable, Sendable {
        /// Nil: the scene gives a number of rows, and they have no ids.
        package var id: String?
        /// Nil: it has none.
        package var content: Node?
        /// A menu of its own; nil: the component's.
        package var menu: [ListParameters.Action]?

        package init(id: String?, content: Node?, menu: [ListParameters.Action]? = nil) {
            self.id = id
            self.content = content
            self.menu = menu
        }
    }

    /// Grows with each change of the rows' content.
    package var version: Int
    /// How many rows there are.
    package var count: Int
    /// The number of the first of those that follow.
    package var from: Int
    package var rows: [Row]

    package init(version: Int, count: Int, from: Int, rows: [Row]) {
        self.version = version
        self.count = count
        self.from = from
        self.rows = rows
    }
}

/// How much of its rows a component would tell now.
package struct RowsOutline: Hashable, Sendable {
    package var version: Int
    /// The version with which the rows come back from what the store keeps of the component; at
    /// most `version`.
    package var savedVersion: Int
    package var count: Int
    /// The rows that show.
    package var shown: Range<Int>
    /// The most rows that are told at once.
    package var countMax: Int
}

extension Machine {
    package var rowsOutline: RowsOutline? { nil }

    package func toldRows(_ rows: Range<Int>) -> ToldRows {
        ToldRows(version: 0, count: 0, from: 0, rows: [])
    }
}
