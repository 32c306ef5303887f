import Interactions
import Notation
import Sessions
import TestSupport

extension Scene {
    /// The seven kinds at rest, with reactions.
    static func reacting(_ reactions: [Reaction], frameRate: Int? = nil) -> Scene {
        var scene = phone(frameRate: frameRate)
        var tips = TipsParameters.counting(3)
        tips.presented = false
        scene.components[0].parameters = .init(tips)
        scene.reactions = reactions
        return scene
    }

    /// Two tabs that select each other without end, each after so many seconds.
    static func circle(after seconds: Double) -> Scene {
        var scene = reacting([
            .select(.transition("tabs", "select", to: .whole(1)), .integer(2), after: seconds),
            .select(.transition("tabs", "select", to: .whole(2)), .integer(1), after: seconds),
        ])
        var tabs = TabsParameters.five
        tabs.arrowDuration = 0
        scene.components[index("tabs")].parameters = .init(tabs)
        return scene
    }

    static func index(_ id: String) -> Int {
        guard let index = phone().components.firstIndex(where: { $0.id == id }) else {
            preconditionFailure("no component \(id)")
        }
        return index
    }
}

extension Reaction.Cause {
    static func transition(
        _ id: String, _ name: String, _ event: Transition.Event = .began,
        from: ReportedValue? = nil, to: ReportedValue? = nil, item: String? = nil
    ) -> Reaction.Cause {
        var cause = Reaction.TransitionCause(
            component: Scene.index(id), name: name, event: event)
        (cause.from, cause.to, cause.item) = (from, to, item)
        return .transition(cause)
    }

    static func phase(_ id: String, _ phase: String) -> Reaction.Cause {
        .phase(component: Scene.index(id), phase: phase)
    }
}

extension Reaction {
    /// A reaction whose arguments are texts, placeholders or not, or whole numbers.
    init(
        _ cause: Cause, _ component: String, _ command: String,
        _ arguments: KeyValuePairs<String, Node.Value> = [:], after: Double = 0
    ) {
        let members = arguments.map { Node.Member($0.key, Node($0.value)) }
        self.init(
            cause, Order(component: component, command: command, arguments: members),
            after: after)
    }

    /// The same as a scene would say it that calls it so.
    func marked(_ mark: UInt64) -> Reaction {
        var reaction = self
        reaction.mark = mark
        return reaction
    }

    /// Pushes a screen.
    static func push(
        _ cause: Cause, _ screen: String, after: Double = 0
    ) -> Reaction {
        Reaction(
            cause, "navigation", "present",
            ["screen": .string(screen), "transition": .string("in-via-scale")], after: after)
    }

    /// Selects a tab.
    static func select(_ cause: Cause, _ index: Node.Value, after: Double = 0) -> Reaction {
        Reaction(cause, "tabs", "select", ["index": index], after: after)
    }
}

extension Theater {
    init(reacting reactions: Reaction..., frameRate: Int = 60) {
        self.init(.reacting(reactions), frameRate: frameRate)
        flush()
    }

    var selected: Int? {
        guard case .whole(let index) = picture("tabs").fields["selected"] else { return nil }
        return index
    }

    /// The screens that are on the stack at rest.
    var stack: [String] {
        guard case .texts(let screens) = picture("navigation").fields["stack"] else { return [] }
        return screens
    }

    var isPresenting: Bool { picture("tips").phase == "presenting" }
}
