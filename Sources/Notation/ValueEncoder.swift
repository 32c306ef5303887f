/// Where the parts of a value go while it encodes itself: a tree, or JSON text.
///
/// `ValueEncoder` calls these in the order of the text, and closes what it opens.
package protocol EncodingOutput: AnyObject {
    func openTable()
    func closeTable()
    func openList()
    func closeList()
    /// A member's name; its value is what comes next.
    func startMember(_ name: String, isFirst: Bool)
    /// An element of a list; its value is what comes next.
    func startElement(isFirst: Bool)
    func writeNull()
    func write(_ truth: Bool)
    func write(_ text: String)
    /// A finite number.
    func write(_ number: Double)
    /// A whole number that every JSON reader holds exactly.
    func write(_ whole: Int)
    func write(_ tree: Node)
}

/// Encodes a value by its own `Codable` into an output, and holds the rules for all outputs:
/// whole numbers beyond 2⁵³ and numbers that are not finite are written as strings, a value that
/// encodes nothing is an empty table, and a `Node` within a value stays as it is.
///
/// A table or a list stays open until something is written around it, because `Encoder` does not
/// say when a container is complete. A value must therefore finish one container before it writes
/// to another.
package final class ValueEncoder {
    private enum Shape { case table, list }

    private struct Level {
        let shape: Shape
        var isEmpty = true
    }

    private let output: any EncodingOutput
    private var levels: [Level] = []
    /// Values and containers so far, to notice a value that encodes nothing.
    private var written = 0

    private init(_ output: any EncodingOutput) { self.output = output }

    package static func encode(_ value: some Encodable, into output: any EncodingOutput) {
        do {
            try ValueEncoder(output).encode(value)
        } catch {
            preconditionFailure("\(error) while encoding, which never fails")
        }
    }

    fileprivate func encode<Value: Encodable>(_ value: Value) throws {
        if Value.self == Node.self, let tree = value as? Node { return write(tree: tree) }
        let (depth, before) = (levels.count, written)
        try value.encode(to: PlaceEncoder(encoder: self))
        close(to: depth)
        if written == before {
            open(.table)
            close(to: depth)
        }
    }

    // MARK: Containers

    /// Opens a container and returns its depth.
    @discardableResult
    private func open(_ shape: Shape) -> Int {
        written += 1
        switch shape {
        case .table: output.openTable()
        case .list: output.openList()
        }
        levels.append(Level(shape: shape))
        return levels.count
    }

    fileprivate var depth: Int { levels.count }
    fileprivate func openTable() -> Int { open(.table) }
    fileprivate func openList() -> Int { open(.list) }

    /// Closes the containers that are open below a depth.
    private func close(to depth: Int) {
        while levels.count > depth, let level = levels.popLast() {
            switch level.shape {
            case .table: output.closeTable()
            case .list: output.closeList()
            }
        }
    }

    /// Goes on in the container at a depth; returns whether this is its first value.
    private func goOn(in depth: Int) -> Bool {
        if levels.count > depth { close(to: depth) }
        precondition(levels.count == depth, "a container that is complete is written to")
        defer { levels[depth - 1].isEmpty = false }
        return levels[depth - 1].isEmpty
    }

    fileprivate func startMember(_ name: String, in depth: Int) {
        let isFirst = goOn(in: depth)
        output.startMember(name, isFirst: isFirst)
    }

    fileprivate func startElement(in depth: Int) {
        let isFirst = goOn(in: depth)
        output.startElement(isFirst: isFirst)
    }

    // MARK: Leaves

    fileprivate func writeNull() {
        written += 1
        output.writeNull()
    }

    fileprivate func write(_ truth: Bool) {
        written += 1
        output.write(truth)
    }

    fileprivate func write(_ text: String) {
        written += 1
        output.write(text)
    }

    fileprivate func write(_ number: Double) {
        written += 1
        if number.isFinite { output.write(number) } else { output.write(number.description) }
    }

    fileprivate func write(_ whole: some FixedWidthInteger) {
        written += 1
        if let exact = Int(exactly: whole), exact.magnitude <= Node.exactMax {
            output.write(exact)
        } else {
            output.write(String(whole))
        }
    }

    fileprivate func write(tree: Node) {
        written += 1
        output.write(tree)
    }
}

extension ClosedRange<Int> {
    /// The whole numbers that every JSON reader holds exactly.
    package static let exact = -Node.exactMax...Node.exactMax
}

extension Node {
    /// The largest whole number that every JSON reader holds exactly.
    package static let exactMax = 1 << 53 - 1

    package func encode(to encoder: any Encoder) throws {
        guard let place = encoder as? PlaceEncoder else {
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "only ValueEncoder encodes a tree"))
        }
        place.encoder.write(tree: self)
    }
}

/// The place where the next value goes.
private struct PlaceEncoder: Encoder {
    let encoder: ValueEncoder
    /// How many containers stand around the value.
    let depth: Int

    init(encoder: ValueEncoder) {
        self.encoder = encoder
        depth = encoder.depth
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// A value that asks again goes on in its table.
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let table = encoder.depth > depth ? depth + 1 : encoder.openTable()
        return KeyedEncodingContainer(TableEncoder<Key>(encoder: encoder, depth: table))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ListEncoder(encoder: encoder, depth: encoder.openList())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        LeafEncoder(encoder: encoder)
    }
}

private struct TableEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    private func member(_ key: Key) -> ValueEncoder {
        encoder.startMember(key.stringValue, in: depth)
        return encoder
    }

    func encodeNil(forKey key: Key) throws { member(key).writeNull() }
    func encode(_ value: Bool, forKey key: Key) throws { member(key).write(value) }
    func encode(_ value: String, forKey key: Key) throws { member(key).write(value) }
    func encode(_ value: Double, forKey key: Key) throws { member(key).write(value) }
    func encode(_ value: Float, forKey key: Key) throws { member(key).write(Double(value)) }

    func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) throws {
        member(key).write(value)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws { try member(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        PlaceEncoder(encoder: member(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        PlaceEncoder(encoder: member(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        preconditionFailure("no value that is encoded inherits from another")
    }

    func superEncoder(forKey key: Key) -> any Encoder { PlaceEncoder(encoder: member(key)) }
}

private struct ListEncoder: UnkeyedEncodingContainer {
    let encoder: ValueEncoder
    let depth: Int
    private(set) var count = 0

    init(encoder: ValueEncoder, depth: Int) {
        self.encoder = encoder
        self.depth = depth
    }

    var codingPath: [any CodingKey] { [] }

    private mutating func element() -> ValueEncoder {
        encoder.startElement(in: depth)
        count += 1
        return encoder
    }

    mutating func encodeNil() throws { element().writeNull() }
    mutating func encode(_ value: Bool) throws { element().write(value) }
    mutating func encode(_ value: String) throws { element().write(value) }
    mutating func encode(_ value: Double) throws { element().write(value) }
    mutating func encode(_ value: Float) throws { element().write(Double(value)) }

    mutating func encode(_ value: some FixedWidthInteger & Encodable) throws {
        element().write(value)
    }

    mutating func encode(_ value: some Encodable) throws { try element().encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        PlaceEncoder(encoder: element()).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        PlaceEncoder(encoder: element()).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { PlaceEncoder(encoder: element()) }
}

private struct LeafEncoder: SingleValueEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() throws { encoder.writeNull() }
    mutating func encode(_ value: Bool) throws { encoder.write(value) }
    mutating func encode(_ value: String) throws { encoder.write(value) }
    mutating func encode(_ value: Double) throws { encoder.write(value) }
    mutating func encode(_ value: Float) throws { encoder.write(Double(value)) }

    mutating func encode(_ value: some FixedWidthInteger & Encodable) throws {
        encoder.write(value)
    }

    mutating func encode(_ value: some Encodable) throws { try encoder.encode(value) }
}
