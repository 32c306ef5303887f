import Codec
import Interactions
import Notation
import Sessions
import Testing

/// Reactions as scenes give them: `when`, `do` and `after`, each checked.
@Suite struct ReactionTests {
    /// Components of all kinds; a reaction's `when`, `do` and rest stand in lines 35 to 37.
    private static let components = """
        viewport = [320, 568]
        [[components]]
        id = "front"
        kind = "toss"
        [[components]]
        id = "tabs"
        kind = "tabs"
        items = [{ id = "home" }, { id = "news" }]
        [[components]]
        id = "stack"
        kind = "navigation"
        root = "dashboard"
        in = "tabs/page-home"
        [[components]]
        id = "cards"
        kind = "tips"
        tips = [{}, {}, {}]
        [[components]]
        id = "rows"
        kind = "list"
        rows = 20
        [[components]]
        id = "pages"
        kind = "reader"
        pages = 4
        [[components]]
        id = "me"
        kind = "profile"
        [[components]]
        id = "world"
        kind = "dynamics"
        items = [{ id = "ball", center = [9, 9], size = [9, 9] }]

        """
    private static func scene(_ when: String, _ deed: String, _ rest: String = "") throws -> Scene {
        let toml = components + "\n[[reactions]]\nwhen = \(when)\ndo = \(deed)\n\(rest)"
        return try SceneReader.scene(
            toml: Array(toml.utf8), file: "my.toml", fallbackName: nil)
    }

    private static func reaction(
        _ when: String, _ deed: String = next, _ rest: String = ""
    ) throws -> Reaction? {
        let scene = try scene(when, deed, rest)
        #expect(scene.reactions.count == 1)
        return scene.reactions.first
    }

    private static let next = #"{ component = "pages", command = "next" }"#
    private static func present(_ screen: String, _ style: String) -> String {
        "{ component = \"stack\", command = \"present\", screen = \"\(screen)\","
            + " transition = \"\(style)\" }"
    }

    private static func world(_ command: String, _ rest: String) -> String {
        "{ component = \"world\", command = \"\(command)\", \(rest) }"
    }

    private static let select = #"{ component = "tabs", transition = "select" }"#

    // MARK: What is read

    /// Indexes are of the order of painting, in which what a slot holds follows its holder.
    @Test func aTransitionIsRead() throws {
        let when = #"{ component = "stack", transition = "in-via-scale", from = "a", to = "b" }"#
        let scene = try Self.scene(when, Self.next, "after = 0.5")
        let index = try #require(scene.components.firstIndex { $0.id == "stack" })
        var cause = Reaction.TransitionCause(
            component: index, name: "in-via-scale", event: .began)
        (cause.from, cause.to) = (.text("a"), .text("b"))
        let order = Reaction.Order(component: "pages", command: "next", arguments: [])
        #expect(scene.reactions.count == 1)
        #expect(scene.reactions[0].causes == [.transition(cause)])
        #expect(scene.reactions[0].actions == [Reaction.Action(.command(order))])
        #expect(scene.reactions[0].after == 0.5)
    }

    @Test func everyCauseIsRead() throws {
        let reaction = Self.reaction
        let ended =
            #"{ component = "tabs", transition = "select", event = "ended", item = "news" }"#
        guard case .transition(let cause)? = try reaction(ended, Self.next, "")?.causes.first else {
            Issue.record("no transition")
            return
        }
        #expect(cause.event == .ended && cause.item == "news")
        #expect(
            try reaction(#"{ notification = "likes" }"#, Self.next, "")?.causes.first
                == .notification(kind: "likes"))
        #expect(
            try reaction(#"{ badge = "likes", above = 3 }"#, Self.next, "")?.causes.first
                == .badge(kind: "likes", .above(3)))
        #expect(
            try reaction(#"{ badge = "likes" }"#, Self.next, "")?.causes.first
                == .badge(kind: "likes", .above(0)))
        for moment in SessionMoment.allCases {
            #expect(
                try reaction("{ session = \"\(moment.rawValue)\" }", Self.next, "")?.causes.first
                    == .session(moment))
        }
        #expect(
            try reaction(#"{ component = "front", phase = "thrown" }"#, Self.next, "")?.causes.first
                == .phase(component: 0, phase: "thrown"))
    }

    /// Causes and commands that go together.
    @Test(arguments: [
        (select, #"{ component = "tabs", command = "glow", index = "$index" }"#),
        (select, #"{ component = "tabs", command = "glow", index = "$from" }"#),
        (select, #"{ component = "tabs", command = "glow", index = 1.0 }"#),
        (
            select,
            present("$item", "in-via-scale")
        ),
        (
            #"{ component = "stack", transition = "in-via-scale" }"#,
            present("$from", "out-via-scale")
        ),
        (
            #"{ notification = "a" }"#,
            #"{ component = "badges", command = "clear", kind = "$kind" }"#
        ),
        (#"{ badge = "a" }"#, #"{ component = "badges", command = "clear" }"#),
        (
            #"{ component = "world", transition = "contact", item = "ball" }"#,
            world("set", #"item = "$item", values = { center = [1, 2] }"#)
        ),
        (
            #"{ notification = "a" }"#,
            world("add-velocity", #"item = "ball", dx = "$count", dy = 1"#)
        ),
        (
            #"{ notification = "a" }"#,
            world("add-item", #"item = { id = "$kind", content = { text = "$5 off" } }"#)
        ),
        (
            #"{ component = "front", transition = "toss" }"#,
            world("add-item", #"item = { id = "a", content = { by = "$user" } }"#)
        ),
        (
            #"{ component = "front", phase = "thrown" }"#,
            #"{ component = "badges", command = "add", kind = "$user" }"#
        ),
        (#"{ component = "pages", transition = "page", to = 3 }"#, next),
        (#"{ component = "cards", transition = "page", from = 0 }"#, next),
    ]) func whatGoesTogetherIsTaken(when: String, deed: String) throws {
        #expect(try Self.reaction(when, deed, "") != nil)
    }

    @Test func aSceneMayHaveNone() throws {
        let toml = "reactions = []\n" + Self.components
        let scene = try SceneReader.scene(
            toml: Array(toml.utf8), file: "my.toml", fallbackName: nil)
        #expect(scene.reactions.isEmpty)
    }

    // MARK: What is refused

    /// A reaction with something wrong, and a part of the error.
    struct Bad: Sendable, CustomTestStringConvertible {
        var when: String
        var deed: String
        var rest: String
        var error: String
        var testDescription: String { error }

        init(_ when: String, _ error: String) {
            self.init(when, next, "", error)
        }

        init(_ when: String, _ deed: String, _ error: String) {
            self.init(when, deed, "", error)
        }

        init(_ when: String, _ deed: String, _ rest: String, _ error: String) {
            (self.when, self.deed, self.rest, self.error) = (when, deed, rest, error)
        }
    }

    private static let badCauses: [Bad] = [
        Bad("1", "my.toml:35: reaction 1, key when: 1 must be a table"),
        Bad("{}", "my.toml:35: reaction 1, when: must have exactly one of component,"),
        Bad(
            #"{ badge = "a", notification = "b" }"#,
            "reaction 1, when, key badge: must have exactly one of component, notification"),
        Bad(#"{ badge = "a b" }"#, "reaction 1, when, key badge: \"a b\" must be a name"),
        Bad(#"{ badge = "a", above = -1 }"#, "when, key above: -1 must be a whole number from 0"),
        Bad(#"{ badge = "a", abov = 1 }"#, #"unknown key "abov", did you mean "above"?"#),
        Bad(#"{ notification = 7 }"#, "when, key notification: 7 must be a name"),
        Bad(#"{ notification = "a", above = 1 }"#, #"when: unknown key "above""#),
        Bad(
            #"{ session = "closed" }"#,
            "my.toml:35: reaction 1, when, key session: unknown moment of a session \"closed\", "
                + "known ones are opened, restored, resized"),
        Bad(
            #"{ component = "nobody", phase = "resting" }"#,
            "my.toml:35: reaction 1, when, key component: unknown component \"nobody\""),
        Bad(#"{ component = "tabs" }"#, "reaction 1, when, key transition: is required"),
        Bad(
            #"{ component = "tabs", transition = "select", phase = "moving" }"#,
            "key phase: cannot stand beside transition"),
        Bad(
            #"{ component = "tabs", transition = "open" }"#,
            "when, key transition: unknown transition of tabs \"open\", known ones are select"),
        Bad(
            #"{ component = "me", phase = "resting" }"#,
            "when, key phase: unknown phase of profile \"resting\", known ones are pulled"),
        Bad(
            #"{ component = "tabs", transition = "select", event = "done" }"#,
            "when, key event: unknown event of a transition \"done\", known ones are began"),
        Bad(
            #"{ component = "tabs", transition = "select", to = 2 }"#,
            "when, key to: 2 must be a whole number from 0 to 1"),
        Bad(
            #"{ component = "tabs", transition = "select", from = "home" }"#,
            "when, key from: \"home\" must be a whole number from 0 to 1"),
        Bad(
            #"{ component = "stack", transition = "in-via-scale", to = 1 }"#,
            "when, key to: 1 must be a name"),
        Bad(
            #"{ component = "cards", transition = "page", to = 3 }"#,
            "when, key to: 3 must be a whole number from 0 to 2"),
        Bad(
            #"{ component = "front", transition = "toss", to = 1 }"#,
            "when, key to: 1 cannot be: toss of toss tells no to"),
        Bad(
            #"{ component = "stack", transition = "in-via-scale", item = "a" }"#,
            "when, key item: \"a\" cannot be: in-via-scale of navigation tells no item"),
        Bad(
            #"{ component = "tabs", transition = "select", item = 1 }"#,
            "when, key item: 1 must be a name"),
        Bad(
            #"{ component = "tabs", transition = "select", item = "newz" }"#,
            "when, key item: \"newz\" must be one of \"news\", \"home\""),
        Bad(
            #"{ component = "world", transition = "contact", item = "bal" }"#,
            "when, key item: there is no item \"bal\", known ones are ball"),
    ]

    private static let badDeeds: [Bad] = [
        Bad(select, #""next""#, "my.toml:36: reaction 1, key do: \"next\" must be a table"),
        Bad(select, "{}", "my.toml:36: reaction 1, do, key component: is required"),
        Bad(
            select, #"{ component = "nobody", command = "next" }"#,
            "my.toml:36: reaction 1, do, key component: unknown component \"nobody\""),
        Bad(select, #"{ component = "pages" }"#, "do, key command: is required"),
        Bad(select, #"{ session = "update" }"#, "reaction 1, do, key scene: is required"),
        Bad(
            select, #"{ session = "update", scene = "a b" }"#,
            "reaction 1, do, key scene: must be a name"),
        Bad(
            select, #"{ session = "close" }"#,
            "key session: unknown command of a session in a reaction \"close\""),
        Bad(
            select, #"[{ session = "update", scene = "a" }, \#(next)]"#,
            "reaction 1, do 1, key session: \"update\" must be the last action or have after"),
        Bad(
            select, #"{ component = "pages", command = "nxt" }"#,
            "do, key command: unknown command of pages \"nxt\", known ones are next, previous"),
        Bad(
            select, world("remove-item", #"item = "bal""#),
            "do, key item: there is no item \"bal\", known ones are ball"),
        Bad(
            select, world("remove-behavior", #"behavior = "g""#),
            "do, key behavior: there is no behavior \"g\", there is none"),
        Bad(
            select, world("set", #"item = "bal", values = {}"#),
            "do, key item: there is no item \"bal\""),
        Bad(
            select, #"{ component = "rows", command = "action", action = "delete" }"#,
            "do, key action: \"delete\" must be left out, for there is none"),
        Bad(
            select, #"{ component = "me", command = "next" }"#,
            "do, key command: unknown command of me \"next\", there is none"),
        Bad(
            select, #"{ component = "badges", command = "reset" }"#,
            "unknown command of badges \"reset\", known ones are clear"),
        Bad(select, #"{ component = "tabs", command = "glow" }"#, "do, key index: is required"),
        Bad(
            select, #"{ component = "tabs", command = "glow", index = 2 }"#,
            "do, key index: 2 must be a whole number from 0 to 1"),
        Bad(
            select, #"{ component = "tabs", command = "glow", index = "$item" }"#,
            "do, key index: \"$item\" cannot stand here: it is a name"),
        Bad(
            select, #"{ component = "tabs", command = "glow", index = "$row" }"#,
            "do, key index: \"$row\" cannot be: select of tabs does not tell it"),
        Bad(
            select, #"{ component = "tabs", command = "glow", index = "$what" }"#,
            "do, key index: unknown value \"$what\", known ones are $from, $to, $item"),
        Bad(
            select, #"{ component = "pages", command = "next", idx = 1 }"#,
            "my.toml:36: reaction 1, do: unknown key \"idx\""),
        Bad(
            select,
            present("a", "slide"),
            "do, key transition: \"slide\" must be one of \"in-via-scale\""),
        Bad(
            select,
            present("$index", "in-via-scale"),
            "do, key screen: \"$index\" cannot stand here: it is a number"),
        Bad(
            #"{ session = "opened" }"#,
            #"{ component = "badges", command = "clear", kind = "$kind" }"#,
            "do, key kind: \"$kind\" cannot be: a session does not tell it"),
        Bad(
            #"{ notification = "a" }"#,
            #"{ component = "badges", command = "clear", kind = "$user" }"#,
            "do, key kind: \"$user\" cannot be: a notification does not tell it"),
        Bad(
            #"{ component = "front", phase = "thrown" }"#,
            #"{ component = "badges", command = "clear", kind = "$kind" }"#,
            "do, key kind: \"$kind\" cannot be: a phase does not tell it"),
        Bad(
            #"{ component = "front", transition = "toss" }"#,
            #"{ component = "badges", command = "clear", kind = "$item" }"#,
            "\"$item\" cannot be: toss of toss does not tell it"),
        Bad(
            #"{ notification = "a" }"#,
            world("add-item", #"item = { size = [1, "$index"] }"#),
            "do, key item: \"$index\" cannot be: a notification does not tell it"),
        Bad(
            #"{ component = "front", phase = "thrown" }"#,
            world("add-item", #"item = { id = "n-$data.x" }"#),
            "do, key item: \"n-$data.x\" cannot be: a phase tells no data"),
        Bad(
            #"{ notification = "a" }"#,
            world("set", #"values = 1"#),
            "do, key values: 1 must be a table"),
    ]

    private static let badSets: [Bad] = [
        Bad(
            #"{ notification = "a" }"#, #"{ component = "front", command = "set" }"#,
            "do, key values: is required"),
        Bad(
            #"{ notification = "a" }"#,
            #"{ component = "front", command = "set", values = 3 }"#,
            "do, key values: 3 must be a table"),
        Bad(
            #"{ notification = "a" }"#,
            #"{ component = "front", command = "set", values = { frictoin = 1 } }"#,
            #"key values: unknown key of toss "frictoin", known ones are friction"#),
        Bad(
            #"{ notification = "a" }"#,
            #"{ component = "front", command = "set", values = { friction = -1 } }"#,
            "do, key values: component front, key friction: -1"),
        Bad(
            #"{ notification = "a" }"#,
            #"{ component = "front", command = "set", values = { friction = "$row" } }"#,
            "do, key values: friction: \"$row\" cannot be: a notification does not tell it"),
        Bad(
            #"{ notification = "a" }"#,
            #"{ component = "badges", command = "set", values = {} }"#,
            "do, key kind: is required"),
    ]

    private static let badRests: [Bad] = [
        Bad(
            select, next, "after = -1", "my.toml:37: reaction 1, key after: -1 must be a number"),
        Bad(
            select, next, "after = 3601", "reaction 1, key after: 3601 must be a number"),
        Bad(select, next, "aftre = 1", #"reaction 1: unknown key "aftre", did you mean "after"?"#),
        Bad(
            select, next, "[[reactions]]\nwhen = { badge = \"a\" }",
            "my.toml:37: reaction 2, key do: is required"),
        Bad(
            select, next, "[[reactions]]\ndo = { component = \"a\" }",
            "my.toml:37: reaction 2, key when: is required"),
    ]

    @Test(arguments: badCauses + badDeeds + badSets + badRests)
    func aBadReactionSaysWhy(bad: Bad) throws {
        let error = #expect(throws: SceneError.self) {
            try Self.scene(bad.when, bad.deed, bad.rest)
        }
        let description = error?.description ?? ""
        #expect(description.contains(bad.error), "\(description)")
        #expect(error?.rejection.code == .badScene)
    }

    @Test(arguments: ["reactions = 1", "reactions = [1]"])
    func reactionsAreTables(text: String) {
        #expect(throws: SceneError.self) {
            try SceneReader.scene(
                toml: Array((text + "\n" + Self.components).utf8), file: "my.toml",
                fallbackName: nil)
        }
    }
}
