import Foundation
import Schemas
import Testing

/// Editors show the meaning of a key: each property of each schema has a description, or refers to
/// a definition that has one.
@Suite struct SchemaDescriptionTests {
    @Test func eachPropertyHasADescription() throws {
        var files = SchemaFiles()
        for name in Schemas.names {
            try files.add(#require(Schemas.text(name)), as: name)
        }
        #expect(files.undescribed() == [])
    }

    private static let samples: [(String, [String])] = [
        (#"{"properties": {"x": {"type": "number"}}}"#, ["one/x"]),
        (#"{"properties": {"x": {"description": ""}}}"#, ["one/x"]),
        (#"{"properties": {"x": {"description": "Points."}}}"#, []),
        (#"{"properties": {"if": {}, "not": {}}}"#, ["one/if", "one/not"]),
        (##"{"properties": {"x": {"$ref": "#/$defs/x"}}, "$defs": {"x": {}}}"##, ["one/x"]),
        (
            #"{"properties": {"x": {"$ref": "one.json#/$defs/x"}},"#
                + #" "$defs": {"x": {"description": "Points."}}}"#, []
        ),
        (#"{"properties": {"x": {"$ref": "two.json"}}}"#, ["one/x"]),
        (#"{"allOf": [{"then": {"properties": {"x": {}}}}]}"#, ["one/allOf/then/x"]),
        (#"{"$defs": {"a": {"items": {"properties": {"x": {}}}}}}"#, ["one/a/items/x"]),
        // Conditions name properties that are described elsewhere.
        (#"{"if": {"properties": {"x": {"const": 1}}}, "not": {"properties": {"x": {}}}}"#, []),
        (#"{"default": {"properties": {"x": {}}}}"#, []),
    ]

    @Test(arguments: samples)
    func theSearchFindsThoseWithoutOne(schema: String, places: [String]) throws {
        var files = SchemaFiles()
        try files.add(schema, as: "one")
        #expect(files.undescribed() == places)
    }

    /// A reaction may select a row of any list, by its number or its id.
    @Test func aReactionSelectsRowsOfAnyList() throws {
        let text = try #require(Schemas.text("scene"))
        let rule = try #require(text.range(of: #""command": { "const": "select" }"#))
        let next = try #require(text[rule.upperBound...].range(of: #""if": {"#))
        let table = text[rule.upperBound..<next.lowerBound]
        #expect(table.contains(#""maximum": 999999"#) && table.contains(#""item": {"#))
    }
}

/// Schemas by their names.
private struct SchemaFiles {
    private var files: [String: [String: Any]] = [:]

    /// Keywords in which no property is told, and those that hold schemas by names.
    private static let skipped: Set<String> = ["if", "not", "const", "enum", "default", "required"]
    private static let tables: Set<String> = ["properties", "$defs"]

    mutating func add(_ text: String, as name: String) throws {
        let schema = try JSONSerialization.jsonObject(with: Data(text.utf8))
        files[name] = try #require(schema as? [String: Any])
    }

    /// The places of properties without a description.
    func undescribed() -> [String] {
        var places: [String] = []
        for (name, schema) in files { note(schema, at: name, in: name, into: &places) }
        return places.sorted()
    }

    private func note(
        _ schema: Any, at place: String, in name: String, into places: inout [String]
    ) {
        for part in schema as? [Any] ?? [] { note(part, at: place, in: name, into: &places) }
        guard let table = schema as? [String: Any] else { return }
        for (key, value) in table where !Self.skipped.contains(key) {
            guard Self.tables.contains(key), let parts = value as? [String: Any] else {
                note(value, at: "\(place)/\(key)", in: name, into: &places)
                continue
            }
            for (own, part) in parts {
                let inner = "\(place)/\(own)"
                if key == "properties", !isDescribed(part, in: name) { places.append(inner) }
                note(part, at: inner, in: name, into: &places)
            }
        }
    }

    private func isDescribed(_ schema: Any, in name: String) -> Bool {
        guard let table = schema as? [String: Any] else { return false }
        if let words = table["description"] as? String { return !words.isEmpty }
        guard let reference = table["$ref"] as? String else { return false }
        let parts = reference.split(separator: "#", omittingEmptySubsequences: false)
        let file = parts[0].isEmpty ? name : String(parts[0].dropLast(".json".count))
        var target: Any? = files[file]
        for step in parts.dropFirst().joined().split(separator: "/") {
            target = (target as? [String: Any])?[String(step)]
        }
        return target.map { isDescribed($0, in: file) } ?? false
    }
}
