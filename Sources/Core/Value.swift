import Notation

/// A table, a list, a text, a number or a truth: what scenes are written in.
///
/// A scene is the same table as in a scene file (the project's `docs/protocol/scenes.md`). Write
/// it as a literal, or decode it with any decoder, such as Foundation's `JSONDecoder`:
///
/// ```swift
/// let scene: Value = [
///     "viewport": [320, 568],
///     "components": [["id": "card", "kind": "toss", "size": [254, 172]]],
/// ]
/// ```
public enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case whole(Int)
    case number(Double)
    case text(String)
    case list([Value])
    /// Names and values, in the order of the text; of a repeated name the last one counts.
    case table([(name: String, value: Value)])

    /// Levels of nesting that ``LocalSession`` reads: more than any scene needs.
    public static let depthMax = Node.depthMax

    /// The value of a table's member; nil where there is none.
    public subscript(_ name: String) -> Value? {
        guard case .table(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// A number, also a whole one; nil for anything else.
    public var double: Double? {
        switch self {
        case .whole(let whole): Double(whole)
        case .number(let number): number
        case .null, .bool, .text, .list, .table: nil
        }
    }

    /// A text; nil for anything else.
    public var string: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    public static func == (one: Value, other: Value) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.whole(let a), .whole(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.text(let a), .text(let b)): a == b
        case (.list(let a), .list(let b)): a == b
        case (.table(let a), .table(let b)): a.elementsEqual(b) { $0 == $1 }
        case (.null, _), (.bool, _), (.whole, _), (.number, _), (.text, _), (.list, _),
            (.table, _):
            false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let truth): hasher.combine(truth)
        case .whole(let whole): hasher.combine(whole)
        case .number(let number): hasher.combine(number)
        case .text(let text): hasher.combine(text)
        case .list(let elements): hasher.combine(elements)
        case .table(let members):
            for member in members {
                hasher.combine(member.name)
                hasher.combine(member.value)
            }
        }
    }
}

// MARK: Literals

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral truth: Bool) { self = .bool(truth) }
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral whole: Int) { self = .whole(whole) }
    public init(floatLiteral number: Double) { self = .number(number) }
    public init(arrayLiteral elements: Value...) { self = .list(elements) }
    public init(dictionaryLiteral members: (String, Value)...) {
        self = .table(members.map { (name: $0.0, value: $0.1) })
    }
}

// MARK: Decoding

extension Value: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        if let table = try? decoder.container(keyedBy: Name.self) {
            self = .table(
                try table.allKeys.map {
                    (name: $0.stringValue, value: try table.decode(Value.self, forKey: $0))
                }.sorted { $0.name < $1.name })
            return
        }
        if var list = try? decoder.unkeyedContainer() {
            var elements: [Value] = []
            while !list.isAtEnd { elements.append(try list.decode(Value.self)) }
            self = .list(elements)
            return
        }
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let truth = try? single.decode(Bool.self) {
            self = .bool(truth)
        } else if let whole = try? single.decode(Int.self) {
            self = .whole(whole)
        } else if let number = try? single.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try single.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var single = encoder.singleValueContainer()
            try single.encodeNil()
        case .bool(let truth): try truth.encode(to: encoder)
        case .whole(let whole): try whole.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .text(let text): try text.encode(to: encoder)
        case .list(let elements): try elements.encode(to: encoder)
        case .table(let members):
            var table = encoder.container(keyedBy: Name.self)
            for member in members {
                try table.encode(member.value, forKey: Name(stringValue: member.name))
            }
        }
    }
}

// MARK: The core's own trees

extension Value {
    init(_ node: Node) {
        switch node.value {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .integer(let whole): self = .whole(whole)
        case .unsigned(let whole): self = .number(Double(whole))
        case .number(let number): self = .number(number)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(elements.map(Value.init))
        case .object(let members):
            self = .table(members.map { (name: $0.name, value: Value($0.value)) })
        }
    }

    /// The same as a tree; throws where it is nested deeper than ``depthMax``.
    func node(depth: Int = 0) throws(Refusal) -> Node {
        guard depth < Self.depthMax else {
            throw Refusal(code: "bad-value", message: "nested deeper than \(Self.depthMax) levels")
        }
        switch self {
        case .null: return Node(.null)
        case .bool(let truth): return Node(.bool(truth))
        case .whole(let whole): return Node(.integer(whole))
        case .number(let number):
            guard number.isFinite else {
                throw Refusal(code: "bad-value", message: "a number that is not finite")
            }
            return Node(.number(number))
        case .text(let text): return Node(.string(text))
        case .list(let elements):
            var nodes: [Node] = []
            for element in elements { nodes.append(try element.node(depth: depth + 1)) }
            return Node(.array(nodes))
        case .table(let members):
            var nodes: [Node.Member] = []
            for (name, value) in members {
                nodes.append(Node.Member(name, try value.node(depth: depth + 1)))
            }
            return Node(.object(nodes))
        }
    }
}
