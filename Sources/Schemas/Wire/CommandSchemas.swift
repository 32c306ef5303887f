import Interactions
import Notation
import Sessions

/// `event-command.json`: commands to a session, to its counts, and to components of each kind.
enum CommandSchemas {
    /// One command of those that take it.
    struct Command {
        var name: String
        var body: Schema

        init(_ name: String, _ fields: [Field] = [], rules: [(String, Schema)] = []) {
            self.name = name
            body = Schema.record(nil, fields).with(rules)
        }
    }

    struct Target {
        var name: String
        var commands: [Command]
    }

    static var schema: Schema {
        let targets = self.targets
        let components = targets.filter {
            $0.name != "session" && $0.name != Session.badgesComponent
        }
        return table(of: targets).about(
            """
            A command: topic command/<session>/<component>, or command/<session>. The \
            definitions say what the session itself, its badges, a component of any kind, and one \
            of each kind take.
            """
        ).with([
            "$defs": .table(
                targets.map { ($0.name, table(of: [$0])) }
                    + [("component", table(of: components))]
                    + targets.flatMap { target in
                        target.commands.map { (place($0, of: target), $0.body) }
                    } + [("item-values", itemValues), ("behavior-values", behaviorValues)])
        ])
    }

    private static func place(_ command: Command, of target: Target) -> String {
        "\(target.name).\(command.name)"
    }

    /// The commands of these, of which some have the same names.
    private static func table(of targets: [Target]) -> Schema {
        var names: [String] = []
        var places: [String: [Schema]] = [:]
        for target in targets {
            for command in target.commands {
                if places[command.name] == nil { names.append(command.name) }
                let place = Schema.ref("#/$defs/\(place(command, of: target))")
                places[command.name, default: []].append(place)
            }
        }
        let rules = names.map { name -> Schema in
            let bodies = places[name] ?? []
            return .when("command", is: name, then: bodies.count == 1 ? bodies[0] : .anyOf(bodies))
        }
        return Schema.record(
            nil,
            [.must("command", .choice(names), "The action; the other fields depend on it.")]
                + EventSchemas.envelope
        ).with(["allOf": .list(rules)])
    }

    /// The targets of commands, by their names in the definitions.
    static var targets: [Target] {
        let kind = Field.may("kind", .common("name"), Words.commands["kind"])
        let count = Schema.whole(from: 0, to: BadgeCounts.countMax)
        return [
            Target(name: "session", commands: session),
            Target(
                name: Session.badgesComponent,
                commands: [
                    Command("clear", [kind]),
                    Command(
                        "add",
                        [
                            .must("kind", .common("name")),
                            .may("count", count, Words.deed["count"]),
                        ]),
                    Command(
                        "set",
                        [
                            .must("kind", .common("name")),
                            .must("count", count, Words.deed["count"]),
                        ]),
                ]),
        ]
            + Kinds.all.map { Target(name: $0.kind, commands: commands(of: $0)) }
            .filter { !$0.commands.isEmpty }
    }

    /// Commands of a kind; one without arguments that this file does not name takes none.
    private static func commands(of kind: any Machine.Type) -> [Command] {
        let known = kinds[kind.kind] ?? []
        return kind.commands.map { name in
            known.first { $0.name == name } ?? Command(name)
        }
    }

    // MARK: Session

    private static let scene = Field.must(
        "scene", .anyOf([.string, .ref("scene.json")]), Words.commands["scene"])

    private static var session: [Command] {
        [
            Command("open", [scene, .may("replace", .bool, Words.commands["replace"])]),
            Command("close"),
            Command(
                "update",
                [scene, .may("revision", .whole(from: 1), Words.commands["revision"])]),
            Command(
                "resize",
                [
                    .must("viewport", .common("size")),
                    .may(
                        "insets",
                        .row(Array(repeating: .number(in: .distance), count: 4)),
                        Words.scene["insets"]),
                ]),
            Command(
                "assign", [.must("values", .common("values"), "Values of variables, by names.")]),
            Command(
                "set",
                [
                    .must(
                        "component",
                        [
                            "type": "string",
                            "maxLength": Schema(.integer(TableReader.textBytesMax)),
                        ],
                        Words.commands["component"]),
                    .must("values", .object, Words.commands["values"]),
                    .may("item", .common("name"), Words.commands["item"]),
                    .may("behavior", .common("name"), Words.commands["behavior"]),
                ], rules: worldRules),
        ]
    }

    // MARK: Kinds

    private static var kinds: [String: [Command]] {
        let duration = Field.may("duration", .number(in: .duration), Words.commands["duration"])
        let index = Field.must(
            "index", .whole(from: 0, to: Tabs.itemsMax - 1), Words.commands["index"])
        return [
            Tips.kind: [
                Command(
                    "present", [.may("tips", key("tips", of: Tips.kind), Words.commands["tips"])])
            ],
            Navigation.kind: [
                Command(
                    "present",
                    [
                        .must("screen", .common("name"), Words.commands["screen"]),
                        .must(
                            "transition", .choice(Navigation.Style.self),
                            Words.commands["transition"]),
                        duration,
                    ]),
                Command(
                    "back",
                    [
                        duration,
                        .may(
                            "transition", .choice(Navigation.Departure.self),
                            Words.commands["back-transition"]),
                    ]),
            ],
            List.kind: list,
            Tabs.kind: ["select", "glow", "unglow", "show"].map { Command($0, [index]) },
            Button.kind: [Command("turn", [.must("on", .bool, Words.commands["on"])])],
            Panel.kind: [
                Command(
                    "go",
                    [
                        .must("to", .common("name"), Words.commands["to"]),
                        .may("animated", .bool, Words.commands["animated"]),
                    ])
            ],
            World.kind: world,
        ]
    }

    /// A key of a component of a kind, as scenes have it.
    private static func key(_ key: String, of kind: String) -> Schema {
        .ref("scene.json#/$defs/component-\(kind)/properties/\(key)")
    }

    private static var list: [Command] {
        let item = Field.must("item", .common("name"), Words.commands["row-item"])
        let row = ListRow.shape.schema("list.rows", in: "scene.json")
        func place(_ highest: Int) -> Schema { .whole(from: 0, to: highest) }
        return [
            Command("action", [.may("action", .common("name"), Words.commands["action"])]),
            Command(
                "select",
                [
                    .may("row", place(List.rowsMax - 1), Words.commands["row"]),
                    .may("item", .common("name"), Words.commands["row-item"]),
                ], rules: [("oneOf", [["required": ["row"]], ["required": ["item"]]])]),
            Command(
                "insert",
                [
                    .must("item", row, Words.commands["new-row"]),
                    .may("at", place(List.listedRowsMax), Words.commands["at"]),
                ]),
            Command("remove", [item]),
            Command(
                "move", [item, .must("at", place(List.listedRowsMax - 1), Words.commands["at"])]),
        ]
    }

    private static var world: [Command] {
        let (items, behaviors) = (key("items", of: World.kind), key("behaviors", of: World.kind))
        func element(_ list: Schema) -> Schema { .ref((list["$ref"]?.string ?? "") + "/items") }
        let item = Field.must("item", .common("name"), Words.commands["item"])
        let side = Schema.common("coordinate")
        return [
            Command("add-item", [.must("item", element(items), Words.commands["new-item"])]),
            Command("remove-item", [item]),
            Command(
                "add-behavior",
                [.must("behavior", element(behaviors), Words.commands["new-behavior"])]),
            Command(
                "remove-behavior",
                [.must("behavior", .common("name"), Words.commands["behavior"])]),
            Command(
                "set",
                [
                    .must("values", .object, Words.commands["values"]),
                    .may("item", .common("name"), Words.commands["item"]),
                    .may("behavior", .common("name"), Words.commands["behavior"]),
                ],
                rules: worldRules + [
                    ("anyOf", [["required": ["item"]], ["required": ["behavior"]]])
                ]),
            Command(
                "add-velocity",
                [
                    item, .must("dx", side, Words.commands["dx"]),
                    .must("dy", side, Words.commands["dy"]),
                    .may("angular", side, Words.commands["angular"]),
                ]),
        ]
    }

    private static let worldRules: [(String, Schema)] = {
        func rule(_ key: String) -> Schema {
            let values = Schema.ref("#/$defs/\(key)-values")
            return [
                "if": ["required": .texts([key])], "then": ["properties": ["values": values]],
            ]
        }
        return [
            ("not", ["required": ["item", "behavior"]]),
            ("allOf", [rule("item"), rule("behavior")]),
        ]
    }()

    private static var itemValues: Schema {
        .record(
            "The keys of an item that can be set.",
            ["center", "size", "rotation", "scale", "exclusive"].map {
                .may($0, .ref(itemPath + "/properties/\($0)"))
            }, closed: true)
    }

    private static let itemPath =
        "scene.json#/$defs/component-\(World.kind)/properties/items/items"

    private static var behaviorValues: Schema {
        var names: [String] = []
        var shapes: [String: [ValueShape]] = [:]
        let shape = World.behaviorShape
        let variants = shape.variants.map { variants in
            variants.names.compactMap { variants.tables[$0] }
        }
        func note(_ table: TableShape) {
            for entry in table.entries where entry.key != "id" {
                if shapes[entry.key] == nil { names.append(entry.key) }
                if shapes[entry.key]?.contains(entry.shape) != true {
                    shapes[entry.key, default: []].append(entry.shape)
                }
            }
            guard let more = table.variants else { return }
            note(TableShape([.init(more.key, .choice(more.names))]))
            for name in more.names { if let table = more.tables[name] { note(table) } }
        }
        for variant in variants ?? [] { note(variant) }
        return .record(
            "The keys of behaviors that can be set, as far as the kind has them.",
            names.map { name in
                let schemas = (shapes[name] ?? []).map { $0.schema("", in: "scene.json") }
                return .may(name, schemas.count == 1 ? schemas[0] : .anyOf(schemas))
            }, closed: true)
    }
}
