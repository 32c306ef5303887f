/// One value of a JSON or TOML document, with everything below it.
package struct Node: Hashable, Sendable {
    /// Levels of nesting in a JSON or TOML document.
    package static let depthMax = 32

    package enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        case integer(Int)
        /// A whole number that does not fit into `Int`.
        case unsigned(UInt)
        /// Any other number, also a whole number beyond 64 bits.
        case number(Double)
        case string(String)
        case array([Node])
        /// In the order of the text in JSON, sorted by name in TOML, where only texts by language
        /// keep their order. Names may repeat in JSON.
        case object([Member])
    }

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: Node

        package init(_ name: String, _ value: Node) {
            self.name = name
            self.value = value
        }
    }

    package var value: Value
    /// Its line in a file, from 1; a member's line is its name's. Nil in a message.
    package var line: Int?

    package init(_ value: Value, line: Int? = nil) {
        self.value = value
        self.line = line
    }

    /// The member of that name, the last one if it is repeated.
    package subscript(_ name: String) -> Node? {
        guard case .object(let members) = value else { return nil }
        return members.last { $0.name == name }?.value
    }

    package var isNull: Bool { value == .null }

    package var string: String? {
        guard case .string(let text) = value else { return nil }
        return text
    }

    package var bool: Bool? {
        guard case .bool(let truth) = value else { return nil }
        return truth
    }

    /// A whole number, also one written as 3.0.
    package var int: Int? {
        switch value {
        case .integer(let whole): whole
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    /// Any number; finite in JSON, perhaps not in TOML.
    package var double: Double? {
        switch value {
        case .integer(let whole): Double(whole)
        case .unsigned(let whole): Double(whole)
        case .number(let number): number
        default: nil
        }
    }

    package var array: [Node]? {
        guard case .array(let elements) = value else { return nil }
        return elements
    }

    package var members: [Member]? {
        guard case .object(let members) = value else { return nil }
        return members
    }
}
