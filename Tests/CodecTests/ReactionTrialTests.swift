import Notation
import Testing

@testable import Codec

/// Values that reactions carry into components: each is judged as its component would.
@Suite struct ReactionTrialTests {
    private static let scene = """
        viewport = [320, 568]
        [[components]]
        id = "tip"
        kind = "tips"
        tips = [{ title = "x" }]
        [[components]]
        id = "n"
        kind = "navigation"
        root = "a"
        [[components]]
        id = "w"
        kind = "dynamics"
        items = [
          { id = "ball", center = [1, 1], size = [10, 10] },
          { id = "one", center = [50, 1], size = [10, 10] },
          { id = "two", center = [90, 1], size = [10, 10] },
        ]
        behaviors = [
          { id = "down", kind = "gravity", items = ["ball"] },
          { id = "both", kind = "group", items = ["one", "two"] },
        ]

        """

    private func faults(_ deeds: [String], when: String = #"{ session = "opened" }"#) -> [String] {
        let reactions = deeds.map { "[[reactions]]\nwhen = \(when)\ndo = { \($0) }\n" }
        let text = Self.scene + reactions.joined()
        return SceneFaults.found(in: Array(text.utf8), file: "s").map(\.description)
    }

    private static func world(_ command: String, _ rest: String) -> String {
        "component = \"w\", command = \"\(command)\", \(rest)"
    }

    /// A deed, and what is told of it behind its path.
    private static let rows: [(String, [String])] = [
        (
            #"""
            component = "tip", command = "present", \#
            tips = [{ titel = "x", title = 3 }, { image = 1 }]
            """#,
            [
                "key tips: component tip, tip 1, key title: 3 must be a string",
                "key tips: component tip, tip 1: unknown key \"titel\", did you mean \"title\"?",
                "key tips: component tip, tip 2, key image: 1 must be a string",
            ]
        ),
        (
            #"component = "tip", command = "present", tips = 3"#,
            ["key tips: component tip, key tips: 3 must be a list of tables"]
        ),
        (
            #"""
            component = "n", command = "present", screen = "b", \#
            transition = "in-from-left", duration = -2
            """#,
            ["key duration: -2 must be a number of seconds from 0 to 3,600"]
        ),
        (
            #"component = "n", command = "back", duration = "1""#,
            ["key duration: \"1\" must be a number of seconds from 0 to 3,600"]
        ),
        (
            world(
                "set", #"item = "ball", values = { scale = 100, centre = [1, 1], shape = "box" }"#),
            [
                "key values: component w, item ball, key scale: 100 must be a number from 0.1",
                "key values: component w, item ball, key shape: cannot be set",
                "key values: component w, item ball: unknown key \"centre\", did you mean",
            ]
        ),
        (
            world("set", #"item = "one", values = { scale = 2 }"#),
            ["key item: \"one\" is a member of the group \"both\""]
        ),
        (
            world(
                "set", #"behavior = "down", values = { magnitude = "x", kind = "push", angel = 3 }"#
            ),
            [
                "key values: component w, behavior down, key kind: cannot be set",
                "key values: component w, behavior down, key magnitude: \"x\" must be a number",
                "key values: component w, behavior down: unknown key \"angel\", did you mean",
            ]
        ),
        (
            world("set", #"behavior = "both", values = { items = ["one"] }"#),
            [
                "key values: component w, behavior both: a group cannot be set, only removed"
            ]
        ),
        (
            world("set", #"item = "ball", values = { token = 5, exclusive = 1 }"#),
            [
                "key values: component w, item ball, key token: cannot be set",
                "key values: component w, item ball, key exclusive: 1 must be true or false",
            ]
        ),
        (
            world("set", #"item = "ball", behavior = "down", values = {}"#),
            ["key behavior: cannot stand beside item"]
        ),
        (
            world(
                "set", "values = { drag_damping = -1, drag = 3, dragg = true }"),
            [
                "key values: component w, key drag: 3 must be true, false or \"one\"",
                "key values: component w, key drag_damping: -1 must be a number",
                "key values: unknown key of dynamics \"dragg\", known ones are drag",
            ]
        ),
        (
            world(
                "add-item",
                #"""
                item = { id = "new", center = [1, 1], \#
                size = [0, 1], rotation = "a", shape = "cirle" }
                """#
            ),
            [
                "key item: component w, item new, key size: [0,1] must be [w, h]",
                "key item: component w, item new, key rotation: \"a\" must be a number",
                "key item: component w, item new, key shape: \"cirle\" must be one of \"circle\"",
            ]
        ),
        (
            world("add-item", "item = {}"),
            [
                "key item: component w, item 1, key id: is required",
                "key item: component w, item 1, key center: is required",
                "key item: component w, item 1, key size: is required",
            ]
        ),
        (
            world("add-behavior", #"behavior = { id = "q", kind = "gravty" }"#),
            [
                "key behavior: component w, behavior q, key kind: \"gravty\" must be one of"
            ]
        ),
        (
            world(
                "add-behavior",
                #"""
                behavior = { id = "q", kind = "gravity", \#
                items = ["bal", "one"], magnitud = 2 }
                """#),
            [
                "key behavior: component w, behavior q, key items: entry 1: there is no item",
                "key behavior: component w, behavior q, key items: entry 2: \"one\" is a member of",
                "key behavior: component w, behavior q: unknown key \"magnitud\", did you mean",
            ]
        ),
        (
            world("add-velocity", #"item = "two", dx = 2000000, dy = 0, angular = "x""#),
            [
                "key dx: 2000000 must be a number within ±1,000,000",
                "key angular: \"x\" must be a number within ±1,000,000",
                "key item: \"two\" is a member of the group \"both\"",
            ]
        ),
    ]

    @Test(arguments: rows.indices) func eachValueIsJudged(_ place: Int) {
        let (deed, errors) = Self.rows[place]
        let told = faults([deed])
        for error in errors {
            #expect(
                told.contains { $0.hasPrefix("s:24: reaction 1, do, \(error)") },
                "\(error)\n\(told.joined(separator: "\n"))")
        }
        #expect(told.count == errors.count, "\(told.joined(separator: "\n"))")
        #expect(!told.joined().contains("stand-in"))
        // A session of this scene would be refused by one of them.
        let text = Self.scene + "[[reactions]]\nwhen = { session = \"opened\" }\ndo = { \(deed) }"
        #expect(throws: SceneError.self) {
            try SceneReader.scene(toml: Array(text.utf8), file: "s", fallbackName: nil)
        }
    }

    /// They are tried beside the scene's variables and in its language, and so are the texts that
    /// the component has already.
    @Test func textsNameTheVariablesOfTheScene() throws {
        func told(_ deed: String) throws -> [String] {
            let text = """
                viewport = [320, 568]
                variables = { score = 1 }
                [[components]]
                id = "l"
                kind = "list"
                rows = [{ id = "a", content = { text = { de = "{score} Punkte" } } }]
                [[reactions]]
                when = { session = "opened" }
                do = { component = "l", \(deed) }
                """
            _ = try SceneReader.scene(toml: Array(text.utf8), file: "s", fallbackName: nil)
            return SceneFaults.found(in: Array(text.utf8), file: "s").map(\.description)
        }
        func insert(_ text: String) -> String {
            "command = \"insert\", item = { id = \"b\", content = { text = \"\(text)\" } }"
        }
        #expect(try told("command = \"set\", values = { row_height = 60 }") == [])
        #expect(try told(insert("{score:03} in {language}")) == [])
        let fault = try #require(try told(insert("{scor}")).first)
        #expect(fault.contains("names \"scor\", which is no variable") && fault.contains("score"))
    }

    private static let good = [
        world("add-item", #"item = { id = "new", center = [1, 1], size = [3, 1] }"#),
        world("set", #"item = "new", values = { scale = 2, rotation = 1 }"#),
        world(
            "add-behavior", #"behavior = { id = "q", kind = "gravity", items = ["new", "both"] }"#),
        world("set", #"behavior = "q", values = { angle = 2 }"#),
        world("set", #"behavior = "down", values = { dx = 2, dy = 1 }"#),
        world("remove-item", #"item = "ball""#),
        world("add-item", #"item = { id = "ball", center = [1, 1], size = [3, 1] }"#),
        #"component = "tip", command = "present", tips = []"#,
        #"component = "n", command = "back", duration = 0"#,
    ]

    @Test func goodOnesAreGood() throws {
        #expect(faults(Self.good) == [])
        let reactions = Self.good.map {
            "[[reactions]]\nwhen = { session = \"opened\" }\ndo = { \($0) }\n"
        }
        let text = Self.scene + reactions.joined()
        _ = try SceneReader.scene(toml: Array(text.utf8), file: "s", fallbackName: nil)
    }

    /// A member of a group that a reaction removes may be named afterwards.
    @Test func aGroupThatIsRemovedFreesItsItems() {
        let deeds = [
            Self.world("remove-behavior", #"behavior = "both""#),
            Self.world("set", #"item = "one", values = { scale = 2 }"#),
            Self.world(
                "add-behavior", #"behavior = { id = "q", kind = "gravity", items = ["one"] }"#),
        ]
        #expect(faults(deeds) == [])
    }

    /// A value that is told when it happens is judged then; the keys beside it are judged now.
    @Test func keysBesidesToldOnesAreJudged() {
        let told = faults(
            [
                Self.world(
                    "add-item", #"item = { id = "$kind", center = ["$count", 1], size = [0, 1] }"#),
                Self.world(
                    "set", #"item = "ball", values = { scale = "$count", rotation = true }"#),
                Self.world(
                    "add-behavior",
                    #"""
                    behavior = { id = "q", kind = "push", \#
                    items = ["$kind"], dx = "$count", mode = "once" }
                    """#
                ),
                #"""
                component = "tip", command = "present", \#
                tips = [{ title = "$kind", sumary = "x" }]
                """#,
                Self.world("set", #"values = { drag = 3, drag_damping = "$count" }"#),
            ], when: #"{ notification = "k" }"#)
        let errors = [
            "reaction 1, do, key item: component w, item 1, key size",
            "reaction 2, do, key values: ",
            "reaction 3, do, key behavior: component w, behavior q, key mode: \"once\" must be on",
            "reaction 4, do, key tips: component tip, tip 1: unknown key \"sumary\"",
            "reaction 5, do, key values: component w, key drag: 3 must be",
        ]
        for error in errors {
            #expect(
                told.contains { $0.contains(error) }, "\(error)\n\(told.joined(separator: "\n"))")
        }
        #expect(told.count == errors.count, "\(told.joined(separator: "\n"))")
    }

    @Test func eachWrongPlaceholderIsTold() {
        let told = faults(
            [
                Self.world(
                    "add-item",
                    #"item = { id = "$row", center = ["$from", "$what"], size = [1, 1] }"#)
            ])
        #expect(told.count == 3, "\(told)")
    }

    /// The line is the value's own where it has one.
    @Test func aTableOfItsOwnIsToldByItsLine() {
        let text =
            Self.scene + """
                [[reactions]]
                when = { session = "opened" }
                [reactions.do]
                component = "w"
                command = "set"
                item = "ball"
                [reactions.do.values]
                scale = 100
                centre = [1, 2]
                """
        let told = SceneFaults.found(in: Array(text.utf8), file: "s").map(\.description)
        #expect(
            told.count == 2 && told[0].hasPrefix("s:29: ") && told[1].hasPrefix("s:30: "), "\(told)"
        )
    }
}
