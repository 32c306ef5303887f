import Gestures
import Interactions
import Notation
import Sessions

/// The bodies of updates, by the first word of their topics. Other members may stand beside those
/// that they name.
enum UpdateSchemas {
    /// By the topic's first word; `topic` is the whole of it.
    static var all: [(word: String, topic: String, schema: Schema)] {
        [
            ("scene", "scene/{session}", scene), ("frame", "frame/{session}", frame),
            ("state", "state/{session}/{component}", StateSchemas.schema),
            ("rows", "rows/{session}/{component}", RowsSchemas.schema),
            ("transition", "transition/{session}/{component}", transition),
            ("badge", "badge/{session}", badge),
            ("variables", "variables/{session}", variables),
            ("touches", "touches/{session}", TouchesSchemas.schema),
            ("session", "session/{session}", session),
            ("rejected", "rejected/{session}", rejected), ("sync", "sync/{nonce}", sync),
            ("heartbeat", "heartbeat", heartbeat),
        ]
    }

    /// The members that every update begins with. Those of sessions have the session's epoch.
    static func head(ofSession: Bool = true) -> [Field] {
        [
            .must("epoch", .common(ofSession ? "session-epoch" : "epoch")),
            .must("seq", .common("seq")),
            .must(
                "t", .common("time"), "The instant that it shows, on the session's timeline."),
        ]
    }

    // MARK: Scene

    /// A scene's members, with or without the head of an update.
    private static var scene: Schema {
        Schema.record(
            "The things to draw: topic scene/<session>.", head() + sceneFields
        ).with([
            "$defs": .table(
                [("component", component), ("described", .record(Words.described, sceneFields))]
                    + SceneKinds.all.map { ("parameters-\($0.kind)", $0.published) })
        ])
    }

    private static var sceneFields: [Field] {
        [
            .must("scene", .orNull("string"), "Its name; null: it has none."),
            .must(
                "revision", .whole(from: 0),
                "1 at the opening, and 1 more with each change; 0 of a scene by its name."),
            .must("viewport", .common("size")),
            .must(
                "insets", .row(Array(repeating: .number(in: .distance), count: 4)),
                Words.scene["insets"]),
            .must("frame_rate", ["enum": [30, 60, 120]], "Frames a second."),
            .must("content", .object, Words.content),
            .must(
                "components",
                Schema.list(of: .ref("#/$defs/component")).with([
                    "maxItems": Schema(.integer(Limits.componentsMax))
                ]), "In the order of painting: the first one is at the back."),
        ]
    }

    private static var component: Schema {
        let kinds = SceneKinds.all.map(\.kind)
        return Schema.record(
            nil,
            [
                .must("id", .common("name"), "Names the component in topics."),
                .must("kind", .choice(kinds), "The kind says what the component does."),
                .must("parent", .orNull("string"), "The component that holds it; null: none."),
                .must("slot", .orNull("string"), "The view of its parent that it stands in."),
                .must(
                    "frame", .row(Array(repeating: .number, count: 4)),
                    "[x, y, w, h] in what holds it."),
                .must("clip", .bool, Words.component["clip"]),
                .must("parameters", .object, "Every parameter of the kind."),
                .must("content", .object, Words.content),
            ]
        ).with([
            "allOf": .list(
                kinds.map {
                    .when(
                        "kind", is: $0,
                        then: ["properties": ["parameters": .ref("#/$defs/parameters-\($0)")]])
                })
        ])
    }

    // MARK: Frame

    private static var frame: Schema {
        func part(_ schema: Schema) -> Schema {
            .both([.record(nil, [.must("component", .common("name"), "The component.")]), schema])
        }
        return .record(
            "All that changed at one instant: topic frame/<session>.",
            head() + [
                .must(
                    "states", .list(of: part(.ref("update-state.json#/$defs/shown"))),
                    "As on their own topics, without epoch, seq and t."),
                .may(
                    "transitions",
                    .list(of: part(.ref("update-transition.json#/$defs/passage"))),
                    "As on their own topics, without epoch, seq and t; absent: none."),
                .may("badge", .common("badge")),
                .may("variables", .common("variables")),
                .may(
                    "rows",
                    [
                        "type": "object",
                        "additionalProperties": .ref("update-rows.json#/$defs/told"),
                    ],
                    "The rows of lists, by their components, as on their own topics."),
                .may(
                    "touches", TouchesSchemas.ofFrame,
                    "All contacts that are down, as on their own topic."),
            ])
    }

    // MARK: Transition

    private static var transition: Schema {
        Schema.both([
            .record(nil, head()), .ref("#/$defs/passage"),
        ]).about("A named transition: topic transition/<session>/<component>.").with([
            "type": "object",
            "$defs": [
                "passage": .record(
                    nil,
                    [
                        .must("name", .choice(ReactionSchema.transitions), "Its name."),
                        .must(
                            "event", .choice(Transition.Event.self),
                            "Whether it began, ended, or was cancelled."),
                    ] + ends + meeting + [
                        .must("duration", .number(in: .span), "Seconds, from beginning to end."),
                        .must("curve", .common("curve")),
                    ])
            ],
        ])
    }

    /// Where it leads from and to, or the row that it is about.
    static var ends: [Field] {
        let end = Schema.anyOf([.whole(from: 0), .common("name")])
        return [
            .may("from", end, "An index, or a screen's name."),
            .may("to", end, "An index, or a screen's name."),
            .may("row", .whole(from: 0), "The row of a list that it is about."),
            .may(
                "direction", .choice([Direction.left, .right].map(\.rawValue)),
                "The side that the row opens to, or closes from."),
            .may("action", .common("name"), "The action of the row's menu that was chosen."),
            .may("on", .bool, "Whether the button is on then."),
            .may(
                "item", .common("name"),
                "The item that was tapped, or the id of the row that was selected."),
            .may("index", .whole(from: 0), "The number of the tip that was tapped, from 0."),
            .may("token", .symbol, "The symbol of the token."),
            .may("angle", .number, "The token's angle in radians, clockwise, in (−π, π]."),
        ]
    }

    private static var meeting: [Field] {
        [
            .may(
                "items",
                Schema.list(of: .common("name")).with(["minItems": 1, "maxItems": 2]),
                "The items that touch."),
            .may("boundary", .common("name"), "The boundary that the item touches."),
            .may("point", .row([.number, .number]), "[x, y] in the viewport."),
            .may(
                "impulse", ["type": "number", "minimum": 0],
                "The strength of the touch, in points per second where mass 1 is a square of "
                    + "100 points."),
        ]
    }

    // MARK: Others

    private static var badge: Schema {
        Schema.both([.record(nil, head()), .common("badge")])
            .about("The session's counts: topic badge/<session>.")
    }

    private static var variables: Schema {
        Schema.both([.record(nil, head()), .common("variables")])
            .about("The values of the scene's variables: topic variables/<session>.")
    }

    private static var session: Schema {
        .record(
            "The session opened, closed …: topic session/<session>.",
            head() + [
                .must("event", .choice(SessionEvent.names), "The change of the session's life."),
                .must("scene", .orNull("string"), "Its scene's name; null: it has none."),
                .may("owner", .common("owner"), "With moved alone."),
            ])
    }

    private static var rejected: Schema {
        .record(
            "An event was refused: topic rejected/<session>, or rejected/-.",
            head(ofSession: false) + [
                .must("code", .common("code")),
                .must("message", ["type": "string", "minLength": 1], "For a person."),
                .must("topic", .string, "The event's topic, or its beginning."),
                .must("excerpt", .string, "The beginning of the event's body, as text."),
                .may("reaction", .whole(from: 0), "The reaction that gave the command."),
            ])
    }

    private static var sync: Schema {
        .record(
            "The connection's subscriptions are in force: topic sync/<nonce>.",
            head(ofSession: false))
    }

    private static var heartbeat: Schema {
        let counts = ["sessions", "moving", "events", "rejected", "updates"]
        return .record(
            "The daemon is alive: topic heartbeat, once a second.",
            head(ofSession: false) + [
                .must("uptime", .number(in: .span), "Seconds since the daemon's start.")
            ] + counts.map { .must($0, .whole(from: 0), Words.heartbeat[$0]) } + [
                .may("member", .common("name"), "Its name in the cluster, if it is in one."),
                .may("shards", .whole(from: 0), "How many shards of the cluster it owns."),
                .may("leased", .bool, "Whether it may acknowledge anything now."),
            ])
    }
}

extension NumberRange {
    /// Seconds of anything.
    static let span = NumberRange(0...1e12, rule: "from 0")
}

extension SceneKinds {
    /// Its parameters as updates have them: with a value for every key that has one.
    fileprivate var published: Schema {
        let path = "scene.json#/$defs/component-\(kind)/properties/"
        return .record(
            "Every parameter of a `\(kind)` that has a value.",
            parameters.list.compactMap { entry in
                entry.value == nil && !entry.isRequired
                    ? nil : .must(entry.key, .ref(path + entry.key))
            })
    }
}
