import Notation

extension ByteBuffer {
    /// A value by its own `Codable`: the text of `Node(encoding:)`, without the tree between.
    package mutating func json(encoding value: some Encodable) {
        let writer = JSONWriter()
        swap(&writer.buffer, &self)
        do {
            try writer.take(value)
        } catch {
            preconditionFailure("\(error) while encoding, which never fails")
        }
        swap(&writer.buffer, &self)
    }

    /// As a tree has it: what is no number stands as a text.
    fileprivate mutating func json(number value: Double) {
        guard value.isFinite else { return json(value.description) }
        // Most numbers are whole, and their digits are found much faster.
        if let whole = Int(exactly: value), whole.magnitude < 1_000_000_000_000, whole != 0 {
            json(whole)
            append(".0")
        } else if value.bitPattern == 0 {
            append("0.0")
        } else {
            json(exactly: value)
        }
    }
}

/// What is written while values encode themselves, one within the other.
///
/// A table or a list is open until something is written around it: only then is it known that
/// nothing more of it comes.
private final class JSONWriter {
    enum Shape { case table, list }

    private struct Level {
        let shape: Shape
        var isEmpty = true
    }

    var buffer = ByteBuffer(capacity: 64)
    private var levels: [Level] = []

    func open(_ shape: Shape) -> Int {
        buffer.append(shape == .table ? "{" : "[")
        levels.append(Level(shape: shape))
        return levels.count
    }

    /// Closes what is open beyond so many levels.
    func close(to depth: Int) {
        while levels.count > depth, let level = levels.popLast() {
            buffer.append(level.shape == .table ? "}" : "]")
        }
    }

    /// Goes on in the table or list that is so deep; returns whether this is its first place.
    func next(in depth: Int) -> Bool {
        if levels.count > depth { close(to: depth) }
        precondition(levels.count == depth, "a container that was left is written to")
        defer { levels[depth - 1].isEmpty = false }
        return levels[depth - 1].isEmpty
    }

    func take<Value: Encodable>(_ value: Value) throws {
        if Value.self == Node.self, let tree = value as? Node { return buffer.json(tree) }
        let (depth, start) = (levels.count, buffer.count)
        try value.encode(to: JSONEncoder(writer: self))
        close(to: depth)
        // What encodes nothing at all is an empty table.
        if buffer.count == start { buffer.append("{}") }
    }

    // MARK: Leaves

    func writeNull() { buffer.append("null") }
    func write(_ value: Bool) { buffer.json(value) }
    func write(_ value: String) { buffer.json(value) }
    func write(_ value: Double) { buffer.json(number: value) }
    func write(_ value: Float) { buffer.json(number: Double(value)) }

    /// Whole numbers beyond what every reader holds exactly stand as texts.
    func write(_ value: some FixedWidthInteger) {
        if let whole = Int(exactly: value), whole.magnitude <= Node.exactMax {
            buffer.json(whole)
        } else {
            buffer.json(String(value))
        }
    }
}

private struct JSONEncoder: Encoder {
    let writer: JSONWriter

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(TableWriter<Key>(writer: writer, depth: writer.open(.table)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ListWriter(writer: writer, depth: writer.open(.list))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { LeafWriter(writer: writer) }
}

private struct TableWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    private func member(_ key: Key) -> JSONWriter {
        let isFirst = writer.next(in: depth)
        writer.buffer.member(key.stringValue, isFirst: isFirst)
        return writer
    }

    func encodeNil(forKey key: Key) throws { member(key).writeNull() }
    func encode(_ value: Bool, forKey key: Key) throws { member(key).write(value) }
    func encode(_ value: String, forKey key: Key) throws { member(key).write(value) }
    func encode(_ value: Double, forKey key: Key) throws { member(key).write(value) }
    func encode(_ value: Float, forKey key: Key) throws { member(key).write(value) }

    func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) throws {
        member(key).write(value)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws { try member(key).take(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        JSONEncoder(writer: member(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        JSONEncoder(writer: member(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        preconditionFailure("nothing that is kept inherits anything")
    }

    func superEncoder(forKey key: Key) -> any Encoder { JSONEncoder(writer: member(key)) }
}

private struct ListWriter: UnkeyedEncodingContainer {
    let writer: JSONWriter
    let depth: Int
    private(set) var count = 0

    init(writer: JSONWriter, depth: Int) {
        self.writer = writer
        self.depth = depth
    }

    var codingPath: [any CodingKey] { [] }

    private mutating func entry() -> JSONWriter {
        if !writer.next(in: depth) { writer.buffer.append(UInt8(ascii: ",")) }
        count += 1
        return writer
    }

    mutating func encodeNil() throws { entry().writeNull() }
    mutating func encode(_ value: Bool) throws { entry().write(value) }
    mutating func encode(_ value: String) throws { entry().write(value) }
    mutating func encode(_ value: Double) throws { entry().write(value) }
    mutating func encode(_ value: Float) throws { entry().write(value) }

    mutating func encode(_ value: some FixedWidthInteger & Encodable) throws {
        entry().write(value)
    }

    mutating func encode(_ value: some Encodable) throws { try entry().take(value) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        JSONEncoder(writer: entry()).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONEncoder(writer: entry()).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { JSONEncoder(writer: entry()) }
}

private struct LeafWriter: SingleValueEncodingContainer {
    let writer: JSONWriter

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() throws { writer.writeNull() }
    mutating func encode(_ value: Bool) throws { writer.write(value) }
    mutating func encode(_ value: String) throws { writer.write(value) }
    mutating func encode(_ value: Double) throws { writer.write(value) }
    mutating func encode(_ value: Float) throws { writer.write(value) }

    mutating func encode(_ value: some FixedWidthInteger & Encodable) throws {
        writer.write(value)
    }

    mutating func encode(_ value: some Encodable) throws { try writer.take(value) }
}
