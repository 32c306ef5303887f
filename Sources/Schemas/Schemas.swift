import Notation

/// The contract of the wire as JSON Schemas (draft 2020-12), and as one document of AsyncAPI 3.
///
/// They are made of the readers' own tables, enums and bounds: a parameter that a kind declares
/// stands in `scene.json`, and a limit is the reader's constant. `docs/schemas` and
/// `docs/asyncapi.yaml` hold what this module makes; a test compares them. To describe a new key,
/// add its words to `Words`.
package enum Schemas {
    /// The names without `.json`, in the order in which they are listed.
    package static let names: [String] = files.map(\.name)

    /// The text of a schema; nil: there is none of that name.
    package static func text(_ name: String) -> String? {
        files.first { $0.name == name }.map { file in
            var head: Schema = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
            // Editors of TOML refuse a schema whose `$id` is relative.
            if name != "scene" { head = head.with(["$id": .text("\(name).json")]) }
            head = head.with(["title": .text(file.title)])
            return SchemaText.text(head.with(file.schema.members.map { ($0.name, $0.value) }).node)
        }
    }

    /// The document that lists channels, operations and messages.
    package static var asyncAPI: String { YAMLText.text(AsyncAPI.document.node) }

    /// The names and titles of those that are whole messages.
    static var messages: [(name: String, title: String)] {
        files.filter { $0.name != "scene" && $0.name != "common" }.map { ($0.name, $0.title) }
    }

    private struct File {
        var name: String
        var title: String
        var schema: Schema
    }

    private static let files: [File] =
        [
            File(name: "scene", title: "Scene", schema: SceneSchema.schema),
            File(name: "common", title: "Common definitions", schema: CommonSchema.schema),
            File(name: "event-gesture", title: "Gesture", schema: EventSchemas.gesture),
            File(
                name: "event-notification", title: "Notification",
                schema: EventSchemas.notification),
            File(name: "event-command", title: "Command", schema: CommandSchemas.schema),
        ]
        + UpdateSchemas.all.map { update in
            File(
                name: "update-\(update.word)", title: "Update \(update.word)", schema: update.schema
            )
        }
        + RequestSchemas.all.flatMap { operation in
            [
                File(
                    name: "request-\(operation.name)", title: "Request \(operation.name)",
                    schema: RequestSchemas.request(operation)),
                File(
                    name: "reply-\(operation.name)", title: "Reply \(operation.name)",
                    schema: RequestSchemas.reply(operation)),
            ]
        }
}
