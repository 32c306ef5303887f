package import Notation

/// A row of a list that has an id and may have content: as the scene lists it, or as `insert`
/// brought it.
///
/// It never changes. It is an object, so that a list of 10,000 rows makes way for one more within
/// a few microseconds.
package final class ListRow: Sendable {
    package let id: String
    /// A table for renderers; the list does not read it.
    package let content: Node?
    /// A menu of its own; nil: the list's.
    package let menu: [ListParameters.Action]?
    /// Its place in the scene's list; nil: a command brought it.
    package let origin: Int?
    /// The bytes of all content in it, as JSON.
    package let contentBytes: Int

    package init(
        id: String, content: Node? = nil, menu: [ListParameters.Action]? = nil, origin: Int? = nil
    ) {
        self.id = id
        self.content = content
        self.menu = menu
        self.origin = origin
        contentBytes = (content?.jsonBytes ?? 0) + (menu?.contentBytes ?? 0)
    }

    /// The table as which it was read, and which reads back as the same row.
    package var node: Node {
        var members = [Node.Member("id", Node(.string(id)))]
        if let content { members.append(Node.Member("content", content)) }
        if let menu { members.append(Node.Member("menu", Node(.array(menu.map(\.node))))) }
        return Node(.object(members))
    }
}

extension ListRow: Hashable {
    package static func == (one: ListRow, other: ListRow) -> Bool {
        one === other || (one.tellsSame(as: other) && one.origin == other.origin)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Whether both have the same id, content and menu.
    func tellsSame(as other: ListRow) -> Bool {
        self === other || (id == other.id && content == other.content && menu == other.menu)
    }
}

extension ListParameters.Action {
    /// The table that reads back as the same action.
    package var node: Node {
        var members = [Node.Member("id", Node(.string(id)))]
        if let content { members.append(Node.Member("content", content)) }
        return Node(.object(members))
    }
}

extension [ListParameters.Action] {
    /// The bytes of all content in it, as JSON.
    var contentBytes: Int { reduce(0) { $0 + ($1.content?.jsonBytes ?? 0) } }
}

// MARK: - Reading

extension ListRow {
    /// The keys of a row's table.
    private struct Draft: ParameterEntry {
        var id = ""
        var content: Node?
        var menu: [ListParameters.Action]?

        mutating func declare(in table: inout ParameterTable) throws(TableError) {
            try table.require("id")
            try table.name("id", &id)
            try table.content("content", &content)
            let isGiven = table.has("menu")
            var actions = menu ?? []
            try table.tables("menu", &actions, called: "action", count: 0...List.actionsMax)
            if isGiven { menu = actions }
        }
    }

    /// The keys of a row's table, for people's editors and for other programs.
    package static var shape: TableShape {
        var (draft, table) = (Draft(), ParameterTable())
        do throws(TableError) {
            try draft.declare(in: &table)
        } catch {
            preconditionFailure("\(error) while nothing is read")
        }
        return TableShape(
            table.entries.map { entry in
                var entry = entry
                // Absent, it is the list's.
                if entry.key == "menu" { entry.value = nil }
                return entry
            })
    }

    /// Reads a row's table, which has `path` in errors.
    convenience init(_ node: Node, path: String, origin: Int?) throws(TableError) {
        var (draft, table) = (
            Draft(), ParameterTable(reading: try TableReader(node, path: path))
        )
        try draft.declare(in: &table)
        try table.reader?.finish()
        self.init(id: draft.id, content: draft.content, menu: draft.menu, origin: origin)
    }
}
