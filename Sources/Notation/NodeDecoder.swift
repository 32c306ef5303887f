/// Why a tree cannot be decoded.
package struct NodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path to the place, as `machines.2.state`; empty for the whole tree.
    package var path: String
    package var message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    fileprivate init(_ error: any Error) {
        guard let error = error as? DecodingError else {
            self.init(path: "", message: "\(error)")
            return
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(context.codingPath + [key], "is required")
        case .dataCorrupted(let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            self.init(context.codingPath, context.debugDescription)
        @unknown default: self.init(path: "", message: "\(error)")
        }
    }

    private init(_ path: [any CodingKey], _ message: String) {
        self.init(
            path: path.map { TableReader.shortened($0.stringValue) }.joined(separator: "."),
            message: message)
    }

    package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

extension Node {
    /// Decodes the value that `Node(encoding:)` made this tree from. It ignores unknown members.
    ///
    /// If `isFinite` is true it refuses infinities and NaN, which no state holds.
    package func decode<Value: Decodable>(
        _ type: Value.Type, isFinite: Bool = true,
        with info: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(NodeError) -> Value {
        let rules = Rules(isFinite: isFinite, info: info)
        do {
            return try TreeDecoder(node: self, codingPath: [], rules: rules).value(type)
        } catch {
            throw NodeError(error)
        }
    }
}

extension Decoder {
    /// An error at the decoder's place.
    package func error(_ message: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
    }
}

/// The rules for a whole tree.
private struct Rules {
    var isFinite: Bool
    var info: [CodingUserInfoKey: any Sendable]
}

private struct Place: CodingKey {
    let intValue: Int?

    init(_ place: Int) { intValue = place }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { nil }

    var stringValue: String { String(intValue ?? 0) }
}

private struct TreeDecoder: Decoder {
    let node: Node
    let codingPath: [any CodingKey]
    let rules: Rules

    var userInfo: [CodingUserInfoKey: Any] { rules.info }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        guard let members = node.members else { throw error("must be a table") }
        return KeyedDecodingContainer(TableDecoder<Key>(members: members, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let nodes = node.array else { throw error("must be a list") }
        return ListDecoder(nodes: nodes, decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        LeafDecoder(decoder: self)
    }

    func below(_ node: Node, _ key: any CodingKey) -> TreeDecoder {
        TreeDecoder(node: node, codingPath: codingPath + [key], rules: rules)
    }

    // MARK: Leaves

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let leaf: Any?
        switch type {
        case is Double.Type: leaf = try number()
        case is Float.Type: leaf = try narrowNumber()
        case is Bool.Type:
            guard let truth = node.bool else { throw error("must be true or false") }
            leaf = truth
        case is String.Type:
            guard let text = node.string else { throw error("must be a string") }
            leaf = text
        case let type as any FixedWidthInteger.Type: leaf = try whole(type)
        case is Node.Type: leaf = node
        default: leaf = nil
        }
        if let leaf = leaf as? Value { return leaf }
        return try Value(from: self)
    }

    private func number() throws -> Double {
        if let number = node.double, number.isFinite { return number }
        if !rules.isFinite, let text = node.string, let number = Double(text) { return number }
        throw error("must be a finite number")
    }

    /// A number that single precision holds, rounded to it; beyond its range there are infinities.
    private func narrowNumber() throws -> Float {
        let number = Float(try number())
        if rules.isFinite, !number.isFinite { throw error("must be a number of single precision") }
        return number
    }

    /// A string stands for a number beyond 2⁵³, except for `Int`, whose values are counts.
    private func whole<Whole: FixedWidthInteger>(_ type: Whole.Type) throws -> Whole {
        if let whole = node.int, whole.magnitude <= Node.exactMax,
            let value = Whole(exactly: whole)
        {
            return value
        }
        if type != Int.self, let text = node.string, let value = Whole(text) { return value }
        throw error("must be a whole number of \(Whole.bitWidth) bits")
    }
}

private struct TableDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [Node.Member]
    let decoder: TreeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { decoder.node[key.stringValue] != nil }

    private func below(_ key: Key) throws -> TreeDecoder {
        guard let node = decoder.node[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: ""))
        }
        return decoder.below(node, key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try below(key).node.isNull }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try below(key).value(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try below(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try below(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try below(key) }
}

private struct ListDecoder: UnkeyedDecodingContainer {
    let nodes: [Node]
    let decoder: TreeDecoder
    private(set) var currentIndex = 0

    init(nodes: [Node], decoder: TreeDecoder) {
        self.nodes = nodes
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { nodes.count }
    var isAtEnd: Bool { currentIndex == nodes.count }

    private mutating func next() throws -> TreeDecoder {
        guard !isAtEnd else { throw decoder.error("must have more than \(nodes.count) entries") }
        defer { currentIndex += 1 }
        return decoder.below(nodes[currentIndex], Place(currentIndex))
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, nodes[currentIndex].isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().value(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct LeafDecoder: SingleValueDecodingContainer {
    let decoder: TreeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.node.isNull }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
}

extension Node: Codable {
    /// A tree within a value is taken unchanged.
    package init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? TreeDecoder else {
            throw decoder.error("a tree can only be taken from a tree")
        }
        self = decoder.node
    }
}
