import Codec
import Interactions
import Notation
import Sessions
import Testing

/// Tokens in scenes: items that follow them, and reactions to them.
@Suite struct TokenSceneTests {
    /// Its components stand in lines 2 to 8, its reaction behind them.
    private static func scene(_ when: String, _ deed: String = add) throws -> Scene {
        let toml = """
            viewport = [320, 568]
            [[components]]
            id = "table"
            kind = "dynamics"
            items = [{ id = "lens", center = [9, 9], size = [9, 9], token = 5 }]
            [[components]]
            id = "front"
            kind = "toss"
            [[reactions]]
            when = \(when)
            do = \(deed)
            """
        return try SceneReader.scene(
            toml: Array(toml.utf8), file: "my.toml", fallbackName: nil)
    }

    private static let add = #"{ component = "badges", command = "add", kind = "a" }"#

    /// A reaction's `when`, and the transition, its event and the symbol that it waits for.
    private static let moments: [(String, String, Transition.Event, Int?)] = [
        (#"component = "table", token = 5"#, "token", .began, 5),
        (#"component = "table", token = 5, event = "put""#, "token", .began, 5),
        (#"component = "table", event = "lifted""#, "token", .ended, nil),
        (#"component = "table", token = 0, event = "turned""#, "turn", .began, 0),
        (#"component = "table", token = 2147483647"#, "token", .began, 2_147_483_647),
        (#"component = "table", transition = "turn""#, "turn", .began, nil),
        (
            #"component = "table", transition = "token", event = "ended", token = 7"#, "token",
            .ended, 7
        ),
    ]

    @Test(arguments: moments)
    func aMomentOfATokenIsATransition(
        when: String, name: String, event: Transition.Event, token: Int?
    ) throws {
        let reaction = try #require(try Self.scene("{ \(when) }").reactions.first)
        var cause = Reaction.TransitionCause(component: 0, name: name, event: event)
        cause.token = token
        #expect(reaction.causes == [.transition(cause)])
    }

    @Test func anItemOfItMayBeNamed() throws {
        let when = #"{ component = "table", event = "put", item = "lens" }"#
        guard case .transition(let cause)? = try Self.scene(when).reactions.first?.causes.first
        else {
            Issue.record("no transition")
            return
        }
        #expect(cause.item == "lens" && cause.token == nil)
    }

    @Test(arguments: ["$token", "$angle", "$item"])
    func itsValuesAreTold(placeholder: String) throws {
        let item = #"{ id = "a", content = { by = "\#(placeholder)" } }"#
        let deed = #"{ component = "table", command = "add-item", item = \#(item) }"#
        let scene = try Self.scene(#"{ component = "table", token = 5 }"#, deed)
        #expect(scene.reactions.count == 1)
    }

    /// A reaction's `when`, and a part of the error.
    @Test(arguments: [
        (#"component = "table", token = -1"#, "key token: -1 must be a whole number from 0 to"),
        (#"component = "table", token = "five""#, "key token: \"five\" must be a whole number"),
        (
            #"component = "table", token = 5, event = "began""#,
            "key event: unknown event of a token \"began\""
        ),
        (
            #"component = "table", transition = "tap", event = "put""#,
            "key event: unknown event of a transition \"put\""
        ),
        (
            #"component = "table", transition = "tap", token = 5"#,
            "key token: 5 cannot be: tap of dynamics tells no token"
        ),
        (#"component = "front", token = 5"#, "key token: cannot stand here: a toss knows no"),
        (#"component = "front", event = "put""#, "key event: cannot stand here: a toss knows"),
        (#"component = "table", phase = "resting", token = 5"#, "unknown key \"token\""),
        (#"component = "table", event = "put", item = "lense""#, "there is no item \"lense\""),
        (#"component = "table", event = "done""#, "key transition: is required"),
    ])
    func wrongOnesAreExplained(when: String, message: String) {
        let error = #expect(throws: SceneError.self) { try Self.scene("{ \(when) }") }
        let text = error?.description ?? ""
        #expect(text.contains(message), "\(text)")
    }
}
