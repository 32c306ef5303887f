package import Interactions
package import Notation

/// One reaction of a scene: when something happens, it does a command.
///
/// The room `Reactions`: Codec has checked that the cause can be and that the command is known with
/// its arguments. A session notes what happens while it applies an event or makes a step
/// (`Session+Happenings`); afterwards it performs the reactions to it (`Session+Reactions`).
package struct Reaction: Hashable, Sendable {
    /// The thing that a reaction waits for.
    package enum Cause: Hashable, Sendable {
        case transition(TransitionCause)
        /// A component enters a phase.
        case phase(component: Int, phase: String)
        case notification(kind: String)
        /// The count of a kind passes above a number.
        case badge(kind: String, above: Int)
        case session(SessionMoment)
    }

    /// A transition of a component. A value that is nil may be anything.
    package struct TransitionCause: Hashable, Sendable {
        /// Its index in the scene.
        package var component: Int
        package var name: String
        package var event: Transition.Event
        package var from: ReportedValue?
        package var to: ReportedValue?
        package var item: String?

        package init(component: Int, name: String, event: Transition.Event) {
            self.component = component
            self.name = name
            self.event = event
        }
    }

    /// A command as it stands in the scene: strings that are placeholders are still names.
    package struct Deed: Hashable, Sendable {
        /// A component's id, or `Session.badgesComponent`.
        package let component: String
        package let command: String
        package let arguments: [Node.Member]
        /// Whether an argument stands for what happened; else they are the same each time.
        package let namesFacts: Bool

        package init(component: String, command: String, arguments: [Node.Member]) {
            self.component = component
            self.command = command
            self.arguments = arguments
            namesFacts = arguments.contains { $0.value.namesFacts }
        }
    }

    package var cause: Cause
    package var deed: Deed
    /// Seconds until the command, on the grid of steps; 0: at once.
    package var after: Double

    package init(_ cause: Cause, _ deed: Deed, after: Double = 0) {
        self.cause = cause
        self.deed = deed
        self.after = after
    }
}

/// A moment in a session's life that reactions may wait for, named as in scenes.
package enum SessionMoment: String, Hashable, Sendable, CaseIterable {
    case opened, restored, resized
}

/// The values of what happened, for the placeholders of a command.
struct Facts: Hashable, Sendable, Codable {
    var from: ReportedValue?
    var to: ReportedValue?
    var item: ReportedValue?
    var row: ReportedValue?
    var index: ReportedValue?
    var kind: ReportedValue?
    var count: ReportedValue?

    init() {}

    init(kind: String, count: Int) {
        self.kind = .text(kind)
        self.count = .whole(count)
    }

    init(_ transition: Transition, of report: TransitionReport) {
        from = report.value(.from, of: transition)
        to = report.value(.to, of: transition)
        item = report.value(.item, of: transition)
        row = report.value(.row, of: transition)
        index = report.value(.index, of: transition)
    }

    subscript(_ placeholder: Placeholder) -> ReportedValue? {
        switch placeholder {
        case .from: from
        case .to: to
        case .item: item
        case .row: row
        case .index: index
        case .kind: kind
        case .count: count
        }
    }

    /// Whether decoded facts could be any.
    var isSound: Bool {
        Placeholder.allCases.allSatisfy { placeholder in
            guard case .text(let text) = self[placeholder] else { return true }
            return Name.isValid(text)
        }
    }
}

extension Placeholder {
    /// The placeholder that a string is as a whole, `$item`.
    package init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "$") else { return nil }
        self.init(rawValue: String(text.dropFirst()))
    }
}

extension Reaction.Deed {
    /// Whether it writes keys of a component anew, which is a change of the scene. A world knows a
    /// command of that name for its items and behaviors.
    package var isSet: Bool { command == "set" && arguments.map(\.name) == ["values"] }

    /// The keys that it writes anew; nil: it is a command of the component.
    func values(_ facts: Facts) -> ComponentValues? {
        guard isSet, let values = filled(facts)[0].value.members else { return nil }
        return ComponentValues(component: component, values: values)
    }

    /// The command with the values of what happened.
    func command(_ facts: Facts) -> ComponentCommand {
        ComponentCommand(command, filled(facts))
    }

    private func filled(_ facts: Facts) -> [Node.Member] {
        guard namesFacts else { return arguments }
        return arguments.map { Node.Member($0.name, $0.value.filled(facts)) }
    }
}

extension Node {
    /// Whether a string in it stands for what happened.
    fileprivate var namesFacts: Bool {
        if let string { return Placeholder(string) != nil }
        return array?.contains(where: \.namesFacts) ?? members?.contains { $0.value.namesFacts }
            ?? false
    }

    /// The same with a value for each string that is a placeholder.
    fileprivate func filled(_ facts: Facts) -> Node {
        switch value {
        case .null, .bool, .integer, .unsigned, .number: self
        case .string(let text):
            Placeholder(text).map { facts[$0]?.node ?? Node(.null) } ?? self
        case .array(let elements): Node(.array(elements.map { $0.filled(facts) }))
        case .object(let members):
            Node(.object(members.map { Member($0.name, $0.value.filled(facts)) }))
        }
    }
}

extension Limits {
    /// Reactions of a scene.
    package static let reactionsMax = 64
    /// Reactions to one event, or to one step, with all that they cause.
    package static let reactionChainMax = 32
    /// Reactions among these that set keys of a component: each reads the scene again, and one
    /// event should not cost a frame.
    package static let reactionSetsMax = 8
}
