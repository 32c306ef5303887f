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
            let described = fields.map {
                $0.about(Words.about($0.name, of: name, in: Words.arguments))
            }
            body = Schema.record(nil, described).with(rules)
        }
    }

    struct Target {
        var name: String
        var commands: [Command]

        var about: String {
            switch name {
            case "session": "A command to the session itself."
            case Session.badgesComponent: "A command to the session's counts."
            default: "A command to a `\(name)`."
            }
        }
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
                targets.map { ($0.name, table(of: [$0]).about($0.about)) }
                    + [("component", table(of: components).about("A command to a component."))]
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
        let (kind, count) = (Schema.common("name"), Schema.whole(from: 0, to: BadgeCounts.countMax))
        return [
            Target(name: "session", commands: session),
            Target(
                name: Session.badgesComponent,
                commands: [
                    Command("clear", [.may("kind", kind)]),
                    Command("add", [.must("kind", kind), .may("count", count)]),
                    Command("set", [.must("kind", kind), .must("count", count)]),
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

    private static let scene = Field.must("scene", .anyOf([.string, .ref("scene.json")]))

    private static var session: [Command] {
        [
            Command("open", [scene, .may("replace", .bool)]),
            Command("close"),
            Command("update", [scene, .may("revision", .whole(from: 1))]),
            Command(
                "resize",
                [
                    .must("viewport", .common("size")),
                    .may("insets", .row(Array(repeating: .number(in: .distance), count: 4))),
                ]),
            Command("assign", [.must("values", .common("values"))]),
            Command(
                "set",
                [
                    .must(
                        "component",
                        [
                            "type": "string",
                            "maxLength": Schema(.integer(TableReader.textBytesMax)),
                        ]),
                    .must("values", .object), .may("item", .common("name")),
                    .may("behavior", .common("name")),
                ], rules: worldRules),
        ]
    }

    // MARK: Kinds

    private static var kinds: [String: [Command]] {
        let duration = Field.may("duration", .number(in: .duration))
        let index = Field.must("index", .whole(from: 0, to: Tabs.itemsMax - 1))
        return [
            Tips.kind: [Command("present", [.may("tips", key("tips", of: Tips.kind))])],
            Navigation.kind: [
                Command(
                    "present",
                    [
                        .must("screen", .common("name")),
                        .must("transition", .choice(Navigation.Style.self)), duration,
                    ]),
                Command(
                    "back", [duration, .may("transition", .choice(Navigation.Departure.self))]),
            ],
            List.kind: list,
            Tabs.kind: ["select", "glow", "unglow", "show"].map { Command($0, [index]) },
            Button.kind: [Command("turn", [.must("on", .bool)])],
            Panel.kind: [Command("go", [.must("to", .common("name")), .may("animated", .bool)])],
            World.kind: world,
        ]
    }

    /// A key of a component of a kind, as scenes have it.
    private static func key(_ key: String, of kind: String) -> Schema {
        .ref("scene.json#/$defs/component-\(kind)/properties/\(key)")
    }

    private static var list: [Command] {
        let item = Field.must("item", .common("name"))
        let row = ListRow.shape.schema("list.rows", in: "scene.json")
        func place(_ highest: Int) -> Schema { .whole(from: 0, to: highest) }
        return [
            Command("action", [.may("action", .common("name"))]),
            Command(
                "select", [.may("row", place(List.rowsMax - 1)), .may("item", .common("name"))],
                rules: [("oneOf", [["required": ["row"]], ["required": ["item"]]])]),
            Command("insert", [.must("item", row), .may("at", place(List.listedRowsMax))]),
            Command("remove", [item]),
            Command("move", [item, .must("at", place(List.listedRowsMax - 1))]),
        ]
    }

    private static var world: [Command] {
        let (items, behaviors) = (key("items", of: World.kind), key("behaviors", of: World.kind))
        func element(_ list: Schema) -> Schema { .ref((list["$ref"]?.string ?? "") + "/items") }
        let item = Field.must("item", .common("name"))
        let side = Schema.common("coordinate")
        return [
            Command("add-item", [.must("item", element(items))]),
            Command("remove-item", [item]),
            Command("add-behavior", [.must("behavior", element(behaviors))]),
            Command("remove-behavior", [.must("behavior", .common("name"))]),
            Command(
                "set",
                [
                    .must("values", .object), .may("item", .common("name")),
                    .may("behavior", .common("name")),
                ],
                rules: worldRules + [
                    ("anyOf", [["required": ["item"]], ["required": ["behavior"]]])
                ]),
            Command(
                "add-velocity",
                [item, .must("dx", side), .must("dy", side), .may("angular", side)]),
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
        var keys = BehaviorKeys()
        for (kind, table) in World.behaviorShape.variants?.all ?? [] {
            keys.note(table, at: "dynamics.behaviors.\(kind)", of: kind)
        }
        return .record(
            "The keys of behaviors that can be set, as far as the kind has them.", keys.fields,
            closed: true)
    }
}

/// The keys of all behaviors, each with what it may be and what it means.
private struct BehaviorKeys {
    private struct Key {
        var name: String
        var shapes: [ValueShape] = []
        var schemas: [Schema] = []
        var meanings: [(kind: String, words: String)] = []
    }

    private var keys: [Key] = []

    mutating func note(_ table: TableShape, at path: String, of kind: String) {
        for entry in table.entries where entry.key != "id" {
            let place = keys.firstIndex { $0.name == entry.key } ?? keys.count
            if place == keys.count { keys.append(Key(name: entry.key)) }
            if !keys[place].shapes.contains(entry.shape) {
                keys[place].shapes.append(entry.shape)
                keys[place].schemas.append(
                    entry.shape.schema("\(path).\(entry.key)", in: "scene.json"))
            }
            let words = Words.about(entry.key, at: path) ?? ""
            if !keys[place].meanings.contains(where: { $0.words == words }) {
                keys[place].meanings.append((kind, words))
            }
        }
        guard let more = table.variants else { return }
        note(TableShape([.init(more.key, .choice(more.names))]), at: path, of: kind)
        for (name, table) in more.all { note(table, at: "\(path).\(name)", of: kind) }
    }

    /// A key that means one thing here and another there says so for each kind.
    var fields: [Field] {
        keys.map { key in
            let schema = key.schemas.count == 1 ? key.schemas[0] : .anyOf(key.schemas)
            let words = key.meanings.map { kind, words in
                key.meanings.count == 1 ? words : "`\(kind)`: \(words)"
            }
            return .may(key.name, schema, words.joined(separator: " "))
        }
    }
}

extension TableShape.Variants {
    /// Its tables by their names, in their order.
    fileprivate var all: [(String, TableShape)] {
        names.compactMap { name in tables[name].map { (name, $0) } }
    }
}
