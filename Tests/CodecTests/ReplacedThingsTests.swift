import Codec
import Sessions
import Testing

/// Reactions that name what another reaction of the scene brings, and what none brings.
struct ReplacedThingsTests {
    private static func scene(_ components: String, _ reactions: String...) throws -> Scene {
        let toml =
            "viewport = [320, 568]\n" + components
            + reactions.map { "\n[[reactions]]\n\($0)\n" }.joined()
        return try SceneReader.scene(
            toml: Array(toml.utf8), file: "my.toml", fallbackName: nil)
    }

    private static let list = """
        [[components]]
        id = "l"
        kind = "list"
        rows = 5
        menu = [{ id = "go" }]
        """
    private static let tabs = """
        [[components]]
        id = "t"
        kind = "tabs"
        items = [{ id = "home" }]
        """
    private static let reader = """
        [[components]]
        id = "r"
        kind = "reader"
        pages = 3
        """
    private static let tips = """
        [[components]]
        id = "c"
        kind = "tips"
        tips = [{}]
        """

    /// When, do, and the reaction that brings what they name.
    @Test(arguments: [
        (
            list, #"{ component = "l", transition = "action", item = "new" }"#,
            #"{ component = "l", command = "action", action = "new" }"#,
            #"{ component = "l", command = "set", values = { menu = [{ id = "new" }] } }"#
        ),
        (
            tabs, #"{ component = "t", transition = "select", item = "new", to = 1 }"#,
            #"{ component = "t", command = "glow", index = 1 }"#,
            #"{ component = "t", command = "set", "#
                + #"values = { items = [{ id = "home" }, { id = "new" }] } }"#
        ),
        (
            reader, #"{ component = "r", transition = "page", to = 12 }"#,
            #"{ component = "r", command = "next" }"#,
            #"{ component = "r", command = "set", values = { pages = 20 } }"#
        ),
        (
            tips, #"{ component = "c", transition = "page", from = 2, to = 3 }"#,
            #"{ component = "c", command = "dismiss" }"#,
            #"{ component = "c", command = "present", tips = [{}, {}, {}, {}] }"#
        ),
    ])
    func whatAReactionBringsMayBeNamed(
        components: String, when: String, deed: String, bringing: String
    ) throws {
        let named = "when = \(when)\ndo = \(deed)"
        let brought = "when = { notification = \"a\" }\ndo = \(bringing)"
        #expect(try Self.scene(components, named, brought).reactions.count == 2)
        #expect(throws: SceneError.self) { try Self.scene(components, named) }
    }

    /// How many rows there are says nothing of the actions behind them.
    @Test func moreRowsBringNoAction() throws {
        let rows = """
            when = { notification = "a" }
            do = { component = "l", command = "set", values = { rows = "$count" } }
            """
        let action = #"when = { component = "l", transition = "action", item = "gone" }"#
        let top = #"do = { component = "l", command = "scroll-to-top" }"#
        #expect {
            try Self.scene(Self.list, rows, "\(action)\n\(top)")
        } throws: { error in
            "\(error)".contains(#"when, key item: "gone" must be one of "go""#)
        }
    }
}
