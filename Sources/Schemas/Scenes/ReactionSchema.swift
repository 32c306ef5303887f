import Interactions
import Notation
import Sessions

/// A reaction of a scene: `when` this happens, `do` that.
enum ReactionSchema {
    static var schema: Schema {
        func oneOrMore(_ place: String) -> Schema {
            .anyOf([
                .ref(place),
                Schema.list(of: .ref(place)).with([
                    "minItems": 1, "maxItems": Schema(.integer(Limits.reactionPartsMax)),
                ]),
            ])
        }
        return .record(
            "When this happens, do that.",
            [
                .may("id", name, "The name by which an action cancels its waits."),
                .must(
                    "when", oneOrMore("#/$defs/when"),
                    "The happening that the reaction waits for; of a list any one."),
                .may(
                    "if", oneOrMore("#/$defs/if"),
                    "What must hold when it happens; of a list all of them."),
                .must("do", oneOrMore("#/$defs/do"), "What is done then; a list in its order."),
                .may("after", after, Words.deed["after"]),
            ], closed: true)
    }

    private static let after = Schema.number(in: .duration).with(["default": 0])

    private static let name = CommonSchema.name

    // MARK: When

    static var transitions: [String] {
        unique(SceneKinds.all.flatMap { $0.parameters.reports.transitions.map(\.name) })
    }

    static var phases: [String] {
        unique(SceneKinds.all.flatMap(\.parameters.reports.phases))
    }

    static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    static var when: Schema {
        exactlyOne(
            of: [
                ("component", passage),
                ("notification", [.must("notification", name)]),
                ("badge", [.must("badge", name), .may("above", count), .may("below", count)]),
                ("variable", [.must("variable", variable)] + variableTest),
                ("session", [.must("session", .choice(SessionMoment.self))]),
                ("idle", [.must("idle", seconds)]), ("every", [.must("every", seconds)]),
            ], Words.when, rules: ["component": passageRules, "badge": Self.notBoth])
    }

    /// A table with exactly one of these keys, and with the fields that go with it.
    private static func exactlyOne(
        of cases: [(String, [Field])], _ words: [String: String],
        rules: [String: KeyValuePairs<String, Schema>] = [:]
    ) -> Schema {
        let fields = cases.flatMap(\.1)
        var known: Set<String> = []
        let all = fields.filter { known.insert($0.name).inserted }.map { field in
            // The rules below say what it is in each case.
            let isShared = fields.count { $0.name == field.name } > 1
            return isShared ? Field.may(field.name, [:]) : field
        }
        let names = cases.map(\.0)
        return Schema.record(
            "Exactly one of \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "").",
            all.map { .may($0.name, $0.schema, words[$0.name]) }
        ).with([
            "oneOf": .list(cases.map { ["required": .texts([$0.0])] })
        ]).ruled(
            by: cases.map { key, fields in
                let own = fields.map { $0.about(Words.about($0.name, of: key, in: words)) }
                var table = Schema.record(nil, own, closed: true)
                if let more = rules[key] { table = table.with(more) }
                return ["if": ["required": .texts([key])], "then": table]
            })
    }

    private static let count = Schema.whole(from: 0, to: BadgeCounts.countMax)
    private static let notBoth: KeyValuePairs<String, Schema> = [
        "not": ["required": ["above", "below"]]
    ]
    private static let seconds = Schema.number(in: .reactionTimer)

    // MARK: If

    static var condition: Schema {
        exactlyOne(
            of: [
                ("component", partTest),
                (
                    "badge",
                    [
                        .must("badge", name), .may("is", count), .may("above", count),
                        .may("below", count),
                    ]
                ),
                ("variable", [.must("variable", variable)] + variableTest),
                ("not", [.must("not", .ref("#/$defs/if"))]),
            ], Words.condition, rules: ["component": partRules])
    }

    private static var partTest: [Field] {
        let states = PartState.allCases.map { Field.may($0.rawValue, .bool) }
        return [
            .must("component", name), .may("phase", .choice(phases)), .may("row", .whole(from: 0)),
            .may("item", name),
        ] + states
    }

    private static var partRules: KeyValuePairs<String, Schema> {
        let keys = ["phase"] + PartState.allCases.map(\.rawValue)
        return ["oneOf": .list(keys.map { ["required": .texts([$0])] })]
    }

    // MARK: Variables

    static let variable: Schema = [
        "type": "string",
        "pattern": .text("^[A-Za-z_-][A-Za-z0-9_-]{0,\(Name.bytesMax - 1)}\(CommonSchema.end)"),
    ]

    /// The value of a variable.
    static var value: Schema {
        .anyOf([
            number, .bool,
            ["type": "string", "maxLength": Schema(.integer(Limits.variableTextBytesMax))],
        ])
    }

    private static let number: Schema = [
        "type": "number", "minimum": Schema(.number(-VariableValue.numberMax)),
        "maximum": Schema(.number(VariableValue.numberMax)),
    ]

    private static var variableTest: [Field] {
        [
            .may("is", .ref("#/$defs/variable-value")), .may("above", number),
            .may("below", number),
        ]
    }

    private static var passage: [Field] {
        let end = Schema.anyOf([.whole(from: 0), name])
        return [
            .must("component", name), .may("transition", .choice(transitions)),
            .may("event", .choice(events + tokenMoments)),
            .may("from", end), .may("to", end), .may("item", name), .may("row", .whole(from: 0)),
            .may("boundary", name), .may("with", name), .may("phase", .choice(phases)),
            .may("token", .symbol),
        ]
    }

    private static let events = Transition.Event.allCases.map(\.rawValue)
    private static let tokenMoments = TokenMoment.allCases.map(\.rawValue)

    /// A transition with its event, a phase, or a token with what becomes of it.
    private static var passageRules: KeyValuePairs<String, Schema> {
        func event(_ names: [String], of cause: String) -> Schema {
            let words = Words.about("event", of: cause, in: Words.when) ?? ""
            return ["event": .choice(names).about(words)]
        }
        let passes: Schema = [
            "required": ["transition"], "properties": event(events, of: "transition"),
        ]
        let phase: Schema = [
            "required": ["phase"], "not": anyOf(["event", "item", "token"]),
        ]
        let token: Schema = [
            "not": anyOf(["transition", "phase"]), "anyOf": requirements(["token", "event"]),
            "properties": event(tokenMoments, of: "token"),
        ]
        return [
            "oneOf": [passes, phase, token],
            "dependentRequired": .table(
                ["from", "to", "row", "boundary", "with"].map { ($0, ["transition"]) }),
        ]
    }

    private static func anyOf(_ keys: [String]) -> Schema { ["anyOf": requirements(keys)] }

    private static func requirements(_ keys: [String]) -> Schema {
        .list(keys.map { ["required": .texts([$0])] })
    }

    // MARK: Do

    /// One command, with the arguments of all kinds that know it.
    private struct Deed {
        var name: String
        var arguments: [CommandReport.Argument]
        /// Those that every kind requires.
        var required: [String]
    }

    private static var deeds: [Deed] {
        var deeds: [Deed] = []
        let kinds = SceneKinds.all.flatMap { $0.reportsOfAnyScene.commands }
        for command in Session.badgesReports.commands + kinds {
            let required = command.arguments.filter(\.isRequired).map(\.name)
            if let place = deeds.firstIndex(where: { $0.name == command.name }) {
                let known = deeds[place].arguments.map(\.name)
                deeds[place].arguments += command.arguments.filter { !known.contains($0.name) }
                deeds[place].required.removeAll { !required.contains($0) }
            } else {
                deeds.append(
                    Deed(name: command.name, arguments: command.arguments, required: required))
            }
        }
        return deeds
    }

    /// One action: a command, or another one of these.
    static var action: Schema {
        let told = Schema.anyOf([.ref("#/$defs/variable-value"), placeholder(Placeholder.allCases)])
        let others: [(String, [Field])] = [
            (
                "variable",
                [.must("variable", variable), .may("set", told), .may("add", told)]
            ),
            ("cancel", [.must("cancel", name)]),
            (
                "session",
                [.must("session", .choice(["update"])), .must("scene", name)]
            ),
            (
                "session",
                [
                    .must("session", .choice(["resize"])),
                    .must("viewport", ValueShape.size.schema("")),
                    .may(
                        "insets",
                        ValueShape.row(Array(repeating: .number(.distance), count: 4)).schema("")),
                ]
            ),
        ]
        return .anyOf(
            [.ref("#/$defs/command")]
                + others.map { key, fields in
                    var table = Schema.record(
                        nil,
                        fields.map { $0.about(Words.deed[$0.name]) }
                            + [.may("after", after, Words.deed["after"])], closed: true)
                    if key == "variable" {
                        table = table.with([
                            "oneOf": [["required": ["set"]], ["required": ["add"]]]
                        ])
                    }
                    return table
                })
    }

    /// A text that is one of these placeholders as a whole, or a member of what came.
    private static func placeholder(_ placeholders: [Placeholder]) -> Schema {
        let names = placeholders.map { "$\($0.rawValue)" }
        return placeholders.contains(.data)
            ? .anyOf([.choice(names), ["type": "string", "pattern": "^\\$data\\."]])
            : .choice(names)
    }

    static var command: Schema {
        let deeds = self.deeds
        let names = deeds.map(\.name)
        let common: [Field] = [
            .must("component", name, Words.deed["component"]),
            .must("command", .choice(names), Words.deed["command"]),
            .may("after", after, Words.deed["after"]),
        ]
        let arguments = unique(deeds.flatMap { $0.arguments.map(\.name) })
        return Schema.record(
            "A command to a component. Its arguments depend on the command.",
            common + arguments.map { .may($0, [:], Words.arguments[$0]) }
        ).ruled(
            by: deeds.map { deed in
                .when("command", is: deed.name, then: table(of: deed, common))
            })
    }

    private static func table(of deed: Deed, _ common: [Field]) -> Schema {
        let fields = deed.arguments.map { argument in
            Field(
                name: argument.name, schema: schema(of: argument.form),
                isRequired: deed.required.contains(argument.name)
            ).about(Words.about(argument.name, of: deed.name, in: Words.arguments))
        }
        let own = common.map {
            Field(name: $0.name, schema: [:], isRequired: $0.isRequired).about(Words.deed[$0.name])
        }
        return .record(nil, own + fields, closed: true)
    }

    /// A value of a form, or the name of one that will have happened.
    private static func schema(of form: ValueForm) -> Schema {
        let own: Schema =
            switch form {
            case .whole(let range): .whole(from: range.lowerBound, to: range.upperBound)
            case .number(let range): .number(in: range)
            case .name: name
            // A schema judges scenes whose components have names, too.
            case .choice(let names): names.isEmpty ? name : .choice(names)
            case .truth: .bool
            case .table: .both([.object, .ref("#/$defs/value")])
            case .any: .ref("#/$defs/value")
            }
        let told = Placeholder.allCases.filter { form.takes($0.form) }
        if told.isEmpty || form == .table || form == .any { return own }
        return .anyOf([own, placeholder(told)])
    }

    /// Any value in which no text stands for a value that there is not.
    static var argument: Schema {
        let known = Placeholder.allCases.map { "$\($0.rawValue)" }
        return [
            "description": .text(
                "Any value. A text that is one of \(known.joined(separator: ", ")) as a whole "
                    + "becomes the value that the happening tells; $data.x is a member of what a "
                    + "notification brought, also within a text."),
            "if": ["type": "string", "pattern": "^\\$[a-z]+$(?!\\n)"],
            "then": .choice(known),
            "items": .ref("#/$defs/value"),
            "additionalProperties": .ref("#/$defs/value"),
        ]
    }
}

extension SceneKinds {
    /// Its reports where a scene says as much as it may.
    fileprivate var reportsOfAnyScene: KindReports {
        if parameters is ListParameters { return ListParameters(listed: []).reports }
        guard var tabs = parameters as? TabsParameters else { return parameters.reports }
        tabs.items = (0..<Tabs.itemsMax).map { .init(id: "\($0)") }
        return tabs.reports
    }
}
