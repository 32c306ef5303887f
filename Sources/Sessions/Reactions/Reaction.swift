package import Interactions
package import Notation

/// One reaction of a scene: when one of its causes happens and its conditions hold, it performs its
/// actions.
///
/// The room `Reactions`: the scene's reader has checked that the causes can be and that each
/// command is known with its arguments. A session notes what happens while it applies an event or
/// makes a step (`Session+Happenings`); afterwards it performs the reactions to it
/// (`Session+Reactions`).
package struct Reaction: Hashable, Sendable {
    /// The name by which actions cancel its waits; several reactions may share one.
    package var name: String?
    /// At least one.
    package var causes: [Cause]
    /// All must hold when the reaction's turn comes, before any wait.
    package var conditions: [Condition] = []
    /// At least one, performed in this order.
    package var actions: [Action]
    /// Seconds until the actions, on the grid of steps; 0: at once.
    package var after: Double
    /// A hash of what the scene says: the same in another scene that says so too. Equal reactions
    /// of one scene have different marks.
    package var mark: UInt64

    package init(_ causes: [Cause], _ actions: [Action], after: Double = 0, mark: UInt64 = 0) {
        self.causes = causes
        self.actions = actions
        self.after = after
        self.mark = mark
    }
}

extension Reaction {
    /// The thing that a reaction waits for.
    package enum Cause: Hashable, Sendable {
        case transition(TransitionCause)
        /// A component enters a phase.
        case phase(component: Int, phase: String)
        case notification(kind: String)
        /// The count of a kind passes a number.
        case badge(kind: String, CountBound)
        case session(SessionMoment)
        /// Nobody has touched the session for so many seconds.
        case idle(seconds: Double)
        /// Again and again after so many seconds.
        case every(seconds: Double)
        /// A variable changes, by its index in the scene, and then passes a test.
        case variable(Int, VariableTest)
    }

    /// A number that a count passes.
    package enum CountBound: Hashable, Sendable {
        case above(Int)
        case below(Int)

        /// Whether a change of the count passes it.
        func isPassed(from former: Int, to count: Int) -> Bool {
            switch self {
            case .above(let bound): former <= bound && count > bound
            case .below(let bound): former >= bound && count < bound
            }
        }
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
        package var row: Int?
        /// The boundary that the item touches, in a contact.
        package var boundary: String?
        /// The item that the other one touches, in a contact.
        package var with: String?
        /// The symbol of the token.
        package var token: Int?

        package init(component: Int, name: String, event: Transition.Event) {
            self.component = component
            self.name = name
            self.event = event
        }
    }

    /// One thing that a reaction does.
    package struct Action: Hashable, Sendable {
        package var deed: Deed
        /// Seconds until it, after the reaction's own wait. The actions behind it do not wait.
        package var after: Double

        package init(_ deed: Deed, after: Double = 0) {
            self.deed = deed
            self.after = after
        }
    }

    package enum Deed: Hashable, Sendable {
        case command(Order)
        /// Gives a variable another value.
        case assign(Assignment)
        /// Ends the waits of the reactions of this name.
        case cancel(String)
        /// Gives the session another viewport and other insets, as the command does.
        case resize(SceneRevision)
        /// Has the session become the scene of this name, as the command does.
        case update(scene: String)
    }

    /// A command as it stands in the scene: strings that are placeholders are still names.
    package struct Order: Hashable, Sendable {
        /// A component's id, or `Session.badgesComponent`.
        package let component: String
        package let command: String
        package let arguments: [Node.Member]
        /// How many places in its arguments stand for what happened; 0: they are the same each
        /// time.
        package let factCount: Int
        /// The values in its arguments, about as many as there are to read.
        package let valueCount: Int

        package init(component: String, command: String, arguments: [Node.Member]) {
            self.component = component
            self.command = command
            self.arguments = arguments
            factCount = arguments.reduce(0) { $0 + $1.value.factCount }
            valueCount = arguments.reduce(0) { $0 + $1.value.valueCount }
        }
    }

    /// A change of a variable. Its value may stand for what happened.
    package struct Assignment: Hashable, Sendable {
        package enum Change: Hashable, Sendable {
            case set(Node)
            /// Adds a number to a number.
            case add(Node)
        }

        /// Its index in the scene.
        package var variable: Int
        package var change: Change

        package init(variable: Int, _ change: Change) {
            self.variable = variable
            self.change = change
        }
    }
}

/// A moment in a session's life that reactions may wait for, named as in scenes.
package enum SessionMoment: String, Hashable, Sendable, CaseIterable {
    case opened, restored, resized
}

/// A moment of a token, as `when` names it instead of a transition.
package enum TokenMoment: String, Hashable, Sendable, CaseIterable {
    case put, lifted, turned

    /// The transition that tells of it.
    package var transition: String {
        switch self {
        case .put, .lifted: "token"
        case .turned: "turn"
        }
    }

    /// The event of that transition.
    package var event: Transition.Event {
        switch self {
        case .put, .turned: .began
        case .lifted: .ended
        }
    }
}

extension Scene {
    /// The names of the scenes that its reactions have the session become.
    package var scenesToBecome: Set<String> {
        var names: Set<String> = []
        for reaction in reactions {
            for action in reaction.actions {
                if case .update(let name) = action.deed { names.insert(name) }
            }
        }
        return names
    }
}

extension Reaction.Deed {
    /// Whether it changes the scene.
    var isChange: Bool {
        switch self {
        case .command(let order): order.isSet
        case .resize, .update: true
        case .assign, .cancel: false
        }
    }

    /// The values in it, about as many as there are to read.
    var valueCount: Int {
        switch self {
        case .command(let order): order.valueCount
        case .assign, .cancel, .resize, .update: 1
        }
    }
}

extension Reaction.Order {
    /// Whether it writes keys of a component anew, which is a change of the scene. A world knows a
    /// command of that name for its items and behaviors.
    package var isSet: Bool { command == "set" && arguments.map(\.name) == ["values"] }

    package var namesFacts: Bool { factCount > 0 }

    /// The keys that it writes anew; nil: it is a command of the component.
    func values(_ facts: Facts) -> ComponentValues? {
        guard isSet, let values = filled(facts)[0].value.members else { return nil }
        return ComponentValues(component: component, values: values)
    }

    /// Throws where what happened makes its arguments too long.
    func check(_ facts: Facts) throws(Rejection) {
        guard namesFacts, facts.data != nil else { return }
        let bytes = filled(facts).reduce(0) { $0 + $1.value.jsonBytes }
        guard bytes <= Limits.filledBytesMax else {
            throw Rejection(
                .badValue,
                "the arguments have \(bytes) bytes with what the notification brought, and at most "
                    + "\(Limits.filledBytesMax)")
        }
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

extension Limits {
    /// Reactions of a scene.
    package static let reactionsMax = 64
    /// Causes, conditions or actions of one reaction: a screenful to read.
    package static let reactionPartsMax = 16
    /// Actions that follow from one event, or from one step, with all that they cause.
    package static let reactionChainMax = 32
    /// Actions among these that change the scene: each reads the scene again, and one event should
    /// not cost a frame.
    package static let reactionSetsMax = 8
    /// JSON values in the arguments of these actions' commands: a command may bring a thousand
    /// tips, and to read as many values takes some 20 ms.
    package static let reactionValuesMax = 8_192
    /// Bytes of scenes that the reactions to a session's beginning read again, but at least one
    /// scene: some 15 ms, and all of a scene of usual size for each reaction.
    package static let reactionSetBytesAtBeginningMax = 512 * 1024
}
