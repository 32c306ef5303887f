package import Geometry

/// An error in a table of a scene or a configuration, for a person to correct.
package struct TableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The table, as `component tips`; empty for the outermost.
    package var path: String
    package var key: String?
    /// In a file, from 1.
    package var line: Int?
    package var message: String
    /// Whether a required key is missing.
    package var isAbsence: Bool
    /// A key that the table does not know.
    package var unknownKey: String?
    /// The known key that it may misspell.
    package var meantKey: String?
    /// Other errors of the same table, such as those of the other entries of a list, up to
    /// `Limits.entriesToldMax`.
    package var others: [TableError] = []

    package init(
        path: String, key: String? = nil, line: Int? = nil, message: String,
        isAbsence: Bool = false
    ) {
        self.path = path
        self.key = key
        self.line = line
        self.message = message
        self.isAbsence = isAbsence
    }

    /// One line, without the line's number: `component tips, key threshold: must be …`.
    package var description: String {
        let place = [path, key.map { "key \(TableReader.shortened($0))" } ?? ""]
            .filter { !$0.isEmpty }.joined(separator: ", ")
        return place.isEmpty ? message : "\(place): \(message)"
    }
}

/// Reads one object with known keys: every getter makes its key known, `finish` refuses the rest.
///
/// A getter returns nil (or its default) if the key is absent, and throws if the value has the
/// wrong type or is out of range; null has the wrong type.
package struct TableReader {
    /// Bytes of a text in a table, such as a title, a summary or an image's name.
    package static let textBytesMax = 1_024

    /// The table's name in errors; a caller may set it once it has read an id.
    package var path: String
    package let line: Int?
    private let members: [Node.Member]
    /// The keys that getters have asked for.
    package private(set) var known: [String] = []

    /// Throws if `node` is not an object.
    package init(_ node: Node, path: String) throws(TableError) {
        guard case .object(let members) = node.value else {
            throw TableError(path: path, line: node.line, message: "must be a table")
        }
        self.members = members
        // Some are asked for twice, to require them.
        known.reserveCapacity(min(2 * members.count, 32))
        self.path = path
        line = node.line
    }

    /// The same for another version of the table: the keys that were asked for stay known.
    package func reading(_ node: Node) throws(TableError) -> TableReader {
        var other = try TableReader(node, path: path)
        other.known = known
        return other
    }

    /// Forgets which keys were asked for, except this one: others cannot stand beside it.
    package mutating func forgetKeys(except key: String) { known = [key] }

    /// Makes keys known without a look at them.
    package mutating func know(_ keys: [String]) { known += keys }

    /// The value of a key, of any type.
    package mutating func node(_ key: String) -> Node? {
        place(of: key).map { members[$0].value }
    }

    /// The place of a key's value, the last one if it is repeated; nil: the key is absent.
    private mutating func place(of key: String) -> Int? {
        known.append(key)
        // A closure would get a copy of each member.
        for place in members.indices.reversed() where members[place].name == key { return place }
        return nil
    }

    /// Whether the key has a value other than null.
    package mutating func has(_ key: String) -> Bool {
        place(of: key).map { !members[$0].value.isNull } ?? false
    }

    /// Throws if the key is missing, so that its getter need not handle that.
    package mutating func require(_ key: String) throws(TableError) {
        if place(of: key) == nil { throw absence(key) }
    }

    /// The error for a missing key of this table.
    package func absence(_ key: String) -> TableError {
        var error = error(key, "is required")
        error.isAbsence = true
        return error
    }

    /// Throws if the table has keys that no getter has asked for.
    package func finish() throws(TableError) {
        let place = members.indices.first { !known.contains(members[$0].name) }
        if let place { throw error(unknown: members[place]) }
    }

    /// An error for each key that no getter has asked for, up to a count: a peer may send many, and
    /// each is compared with the known ones.
    package func strangers(countMax: Int) -> [TableError] {
        let places = members.indices.lazy.filter { !known.contains(members[$0].name) }
        return places.prefix(countMax).map { error(unknown: members[$0]) }
    }

    private func error(unknown member: Node.Member) -> TableError {
        var message = "unknown key \"\(Self.shortened(member.name))\""
        let nearest = nearestName(to: member.name, among: known)
        if let nearest { message += ", did you mean \"\(nearest)\"?" }
        let all = knownNames(nearestTo: member.name, among: known)
        message += message.hasSuffix("?") ? " The \(all)" : ", \(all)"
        var error = TableError(path: path, line: member.value.line ?? line, message: message)
        (error.unknownKey, error.meantKey) = (member.name, nearest)
        return error
    }

    /// The error for a name at a key that is none of the known ones, which it lists.
    package func error(
        _ key: String, unknown what: String, _ name: String, among known: [String]
    ) -> TableError {
        error(
            key,
            "unknown \(what) \"\(Self.shortened(name))\", "
                + knownNames(nearestTo: name, among: known))
    }

    /// An error at a key of this table.
    package func error(_ key: String, _ message: String) -> TableError {
        let member = members.last { $0.name == key }
        return TableError(path: path, key: key, line: member?.value.line ?? line, message: message)
    }

    /// An error at an entry of a list that stands at a key of this table.
    package func error(_ key: String, entry: Int, _ message: String) -> TableError {
        var error = error(key, message)
        let entries = members.last { $0.name == key }?.value.array ?? []
        if entries.indices.contains(entry), let line = entries[entry].line { error.line = line }
        return error
    }

    /// The beginning of a peer's key, which may have any length, for an error.
    package static func shortened(_ name: String) -> String {
        name.unicodeScalars.count <= 64 ? name : String(name.unicodeScalars.prefix(64)) + "…"
    }
}

extension TableReader {
    /// A text of at most `bytesMax` bytes.
    package mutating func string(
        _ key: String, bytesMax: Int = TableReader.textBytesMax
    ) throws(TableError) -> String? {
        guard let node = node(key) else { return nil }
        guard let text = node.string else { throw error(key, "must be a string") }
        guard text.utf8.count <= bytesMax else {
            throw error(key, "must be at most \(bytesMax) bytes long")
        }
        return text
    }

    package mutating func string(
        _ key: String, default: String, bytesMax: Int = TableReader.textBytesMax
    ) throws(TableError) -> String {
        try string(key, bytesMax: bytesMax) ?? `default`
    }

    /// A text, or texts by language, each of at most `bytesMax` bytes.
    package mutating func sceneText(
        _ key: String, bytesMax: Int
    ) throws(TableError) -> SceneText? {
        guard let node = node(key) else { return nil }
        guard let text = SceneText(node) else { throw error(key, node.textFlaw) }
        guard text.longestBytes <= bytesMax else {
            throw error(key, "must be at most \(bytesMax) bytes long")
        }
        return text
    }

    /// A name as in topics.
    package mutating func name(_ key: String) throws(TableError) -> String? {
        guard let node = node(key) else { return nil }
        guard let text = node.string, Name.isValid(text) else {
            throw error(key, "must be " + Name.rule)
        }
        return text
    }

    package mutating func bool(_ key: String, default: Bool) throws(TableError) -> Bool {
        guard let node = node(key) else { return `default` }
        guard let truth = node.bool else {
            throw error(key, "must be true or false" + node.quotesHint)
        }
        return truth
    }

    /// A value that was encoded by its own `Codable`.
    package mutating func decoded<Value: Decodable>(
        _ key: String, _ type: Value.Type
    ) throws(TableError) -> Value? {
        guard let node = node(key) else { return nil }
        do throws(NodeError) {
            return try node.decode(type)
        } catch {
            throw self.error(error.path.isEmpty ? key : "\(key).\(error.path)", error.message)
        }
    }

    /// A whole number; 3.0 is one.
    package mutating func whole(
        _ key: String, in range: ClosedRange<Int>
    ) throws(TableError) -> Int? {
        guard let node = node(key) else { return nil }
        guard let whole = node.int, range.contains(whole) else {
            throw error(key, "must be a whole number from \(Self.text(range))\(node.quotesHint)")
        }
        return whole
    }

    /// The rate of updates, in hertz.
    package mutating func frameRate(_ key: String) throws(TableError) -> Int? {
        guard let node = node(key) else { return nil }
        guard let rate = node.int, [30, 60, 120].contains(rate) else {
            throw error(key, "must be 30, 60 or 120" + node.quotesHint)
        }
        return rate
    }

    package mutating func whole(
        _ key: String, default: Int, in range: ClosedRange<Int>
    ) throws(TableError) -> Int {
        try whole(key, in: range) ?? `default`
    }

    package mutating func number(
        _ key: String, in range: NumberRange
    ) throws(TableError) -> Double? {
        guard let node = node(key) else { return nil }
        guard let number = node.double, range.contains(number) else {
            throw error(key, "must be a number \(range.rule)\(node.quotesHint)")
        }
        return number
    }

    package mutating func number(
        _ key: String, default: Double, in range: NumberRange
    ) throws(TableError) -> Double {
        try number(key, in: range) ?? `default`
    }

    /// A list of exactly `count` numbers; errors show its `form`, as `[low, high]`.
    package mutating func numbers(
        _ key: String, _ form: String, count: Int, in range: NumberRange
    ) throws(TableError) -> [Double]? {
        try numbers(key, form, Array(repeating: range, count: count))
    }

    /// `[w, h]`, both above 0, in points.
    package mutating func size(_ key: String) throws(TableError) -> Size? {
        guard let numbers = try numbers(key, "[w, h]", [.size, .size]) else { return nil }
        return Size(numbers[0], numbers[1])
    }

    package mutating func size(_ key: String, default: Size) throws(TableError) -> Size {
        try size(key) ?? `default`
    }

    /// `[x, y]`, in points.
    package mutating func point(_ key: String) throws(TableError) -> Vector? {
        guard let numbers = try numbers(key, "[x, y]", [.coordinate, .coordinate]) else {
            return nil
        }
        return Vector(numbers[0], numbers[1])
    }

    package mutating func point(_ key: String, default: Vector) throws(TableError) -> Vector {
        try point(key) ?? `default`
    }

    /// `[x, y, w, h]` with the top left corner, width and height above 0, in points.
    package mutating func rect(_ key: String) throws(TableError) -> Rect? {
        let ranges: [NumberRange] = [.coordinate, .coordinate, .size, .size]
        guard let numbers = try numbers(key, "[x, y, w, h]", ranges) else { return nil }
        return Rect(numbers[0], numbers[1], numbers[2], numbers[3])
    }

    package mutating func rect(_ key: String, default: Rect) throws(TableError) -> Rect {
        try rect(key) ?? `default`
    }

    /// Two whole numbers, the first not above the second.
    package mutating func wholeRange(
        _ key: String, default: ClosedRange<Int>, in range: ClosedRange<Int>
    ) throws(TableError) -> ClosedRange<Int> {
        guard let node = node(key) else { return `default` }
        guard let bounds = node.array?.map(\.int), bounds.count == 2, let low = bounds[0],
            let high = bounds[1], low <= high, range.contains(low), range.contains(high)
        else {
            throw error(
                key,
                "must be [low, high], whole numbers from \(Self.text(range)), low not above high")
        }
        return low...high
    }

    /// One of an enum's raw values.
    package mutating func choice<Choice>(
        _ key: String, default: Choice
    ) throws(TableError) -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let node = node(key) else { return `default` }
        guard let text = node.string, let choice = Choice(rawValue: text) else {
            let choices = listedNames(
                nearestTo: node.string ?? "", among: Choice.allCases.map(\.rawValue),
                inQuotes: true)
            throw error(key, "must be one of \(choices)")
        }
        return choice
    }

    /// The table at a key; nil: the key is not there.
    package mutating func table(_ key: String) throws(TableError) -> Node? {
        guard let node = node(key) else { return nil }
        guard node.members != nil else { throw error(key, "must be a table") }
        return node
    }

    /// The tables of a list, in their order.
    package mutating func tables(
        _ key: String, countMin: Int, countMax: Int
    ) throws(TableError) -> [Node]? {
        guard let node = node(key) else { return nil }
        guard let tables = node.array else { throw error(key, "must be a list of tables") }
        guard tables.count >= countMin && tables.count <= countMax else {
            throw error(key, "must have \(countMin) to \(countMax) entries")
        }
        return tables
    }

    /// The numbers of one list, each in its own range.
    private mutating func numbers(
        _ key: String, _ form: String, _ ranges: [NumberRange]
    ) throws(TableError) -> [Double]? {
        guard let node = node(key) else { return nil }
        guard let numbers = node.array?.map(\.double), numbers.count == ranges.count else {
            throw error(key, "must be \(form)")
        }
        var result: [Double] = []
        for (index, number) in numbers.enumerated() {
            guard let number, ranges[index].contains(number) else {
                let rule = ranges[index].rule
                throw error(key, "must be \(form), entry \(index + 1) a number \(rule)")
            }
            result.append(number)
        }
        return result
    }

    private static func text(_ range: ClosedRange<Int>) -> String {
        range.upperBound == Int.max
            ? "\(range.lowerBound) up" : "\(range.lowerBound) to \(range.upperBound)"
    }
}

extension Node {
    /// Completes an error about a number or a truth that stands in quotes.
    package var quotesHint: String {
        guard let string, string == "true" || string == "false" || Double(string) != nil else {
            return ""
        }
        return ", without quotes"
    }
}
