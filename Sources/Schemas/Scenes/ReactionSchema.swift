import Interactions
import Notation
import Sessions

/// A reaction of a scene: `when` this happens, `do` that.
enum ReactionSchema {
    static var schema: Schema {
        .record(
            "When this happens, do that.",
            [
                .must("when", .ref("#/$defs/when"), "The happening that the reaction waits for."),
                .must("do", .ref("#/$defs/do"), "The command that is given then."),
                .may(
                    "after", Schema.number(in: .duration).with(["default": 0]),
                    "Seconds to wait; if it happens again meanwhile, the wait begins anew."),
            ], closed: true)
    }

    private static let name = CommonSchema.name

    // MARK: When

    /// Lists have this transition only where they have a menu.
    private static let listAction = "action"

    static var transitions: [String] {
        let own = SceneKinds.all.flatMap { $0.parameters.reports.transitions.map(\.name) }
        return unique(own + [listAction])
    }

    static var phases: [String] {
        unique(SceneKinds.all.flatMap(\.parameters.reports.phases))
    }

    static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    static var when: Schema {
        let causes: [(String, [Field])] = [
            ("component", passage),
            ("notification", [.must("notification", name)]),
            ("badge", [.must("badge", name), .may("above", above)]),
            ("session", [.must("session", .choice(SessionMoment.self))]),
        ]
        let all = passage + causes.dropFirst().flatMap(\.1)
        return Schema.record(
            "Exactly one of component, notification, badge and session.",
            all.map { .may($0.name, $0.schema, Words.when[$0.name]) }
        ).with([
            "oneOf": .list(causes.map { ["required": .texts([$0.0])] })
        ]).ruled(
            by: causes.map { key, fields in
                var table = Schema.record(nil, fields, closed: true)
                if key == "component" { table = table.with(passageRules) }
                return ["if": ["required": .texts([key])], "then": table]
            })
    }

    private static let above = Schema.whole(from: 0, to: BadgeCounts.countMax).with(["default": 0])

    private static var passage: [Field] {
        let end = Schema.anyOf([.whole(from: 0), name])
        return [
            .must("component", name), .may("transition", .choice(transitions)),
            .may("event", Schema.choice(Transition.Event.self).with(["default": "began"])),
            .may("from", end), .may("to", end), .may("item", name),
            .may("phase", .choice(phases)),
        ]
    }

    private static var passageRules: KeyValuePairs<String, Schema> {
        [
            "oneOf": [["required": ["transition"]], ["required": ["phase"]]],
            "dependentRequired": .table(
                ["event", "from", "to", "item"].map { ($0, ["transition"]) }),
        ]
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

    static var deed: Schema {
        let deeds = self.deeds
        let names = deeds.map(\.name)
        let common: [Field] = [
            .must("component", name, Words.deed["component"]),
            .must("command", .choice(names), Words.deed["command"]),
        ]
        let arguments = unique(deeds.flatMap { $0.arguments.map(\.name) })
        return Schema.record(
            "A command to a component. Its arguments depend on the command.",
            common + arguments.map { .may($0, [:], Words.deed[$0]) }
        ).ruled(
            by: deeds.map { deed in
                .when("command", is: deed.name, then: table(of: deed, common))
            })
    }

    private static func table(of deed: Deed, _ common: [Field]) -> Schema {
        let fields = deed.arguments.map { argument in
            Field(
                name: argument.name, schema: schema(of: argument.form),
                isRequired: deed.required.contains(argument.name))
        }
        return .record(nil, common.map { .must($0.name, [:]) } + fields, closed: true)
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
            case .table: Schema.both([.object, .ref("#/$defs/value")])
            case .any: .ref("#/$defs/value")
            }
        let told = Placeholder.allCases.filter { form.takes($0.form) }.map { "$\($0.rawValue)" }
        if told.isEmpty || form == .table || form == .any { return own }
        return .anyOf([own, .choice(told)])
    }

    /// Any value in which no text stands for a value that there is not.
    static var value: Schema {
        let known = Placeholder.allCases.map { "$\($0.rawValue)" }
        return [
            "description": .text(
                "Any value. A text that is one of \(known.joined(separator: ", ")) as a whole "
                    + "becomes the value that the happening tells."),
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
        guard var tabs = parameters as? TabsParameters else { return parameters.reports }
        tabs.items = (0..<Tabs.itemsMax).map { .init(id: "\($0)") }
        return tabs.reports
    }
}
