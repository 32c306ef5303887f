package import Geometry
package import Notation

/// The keys of one table, each stated once with the property behind it.
///
/// While it reads, a key that stands in the table replaces the property's value. While it lists,
/// the property's value is noted as the key's, and nothing throws.
package struct ParameterTable {
    /// One key of a table, with the property's value.
    package typealias Entry = TableShape.Entry

    /// Nil while it lists.
    package private(set) var reader: TableReader?
    package private(set) var entries: [Entry] = []
    private var required: [String] = []

    /// A table that lists.
    package init() {}

    /// A table that reads.
    package init(reading reader: TableReader) { self.reader = reader }

    /// Throws unless the key stands there.
    package mutating func require(_ key: String) throws(TableError) {
        if reader == nil { required.append(key) } else { try reader?.require(key) }
    }

    /// Whether a key stands there; never while it lists.
    package mutating func has(_ key: String) -> Bool { reader?.node(key) != nil }

    /// An error at a key of this table.
    package func error(_ key: String, _ message: String) -> TableError {
        reader?.error(key, message) ?? TableError(path: "", key: key, message: message)
    }

    private mutating func note(
        _ key: String, _ shape: @autoclosure () -> ValueShape, _ value: @autoclosure () -> Node?
    ) {
        guard reader == nil else { return }
        entries.append(
            Entry(key, shape(), value: value(), isRequired: required.contains(key)))
    }
}

// MARK: - Values

extension ParameterTable {
    package mutating func number(
        _ key: String, _ value: inout Double, in range: NumberRange
    ) throws(TableError) {
        if let read = try reader?.number(key, in: range) { value = read }
        note(key, .number(range), Node(.number(value)))
    }

    /// A key that has no value of its own: it stands for others. Nil where it is absent.
    package mutating func number(
        _ key: String, in range: NumberRange
    ) throws(TableError) -> Double? {
        note(key, .number(range), nil)
        return try reader?.number(key, in: range)
    }

    /// `widest` is the range over all tables where `range` depends on other keys.
    package mutating func whole(
        _ key: String, _ value: inout Int, in range: ClosedRange<Int>,
        widest: ClosedRange<Int>? = nil
    ) throws(TableError) {
        if let read = try reader?.whole(key, in: range) { value = read }
        note(key, .whole(widest ?? range), Node(.integer(value)))
    }

    package mutating func wholeRange(
        _ key: String, _ value: inout ClosedRange<Int>, in range: ClosedRange<Int>
    ) throws(TableError) {
        if let read = try reader?.wholeRange(key, default: value, in: range) { value = read }
        note(
            key, .row([.whole(range), .whole(range)]),
            Node(.array([Node(.integer(value.lowerBound)), Node(.integer(value.upperBound))])))
    }

    package mutating func bool(_ key: String, _ value: inout Bool) throws(TableError) {
        if let read = try reader?.bool(key, default: value) { value = read }
        note(key, .bool, Node(.bool(value)))
    }

    /// A truth that may be absent.
    package mutating func bool(_ key: String, _ value: inout Bool?) throws(TableError) {
        if reader?.node(key) != nil { value = try reader?.bool(key, default: false) }
        note(key, .bool, value.map { Node(.bool($0)) })
    }

    package mutating func string(_ key: String, _ value: inout String) throws(TableError) {
        if let read = try reader?.string(key) { value = read }
        note(key, .text, Node(.string(value)))
    }

    /// A string that may be absent.
    package mutating func string(_ key: String, _ value: inout String?) throws(TableError) {
        if let read = try reader?.string(key) { value = read }
        note(key, .text, value.map { Node(.string($0)) })
    }

    /// A text, or texts by language, each of at most `bytesMax` bytes.
    package mutating func text(
        _ key: String, _ value: inout SceneText, bytesMax: Int = TableReader.textBytesMax
    ) throws(TableError) {
        if let read = try reader?.sceneText(key, bytesMax: bytesMax) { value = read }
        note(
            key, .either([.text(bytesMax: bytesMax), .texts(bytesMax: bytesMax)]), value.node)
    }

    /// A text, or texts by language, which may be absent.
    package mutating func text(_ key: String, _ value: inout SceneText?) throws(TableError) {
        var read = value ?? ""
        if reader?.node(key) != nil {
            try text(key, &read)
            value = read
        }
        let bytesMax = TableReader.textBytesMax
        note(
            key, .either([.text(bytesMax: bytesMax), .texts(bytesMax: bytesMax)]), value?.node)
    }

    /// A name as in topics.
    package mutating func name(_ key: String, _ value: inout String) throws(TableError) {
        if let read = try reader?.name(key) { value = read }
        note(key, .name, Node(.string(value)))
    }

    /// A list of names as in topics.
    package mutating func names(
        _ key: String, _ value: inout [String], countMax: Int
    ) throws(TableError) {
        if let read = try reader?.names(key, default: value, countMax: countMax) { value = read }
        note(
            key, .list(.name, 0...countMax),
            Node(.array(value.map { Node(.string($0)) })))
    }

    /// One of an enum's raw values.
    package mutating func choice<Choice>(
        _ key: String, _ value: inout Choice
    ) throws(TableError)
    where Choice: RawRepresentable<String> & CaseIterable {
        if let read = try reader?.choice(key, default: value) { value = read }
        note(key, .choice(Choice.allCases.map(\.rawValue)), Node(.string(value.rawValue)))
    }

    /// One of an enum's raw values, which may be absent.
    package mutating func choice<Choice>(
        _ key: String, _ value: inout Choice?
    ) throws(TableError)
    where Choice: RawRepresentable<String> & CaseIterable {
        if let first = Choice.allCases.first, reader?.node(key) != nil {
            value = try reader?.choice(key, default: first)
        }
        note(
            key, .choice(Choice.allCases.map(\.rawValue)), value.map { Node(.string($0.rawValue)) })
    }

    /// `[w, h]` in points.
    package mutating func size(_ key: String, _ value: inout Size) throws(TableError) {
        if let read = try reader?.size(key) { value = read }
        note(key, .size, Node(numbers: [value.width, value.height]))
    }

    /// `[x, y]` in points, which may be absent.
    package mutating func point(_ key: String, _ value: inout Vector?) throws(TableError) {
        if let read = try reader?.point(key) { value = read }
        note(key, .point, value.map { Node(numbers: [$0.x, $0.y]) })
    }

    /// `[x, y, w, h]` in points.
    package mutating func rect(_ key: String, _ value: inout Rect) throws(TableError) {
        if let read = try reader?.rect(key) { value = read }
        note(key, .rect, Node(value))
    }

    /// `[x, y, w, h]` in points, which may be absent.
    package mutating func rect(_ key: String, _ value: inout Rect?) throws(TableError) {
        if let read = try reader?.rect(key) { value = read }
        note(key, .rect, value.map { Node($0) })
    }

    /// A table that is handed through unread, and that may be absent.
    package mutating func content(_ key: String, _ value: inout Node?) throws(TableError) {
        if let read = try reader?.content(key) { value = read }
        note(key, .content, value)
    }

    /// Whatever else: `read` sets the property where the key stands in the table.
    package mutating func value(
        _ key: String, _ shape: @autoclosure () -> ValueShape,
        _ value: @autoclosure () -> Node,
        read: (inout TableReader) throws(TableError) -> Void
    ) throws(TableError) {
        if var table = reader {
            try read(&table)
            reader = table
        }
        note(key, shape(), value())
    }
}

// MARK: - Tables within tables

/// A table within a table, or within a list.
package protocol ParameterEntry {
    /// All defaults.
    init()

    /// States every key with the property behind it.
    mutating func declare(in table: inout ParameterTable) throws(TableError)

    /// Its name, which no other entry of the list may have; nil: entries have no names.
    var uniqueID: String? { get }
    /// The key of that name.
    static var idKey: String { get }
}

extension ParameterEntry {
    package static var idKey: String { "id" }
    package var uniqueID: String? { nil }
}

extension ParameterTable {
    /// A table of its own at a key.
    package mutating func table<Element: ParameterEntry>(
        _ key: String, _ value: inout Element
    ) throws(TableError) {
        if let node = try reader?.table(key) {
            let path = [reader?.path ?? "", key].filter { !$0.isEmpty }.joined(separator: ", ")
            value = try Self.entry(Element.self, node, path: path)
        }
        let entries = Self.list(value)
        note(key, .table(TableShape(entries)), Self.node(entries))
    }

    /// A table of its own at a key, which may be absent.
    package mutating func table<Element: ParameterEntry>(
        _ key: String, _ value: inout Element?
    ) throws(TableError) {
        var read = value ?? Element()
        if reader?.node(key) != nil {
            try table(key, &read)
            value = read
        }
        note(
            key, .table(TableShape(Self.list(read))), value.map { Self.node(Self.list($0)) })
    }

    /// A list of tables, each called `name` and its number in errors. Their ids are unique.
    package mutating func tables<Element: ParameterEntry>(
        _ key: String, _ value: inout [Element], called name: String, count: ClosedRange<Int>
    ) throws(TableError) {
        if let nodes = try nodes(key, count: count) {
            value = []
            for (index, node) in nodes.enumerated() {
                let path = [reader?.path ?? "", "\(name) \(index + 1)"]
                    .filter { !$0.isEmpty }.joined(separator: ", ")
                let element = try Self.entry(Element.self, node, path: path)
                if let id = element.uniqueID, value.contains(where: { $0.uniqueID == id }) {
                    let key = Element.idKey
                    throw TableError(
                        path: path, key: key, line: node[key]?.line ?? node.line,
                        message: "is taken by another \(name)")
                }
                value.append(element)
            }
        }
        note(
            key, .list(.table(TableShape(Self.list(Element()))), count),
            Node(.array(value.map { Self.node(Self.list($0)) })))
    }

    /// The tables of a list, for the caller to read; nil where there is none, and while it lists.
    package mutating func nodes(
        _ key: String, _ value: @autoclosure () -> [Node],
        of shape: @autoclosure () -> TableShape, count: ClosedRange<Int>
    ) throws(TableError) -> [Node]? {
        let read = try nodes(key, count: count)
        note(key, .list(.table(shape()), count), Node(.array(value())))
        return read
    }

    private mutating func nodes(
        _ key: String, count: ClosedRange<Int>
    ) throws(TableError) -> [Node]? {
        try reader?.tables(key, countMin: count.lowerBound, countMax: count.upperBound)
    }

    private static func entry<Element: ParameterEntry>(
        _: Element.Type, _ node: Node, path: String
    ) throws(TableError) -> Element {
        var (element, table) = (
            Element(), ParameterTable(reading: try TableReader(node, path: path))
        )
        try element.declare(in: &table)
        try table.reader?.finish()
        return element
    }

    private static func list(_ element: some ParameterEntry) -> [Entry] {
        var (copy, table) = (element, ParameterTable())
        do throws(TableError) {
            try copy.declare(in: &table)
        } catch {
            preconditionFailure("\(error) while nothing is read")
        }
        return table.entries
    }

    private static func node(_ entries: [Entry]) -> Node {
        Node(.object(entries.compactMap { entry in entry.value.map { .init(entry.key, $0) } }))
    }
}

extension Node {
    fileprivate init(_ rect: Rect) {
        self.init(numbers: [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height])
    }

    fileprivate init(numbers: [Double]) {
        self.init(.array(numbers.map { Node(.number($0)) }))
    }
}
