import Gestures
import Notation

/// A schema, or a part of one: a tree that is short to write.
struct Schema: Hashable, Sendable {
    var node: Node

    init(_ node: Node) { self.node = node }
    init(_ value: Node.Value) { node = Node(value) }

    subscript(_ name: String) -> Schema? { node[name].map { Schema($0) } }
    var string: String? { node.string }
    var array: [Schema] { (node.array ?? []).map { Schema($0) } }
    var members: [(name: String, value: Schema)] {
        (node.members ?? []).map { ($0.name, Schema($0.value)) }
    }
}

extension Schema: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self.init(.string(text)) }
    init(booleanLiteral truth: Bool) { self.init(.bool(truth)) }
    init(integerLiteral whole: Int) { self.init(.integer(whole)) }
    init(arrayLiteral elements: Schema...) { self = .list(elements) }
    init(dictionaryLiteral members: (String, Schema)...) { self = .table(members) }
}

extension Schema {
    static let null = Schema(.null)
    static func text(_ text: String) -> Schema { Schema(.string(text)) }
    static func texts(_ texts: some Sequence<String>) -> Schema {
        .list(texts.map { .text($0) })
    }
    static func list(_ schemas: [Schema]) -> Schema { Schema(.array(schemas.map(\.node))) }
    static func table(_ members: [(String, Schema)]) -> Schema {
        Schema(.object(members.map { Node.Member($0.0, $0.1.node) }))
    }
}

extension Schema {
    /// The same with more members, which replace those of the same names.
    func with(_ members: KeyValuePairs<String, Schema>) -> Schema {
        with(members.map { ($0.key, $0.value) })
    }

    func with(_ members: [(String, Schema)]) -> Schema {
        let names = members.map(\.0)
        let kept = self.members.filter { !names.contains($0.name) }
        return .table(kept.map { ($0.name, $0.value) } + members)
    }

    /// The same with a description at its head.
    func about(_ text: String) -> Schema {
        let rest = members.filter { $0.name != "description" }
        return .table([("description", .text(text))] + rest.map { ($0.name, $0.value) })
    }

    static func ref(_ place: String) -> Schema { ["$ref": .text(place)] }
    /// A definition of `common.json`.
    static func common(_ name: String) -> Schema { ref("common.json#/$defs/\(name)") }
    static func anyOf(_ schemas: [Schema]) -> Schema { ["anyOf": .list(schemas)] }
    static func choice(_ names: some Sequence<String>) -> Schema { ["enum": .texts(names)] }
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(_: Choice.Type) -> Schema {
        choice(Choice.allCases.map(\.rawValue))
    }
    static func constant(_ value: Schema) -> Schema { ["const": value] }
    static func orNull(_ type: String) -> Schema { ["type": [.text(type), "null"]] }
    static func list(of schema: Schema) -> Schema { ["type": "array", "items": schema] }

    static let string: Schema = ["type": "string"]
    static let bool: Schema = ["type": "boolean"]
    static let number: Schema = ["type": "number"]
    static let object: Schema = ["type": "object"]

    static func whole(from least: Int, to most: Int? = nil) -> Schema {
        let schema: Schema = ["type": "integer", "minimum": Schema(.integer(least))]
        return most.map { schema.with(["maximum": Schema(.integer($0))]) } ?? schema
    }

    /// The number of a token's mark.
    static var symbol: Schema {
        whole(from: Token.symbols.lowerBound, to: Token.symbols.upperBound)
    }

    static func number(in range: NumberRange) -> Schema {
        [
            "type": "number", "minimum": Schema(.number(range.bounds.lowerBound)),
            "maximum": Schema(.number(range.bounds.upperBound)),
        ]
    }

    /// Conditions that hold beside one another.
    static func both(_ schemas: [Schema]) -> Schema { ["allOf": .list(schemas)] }

    /// A condition that holds where a member has a value.
    static func when(_ key: String, is value: String, then schema: Schema) -> Schema {
        when(key, .constant(.text(value)), then: schema)
    }

    static func when(_ key: String, _ condition: Schema, then schema: Schema) -> Schema {
        [
            "if": ["properties": .table([(key, condition)]), "required": .texts([key])],
            "then": schema,
        ]
    }
}

extension Schema {
    /// An object that is one of several, by the value of a key. Validators follow the conditions,
    /// which say exactly what is wrong; editors that know no conditions follow `anyOf`, which
    /// admits anything.
    static func variants(
        of key: String, _ about: String, default value: String? = nil,
        _ variants: [(name: String, table: Schema)]
    ) -> Schema {
        let names = variants.map(\.name)
        let known: Schema = ["properties": .table([(key, .choice(names).about(about))])]
        let hints: [Schema] = [[:]] + variants.map(\.table)
        return [
            "type": "object",
            "allOf": .list(
                [value == nil ? known.with(["required": .texts([key])]) : known]
                    + variants.map { name, table in
                        var rule = when(key, is: name, then: table)
                        if name == value, let condition = rule["if"] {
                            let open = condition.members.filter { $0.name != "required" }
                            rule = rule.with(["if": .table(open.map { ($0.name, $0.value) })])
                        }
                        return rule
                    }),
            "anyOf": .list(hints),
        ]
    }

    /// The same with conditions. It stands among them, for editors that look there alone.
    func ruled(by rules: [Schema]) -> Schema {
        let outer = ["description", "type"]
        let head = members.filter { outer.contains($0.name) }.map { ($0.name, $0.value) }
        let own = members.filter { !outer.contains($0.name) }.map { ($0.name, $0.value) }
        return .table(head + [("allOf", .list([.table(own)] + rules))])
    }
}

/// One member of an object in a schema.
struct Field {
    var name: String
    var schema: Schema
    var isRequired: Bool

    /// One that is always there.
    static func must(_ name: String, _ schema: Schema, _ about: String? = nil) -> Field {
        Field(
            name: name, schema: about.map { schema.about($0) } ?? schema, isRequired: true)
    }

    /// One that may be absent.
    static func may(_ name: String, _ schema: Schema, _ about: String? = nil) -> Field {
        Field(
            name: name, schema: about.map { schema.about($0) } ?? schema, isRequired: false)
    }
}

extension Field {
    /// The same with words, if there are any.
    func about(_ words: String?) -> Field {
        words.map { Field(name: name, schema: schema.about($0), isRequired: isRequired) } ?? self
    }
}

extension Schema {
    /// An object with these members; unless it is `closed`, any others may stand beside them.
    static func record(
        _ about: String? = nil, _ fields: [Field], closed: Bool = false
    ) -> Schema {
        var schema: Schema = about.map { ["description": .text($0)] } ?? [:]
        schema = schema.with(["type": "object"])
        if !fields.isEmpty {
            schema = schema.with(["properties": .table(fields.map { ($0.name, $0.schema) })])
        }
        let required = fields.filter(\.isRequired).map(\.name)
        if !required.isEmpty { schema = schema.with(["required": .texts(required)]) }
        return closed ? schema.with(["additionalProperties": false]) : schema
    }
}
