import Gestures
import Interactions
import Notation

/// `update-state.json`: what each kind of component shows.
enum StateSchemas {
    static var schema: Schema {
        Schema.both([.record(nil, UpdateSchemas.head()), .ref("#/$defs/shown")])
            .about("Everything that a component shows: topic state/<session>/<component>.")
            .with([
                "type": "object",
                "$defs": .table(
                    [("shown", shown), ("view", view), ("running", running)]
                        + SceneKinds.all.map { ("shown-\($0.kind)", table(of: $0)) }),
            ])
    }

    /// The members of any kind's state. The definitions after it say those of each kind.
    private static var shown: Schema {
        Schema.record(
            "A component's state, as one of the kinds has it.",
            [
                .must("phase", .string, Words.state["phase"]),
                .must("model", .object, Words.state["model"]),
                .must(
                    "views",
                    ["type": "object", "additionalProperties": .ref("#/$defs/view")],
                    Words.state["views"]),
                .may(
                    "running", .list(of: .ref("#/$defs/running")),
                    "Transitions that have begun and not ended."),
                .may("input", .number, "The t of the newest sample that was applied to it."),
            ]
        ).with(["anyOf": .list(SceneKinds.all.map { .ref("#/$defs/shown-\($0.kind)") })])
    }

    private static var view: Schema {
        .record(
            "A view: center, size before the transform, and transform.",
            ["x", "y", "w", "h", "rotation", "scale"].map {
                .must($0, .number, Words.view[$0])
            } + [
                .must("alpha", .number(in: .alpha), Words.view["alpha"]),
                .must("z", ["type": "integer"], Words.view["z"]),
                .may("cut", .whole(from: 1), Words.view["cut"]),
            ])
    }

    private static var running: Schema {
        .record(
            "A transition that has begun and not ended.",
            [.must("name", .choice(ReactionSchema.transitions), "Its name.")] + UpdateSchemas.ends
                + [
                    .must("began", .number, "The instant at which it began, as t."),
                    .must("duration", .number(in: .span), "Seconds, from beginning to end."),
                    .must("curve", .common("curve")),
                ])
    }

    private static func table(of kind: SceneKinds) -> Schema {
        let (model, views) = models[kind.kind] ?? ([], [])
        let sent: [GestureKind] = [.wheel, .pointer, .token]
        let recognized = GestureKind.allCases.filter { !sent.contains($0) }
        let recognizer = Field.may(
            "recognizer", .choice(recognized.map(\.rawValue)),
            "The gesture that the daemon recognises in raw contacts just now.")
        var table = Schema.record(
            "The state of a `\(kind.kind)`.",
            [
                .must("phase", .choice(kind.parameters.reports.phases), Words.state["phase"]),
                .must("model", .record(nil, model + [recognizer]), Words.state["model"]),
            ])
        if !views.isEmpty {
            let names: [(String, Schema)] = views.map { ($0, ["$ref": "#/$defs/view"]) }
            let shown: Schema = ["properties": .table(names)]
            let properties = table["properties"] ?? [:]
            table = table.with([
                "properties": properties.with(["views": shown.about(Words.state["views"] ?? "")])
            ])
        }
        return table
    }

    // MARK: Models

    /// The fields of each kind's model, and those views that always have the same names.
    private static var models: [String: ([Field], [String])] {
        [
            Tips.kind: (tips, ["backdrop", "tip"]),
            Toss.kind: (
                [.must("frame", .row(Array(repeating: .number, count: 4)), Words.model["frame"])],
                ["item", "touch", "anchor"]
            ),
            Navigation.kind: (navigation, []),
            Profile.kind: ([offset], ["content", "header", "avatar", "label", "blur"]),
            List.kind: (list, ["menu"]),
            Reader.kind: (
                reader,
                ["page", "header", "footer", "incoming", "header_arrow", "footer_arrow"]
            ),
            Tabs.kind: (tabs, ["bar", "arrow", "bubble"]),
            Button.kind: (
                [
                    .must("on", .bool, "Whether it is on."),
                    .must("highlighted", .bool, "Whether a contact presses it."),
                ], ["button"]
            ),
            Label.kind: (label, ["label", "former"]),
            Panel.kind: (panel, ["backdrop", "panel", "content", "handle"]),
            World.kind: (
                [
                    .must("count", .whole(from: 0), "How many items there are."),
                    .must("dragged", .orNull("string"), "The item on a finger; null: none."),
                    .may("tokens", tokens, "The tokens that lie there; absent: none."),
                ], []
            ),
        ]
    }

    private static var tokens: Schema {
        let token = Schema.record(
            nil,
            [
                .must("symbol", .symbol, Words.events["symbol"]),
                .must("x", .number, "Its place, in points."),
                .must("y", .number, "Its place, in points."),
                .must("angle", .number, Words.events["token-angle"]),
            ])
        return Schema.list(of: token).with([
            "minItems": 1, "maxItems": Schema(.integer(World.tokensMax)),
        ])
    }

    private static let offset = Field.must("offset", .number, Words.model["offset"])
    private static let index = Schema.whole(from: 0)
    private static let indexOrNull = Schema.anyOf([index, ["type": "null"]])

    private static var tips: [Field] {
        [
            .must("index", index, "The card that shows."),
            .must("count", index, "How many cards there are."),
            .must("title", .orNull("string"), "The card's title; null: there are no cards."),
            .must("summary", .orNull("string"), "The card's text; null: there are no cards."),
            .must("image", .orNull("string"), "The name of the card's image; null: none."),
            .may("content", .object, "The content of a card that `present` brought."),
        ]
    }

    private static var panel: [Field] {
        [
            .must("at", .orNull("string"), "The anchor at which it rests; null: in motion."),
            .must("position", .number, "The place of its edge along the axis, in points."),
            .must(
                "progress", .number(in: .alpha),
                "The share of the way between the two anchors around it."),
        ]
    }

    private static var label: [Field] {
        [
            .must("text", .string, "Its text."),
            .must("image", .orNull("string"), "Its picture's name; null: none."),
            .must("former_text", .orNull("string"), "The text of view `former`; null: none."),
            .must("former_image", .orNull("string"), "The picture of view `former`; null: none."),
        ]
    }

    private static var navigation: [Field] {
        [
            .must(
                "stack", Schema.list(of: .common("name")).with(["minItems": 1]),
                "The screens, the shown one last.")
        ] + titles + [
            .may(
                "screens",
                .list(of: .record(nil, [.must("name", .common("name"), "The screen.")] + titles)),
                "Those that show, where the scene describes its screens: first that from which a "
                    + "transition leads.")
        ]
    }

    private static var titles: [Field] {
        [
            .must("title", .orNull("string"), "The shown screen's title; null: none."),
            .must(
                "back_title", .orNull("string"),
                "The title of the back button; null: none, or at the root."),
        ]
    }

    private static var list: [Field] {
        [
            .must("row", indexOrNull, "The open row; null: none."),
            .must("direction", ["enum": ["left", "right", .null]], "Where it opens to."),
            .must("selected", indexOrNull, "The selected row; null: none."), offset,
        ]
    }

    private static var reader: [Field] {
        let bar = Schema.choice(["hidden", "unloaded", "loaded"])
        return [
            .must("index", index, "The page."), .must("page", index, "The page in view `page`."),
            .must("incoming", indexOrNull, "The page in view `incoming`; null unless paging."),
            .must("count", .whole(from: 1), "How many pages there are."),
            .must("title", .string, "The page's title."),
            .must("previous_title", .orNull("string"), "The title before it; null: none."),
            .must("next_title", .orNull("string"), "The title after it; null: none."), offset,
            .must("header", bar, "Loaded: a release brings in the previous page; hidden: none."),
            .must("footer", bar, "Loaded: a release brings in the next page; hidden: none."),
            .must("preload", .list(of: index), "The indexes of the neighbours."),
        ]
    }

    private static var tabs: [Field] {
        let counts: Schema = ["type": "object", "additionalProperties": .whole(from: 0)]
        let item = Schema.record(
            nil,
            [
                .must("id", .common("name"), "The item's id."),
                .must("selected", .bool, "Whether its page shows."),
                .must("highlighted", .bool, "Whether a contact presses it."),
                .must("glow", .bool, "Whether it glows."),
            ])
        return [
            .must("selected", index, "The index of the selected item."),
            .must("items", .list(of: item), "The items in their order."),
            .must(
                "bubble",
                .anyOf([
                    ["type": "null"],
                    .record(
                        nil,
                        [
                            .must("index", index, "The item by its number, from 0."),
                            .must("counts", counts, "The count of each kind that it shows."),
                        ]),
                ]), "The bubble's item and its counts; null: none shows."),
        ]
    }
}
