import Notation

// The tables of the readers as schemas. A key's path, as `list.rows`, finds its description.

extension ValueShape {
    /// `path` names the table for its descriptions; `file` is where definitions stand, if it is
    /// another one.
    func schema(_ path: String, in file: String = "") -> Schema {
        func ref(_ name: String) -> Schema { .ref("\(file)#/$defs/\(name)") }
        return switch self {
        case .any: [:]
        case .bool: .bool
        case .text(let bytesMax): ["type": "string", "maxLength": Schema(.integer(bytesMax))]
        case .texts(let bytesMax): .texts(bytesMax: bytesMax)
        case .name: CommonSchema.name
        case .choice(let names): .choice(names)
        case .whole(let range): .whole(from: range.lowerBound, to: range.upperBound)
        case .number(let range): .number(in: range)
        case .row(let shapes): .row(shapes.map { $0.schema("", in: file) })
        case .list(let shape, let count), .set(let shape, let count):
            listSchema(of: shape.schema(path, in: file), count)
        case .content: .object
        case .table(let table): table.schema(path, in: file)
        case .either(let shapes): .anyOf(shapes.map { $0.schema(path, in: file) })
        case .named(let name): ref(name)
        }
    }

    private func listSchema(of element: Schema, _ count: ClosedRange<Int>) -> Schema {
        var list = Schema.list(of: element)
        if count.lowerBound > 0 {
            list = list.with(["minItems": Schema(.integer(count.lowerBound))])
        }
        list = list.with(["maxItems": Schema(.integer(count.upperBound))])
        if case .set = self { list = list.with(["uniqueItems": true]) }
        return list
    }
}

extension Schema {
    /// Texts by language.
    static func texts(bytesMax: Int) -> Schema {
        [
            "type": "object", "minProperties": 1,
            "additionalProperties": ["type": "string", "maxLength": Schema(.integer(bytesMax))],
        ]
    }

    /// A list of exactly these.
    static func row(_ schemas: [Schema]) -> Schema {
        let count = Schema(.integer(schemas.count))
        if let first = schemas.first, schemas.allSatisfy({ $0 == first }) {
            return ["type": "array", "items": first, "minItems": count, "maxItems": count]
        }
        return [
            "type": "array", "prefixItems": .list(schemas), "minItems": count, "maxItems": count,
        ]
    }
}

extension TableShape {
    /// A table of these keys alone, with what stands in its variants.
    func schema(_ path: String, in file: String = "") -> Schema {
        guard let variants else { return closed(path, in: file) }
        return .variants(
            of: variants.key, Words.about(variants.key, at: path) ?? "", default: variants.value,
            variants.names.map {
                ($0, .ref("\(file)#/$defs/\(Self.label(path))-\($0)"))
            })
    }

    /// The variants, which `schema` refers to.
    func definitions(_ path: String) -> [(String, Schema)] {
        guard let variants else { return [] }
        let choice = Entry(
            variants.key, .any, value: variants.value.map { Node(.string($0)) },
            isRequired: variants.value == nil)
        return variants.names.flatMap { name in
            var table = variants.tables[name] ?? TableShape([])
            var own = choice
            own.shape = .choice([name])
            table.entries = [own] + entries + table.entries
            table.relations = relations + table.relations
            let inner = "\(path).\(name)"
            return [("\(Self.label(path))-\(name)", table.schema(inner))]
                + table.definitions(inner)
        }
    }

    /// The name of a table at a path: `dynamics.behaviors.attachment` is `behavior-attachment`.
    private static func label(_ path: String) -> String {
        let parts = path.split(separator: ".")
        let inner = parts.count > 1 ? Array(parts.dropFirst()) : parts
        return inner.map { $0.hasSuffix("s") ? $0.dropLast() : $0 }.joined(separator: "-")
    }

    private func closed(_ path: String, in file: String) -> Schema {
        let fields = entries.map { entry in
            var schema = entry.shape.schema("\(path).\(entry.key)", in: file)
            if let value = entry.value, !entry.isRequired {
                schema = schema.with(["default": Schema(value)])
            }
            if let words = Words.about(entry.key, at: path) { schema = schema.about(words) }
            return Field(name: entry.key, schema: schema, isRequired: entry.isRequired)
        }
        return Schema.record(nil, fields, closed: true)
            .with(relations.flatMap(\.members).grouped)
    }
}

extension TableShape.Relation {
    /// Keywords of a schema.
    fileprivate var members: [(String, Schema)] {
        switch self {
        case .together(let keys):
            let pairs = keys.map { key in (key, Schema.texts(keys.filter { $0 != key })) }
            return [("dependentRequired", .table(pairs))]
        case .apart(let first, let second):
            let any = Schema.anyOf(second.map { ["required": .texts([$0])] })
            return [("dependentSchemas", .table(first.map { ($0, ["not": any]) }))]
        case .anyOf(let groups):
            return [("anyOf", .list(groups.map { ["required": .texts($0)] }))]
        case .needs(let key, let other):
            return [("dependentRequired", .table([(key, .texts([other]))]))]
        }
    }
}

extension [(String, Schema)] {
    /// Tables of the same name become one.
    fileprivate var grouped: [(String, Schema)] {
        var result: [(String, Schema)] = []
        for (name, node) in self {
            if let place = result.firstIndex(where: { $0.0 == name }), node.node.members != nil {
                let more = node.members.map { ($0.name, $0.value) }
                result[place].1 = result[place].1.with(more)
            } else {
                result.append((name, node))
            }
        }
        return result
    }
}
