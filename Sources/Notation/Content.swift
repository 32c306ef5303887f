/// Content: a table that a scene carries for its renderers and that nothing here looks into.
extension TableReader {
    /// A table of any members. It forgets their lines: two that say the same are equal.
    package mutating func content(_ key: String) throws(TableError) -> Node? {
        guard let node = node(key) else { return nil }
        guard node.members != nil else { throw error(key, "must be a table") }
        return node.withoutLines
    }
}

extension Node {
    /// The same value from nowhere.
    package var withoutLines: Node {
        switch value {
        case .null, .bool, .integer, .unsigned, .number, .string: Node(value)
        case .array(let elements): Node(.array(elements.map(\.withoutLines)))
        case .object(let members):
            Node(.object(members.map { Member($0.name, $0.value.withoutLines) }))
        }
    }

    /// Levels of tables and lists in it, itself too: 0 for a text, 1 for a table of texts.
    package var depth: Int {
        switch value {
        case .null, .bool, .integer, .unsigned, .number, .string: 0
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
        }
    }

    /// Its length as compact JSON.
    package var jsonBytes: Int {
        switch value {
        case .null: 4
        case .bool(let truth): truth ? 4 : 5
        case .integer(let whole): whole.description.utf8.count
        case .unsigned(let whole): whole.description.utf8.count
        case .number(let number): number.isFinite ? number.description.utf8.count : 4
        case .string(let text): Self.jsonBytes(of: text)
        case .array(let elements):
            elements.reduce(2) { $0 + $1.jsonBytes } + max(0, elements.count - 1)
        case .object(let members):
            // A colon for each, and a comma between them.
            members.reduce(1) { $0 + Self.jsonBytes(of: $1.name) + 2 + $1.value.jsonBytes }
                + (members.isEmpty ? 1 : 0)
        }
    }

    /// Itself, and all values in it.
    package var valueCount: Int {
        switch value {
        case .null, .bool, .integer, .unsigned, .number, .string: 1
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let members): members.reduce(1) { $0 + $1.value.valueCount }
        }
    }

    private static func jsonBytes(of text: String) -> Int {
        text.utf8.reduce(2) { sum, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x0A, 0x0D, 0x09: sum + 2
            case 0..<0x20: sum + 6
            default: sum + 1
            }
        }
    }
}

extension Limits {
    /// Levels of a scene: its record, and the document of its session, nest it some levels deeper,
    /// and have `Node.depthMax`.
    package static let sceneDepthMax = 24
    /// Levels of an argument of a command, and of a notification's data: a scene, and a record,
    /// that take them stay within theirs.
    package static let argumentDepthMax = 16
}
