import Geometry
import Gestures
import Interactions
import Notation
import Protocol
import Sessions

/// `scene.json`: a scene, as a file or in a message. It refers to no other file, so that editors
/// need this one alone.
enum SceneSchema {
    static var schema: Schema {
        var schema = Schema.record(
            """
            A scene of gestured: a screen in a file (TOML, or JSON), or in a message (JSON). \
            Lengths are points with y down, angles radians, times seconds.
            """, fields, closed: true)
        schema = schema.with(["$defs": .table(definitions)])
        return schema
    }

    private static var fields: [Field] {
        [
            .may(
                "$schema", .string,
                "The place of this schema, for editors of JSON. The daemon does not read it."),
            .may("name", name, Words.scene["name"]),
            .must("viewport", ValueShape.size.schema(""), Words.scene["viewport"]),
            .may(
                "insets",
                ValueShape.row(Array(repeating: .number(.distance), count: 4)).schema("")
                    .with(["default": [0, 0, 0, 0]]), Words.scene["insets"]),
            .may("frame_rate", ["enum": [30, 60, 120]], Words.scene["frame_rate"]),
            .may("seed", .whole(from: 0, to: Int.max), Words.scene["seed"]),
            .may(
                "velocity",
                Schema.choice(VelocityTracker.Kind.self).with([
                    "default": .text(VelocityTracker.Kind.uikit.rawValue)
                ]), Words.scene["velocity"]),
            .may("content", .object, Words.content),
            .may(
                "language",
                ["type": "string", "pattern": .text("^[A-Za-z0-9_-]{2,16}\(CommonSchema.end)")],
                Words.scene["language"]),
            .may(
                "variables",
                [
                    "type": "object", "maxProperties": Schema(.integer(Limits.variablesMax)),
                    "propertyNames": ReactionSchema.variable,
                    "additionalProperties": .ref("#/$defs/variable-value"),
                ], Words.scene["variables"]),
            .must(
                "components",
                Schema.list(of: .ref("#/$defs/component")).with([
                    "minItems": 1, "maxItems": Schema(.integer(Limits.componentsMax)),
                ]), Words.scene["components"]),
            .may(
                "reactions",
                Schema.list(of: .ref("#/$defs/reaction")).with([
                    "maxItems": Schema(.integer(Limits.reactionsMax))
                ]), Words.scene["reactions"]),
        ]
    }

    private static let name = CommonSchema.name

    private static var definitions: [(String, Schema)] {
        CommonSchema.geometry + [
            ("component", component)
        ] + SceneKinds.all.map { ("component-\($0.kind)", $0.component) }
            + World.behaviorShape.definitions("dynamics.behaviors")
            + [
                (FrameShape.name, FrameShape.table.schema(FrameShape.name)),
                ("region", World.regionShape.schema("region")),
            ]
            + World.regionShape.definitions("region") + [
                ("reaction", ReactionSchema.schema),
                ("when", ReactionSchema.when),
                ("if", ReactionSchema.condition),
                ("do", ReactionSchema.action),
                ("command", ReactionSchema.command),
                ("value", ReactionSchema.argument),
                ("variable-value", ReactionSchema.value),
            ]
    }

    private static var component: Schema {
        Schema.variants(
            of: "kind", Words.component["kind"] ?? "",
            SceneKinds.all.map { ($0.kind, .ref("#/$defs/component-\($0.kind)")) }
        ).about("One part of a scene. Its other keys depend on its kind.")
    }

    static let id = name.with(["not": .constant(.text(Session.badgesComponent))])

    static let place: Schema = [
        "type": "string", "maxLength": Schema(.integer(TableReader.textBytesMax)),
        "pattern": .text("^\(CommonSchema.nameCharacters){1,\(Name.bytesMax)}/."),
    ]
}

/// The kinds of components with their parameters.
struct SceneKinds {
    let kind: String
    let component: Schema
    let parameters: any KindParameters

    static let all: [SceneKinds] = Kinds.all.map { SceneKinds($0) }

    /// Viewports of which a default that depends on them differs.
    private static let viewports = [Size(320, 568), Size(2_000, 1_000)]

    private init<Kind: Machine>(_ type: Kind.Type) {
        kind = Kind.kind
        parameters = Kind.Parameters(viewport: Self.viewports[0])
        let takesFrame = Kind.Parameters.takesFrame
        let frame = TableShape.Entry("frame", FrameShape.shape)
        let own = Self.entries(Kind.Parameters.self).map { entry in
            guard entry.key == "frame" else { return entry }
            return TableShape.Entry("frame", FrameShape.shape, value: entry.value)
        }
        let shape = TableShape(
            (takesFrame ? [frame] : []) + [
                .init("clip", .bool, value: Node(.bool(Kind.Parameters.clips))),
                .init("content", .content),
            ] + own, Kind.Parameters.relations)
        let schema = shape.schema(kind)
        let fields: [Field] = [
            .must("id", SceneSchema.id, Words.component["id"]),
            .must("kind", .constant(.text(kind)), Words.kinds[kind]),
            .may("in", SceneSchema.place, Words.component["in"]),
        ]
        let required = schema["required"]?.array.compactMap(\.string) ?? []
        let ownFields = schema["properties"]?.members.map { ($0.name, $0.value) } ?? []
        component = schema.about(Words.kinds[kind] ?? "").with([
            "properties": .table(fields.map { ($0.name, $0.schema) } + ownFields),
            "required": .texts(["id", "kind"] + required),
        ])
    }

    /// Its keys; those whose defaults depend on the viewport have none.
    private static func entries<Parameters: KindParameters>(
        _: Parameters.Type
    ) -> [TableShape.Entry] {
        let lists = viewports.map { Parameters(viewport: $0).list }
        return zip(lists[0], lists[1]).map { one, other in
            var entry = one
            if one.value != other.value { entry.value = nil }
            return entry
        }
    }
}
