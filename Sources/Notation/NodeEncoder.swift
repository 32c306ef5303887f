extension Node {
    /// The largest whole number that every JSON reader holds exactly.
    package static let exactMax = 1 << 53 - 1

    /// A value as a tree, by its own `Codable`: `decode` makes the same of it, to the bit.
    ///
    /// Whole numbers beyond 2⁵³ and numbers that JSON has no text for stand as strings.
    package init(encoding value: some Encodable) {
        let tree = Tree()
        do {
            try tree.take(value)
        } catch {
            preconditionFailure("\(error) while encoding, which never fails")
        }
        self = tree.node
    }
}

/// A tree that grows while a value is encoded.
final class Tree {
    enum Content {
        case value(Node.Value)
        case list([Tree])
        case table([(name: String, tree: Tree)])
    }

    // What encodes nothing at all is an empty table.
    var content = Content.table([])

    var node: Node {
        switch content {
        case .value(let value): Node(value)
        case .list(let trees): Node(.array(trees.map(\.node)))
        case .table(let members):
            Node(.object(members.map { Node.Member($0.name, $0.tree.node) }))
        }
    }

    func take(_ value: some Encodable) throws {
        if let leaf = Node.Value(leaf: value) {
            content = .value(leaf)
        } else {
            try value.encode(to: TreeEncoder(tree: self))
        }
    }

    func append() -> Tree {
        let tree = Tree()
        guard case .list(var trees) = content else { preconditionFailure("not a list") }
        content = .list([])
        trees.append(tree)
        content = .list(trees)
        return tree
    }

    func member(_ name: String) -> Tree {
        let tree = Tree()
        guard case .table(var members) = content else { preconditionFailure("not a table") }
        content = .table([])
        members.append((name, tree))
        content = .table(members)
        return tree
    }

    var count: Int {
        guard case .list(let trees) = content else { return 0 }
        return trees.count
    }
}

extension Node.Value {
    /// Nil for what is made of others.
    fileprivate init?(leaf value: some Encodable) {
        switch value {
        case let value as Double: self.init(value)
        case let value as Float: self.init(Double(value))
        case let value as Bool: self = .bool(value)
        case let value as String: self = .string(value)
        case let value as any FixedWidthInteger: self.init(value)
        case let value as Node: self = value.value
        default: return nil
        }
    }

    private init(_ value: Double) {
        self = value.isFinite ? .number(value) : .string(value.description)
    }

    private init(_ value: some FixedWidthInteger) {
        if let whole = Int(exactly: value), whole.magnitude <= Node.exactMax {
            self = .integer(whole)
        } else {
            self = .string(String(value))
        }
    }
}

struct TreeEncoder: Encoder {
    let tree: Tree

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(TableEncoder<Key>(tree: tree))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ListEncoder(tree: tree) }
    func singleValueContainer() -> any SingleValueEncodingContainer { LeafEncoder(tree: tree) }
}

private struct TableEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let tree: Tree

    init(tree: Tree) {
        self.tree = tree
        if case .table = tree.content { return }
        tree.content = .table([])
    }

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { tree.member(key.stringValue).content = .value(.null) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try tree.member(key.stringValue).take(value)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(TableEncoder<Nested>(tree: tree.member(key.stringValue)))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ListEncoder(tree: tree.member(key.stringValue))
    }

    func superEncoder() -> any Encoder { TreeEncoder(tree: tree.member("super")) }

    func superEncoder(forKey key: Key) -> any Encoder {
        TreeEncoder(tree: tree.member(key.stringValue))
    }
}

private struct ListEncoder: UnkeyedEncodingContainer {
    let tree: Tree

    init(tree: Tree) {
        self.tree = tree
        if case .list = tree.content { return }
        tree.content = .list([])
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int { tree.count }

    func encodeNil() { tree.append().content = .value(.null) }
    func encode(_ value: some Encodable) throws { try tree.append().take(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(TableEncoder<Nested>(tree: tree.append()))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ListEncoder(tree: tree.append())
    }

    func superEncoder() -> any Encoder { TreeEncoder(tree: tree.append()) }
}

private struct LeafEncoder: SingleValueEncodingContainer {
    let tree: Tree

    var codingPath: [any CodingKey] { [] }

    func encodeNil() { tree.content = .value(.null) }
    func encode(_ value: some Encodable) throws { try tree.take(value) }
}
