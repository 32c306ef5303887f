import Gestures
import Interactions
import Notation
import Protocol
import Sessions
import TestSupport
import Testing

@testable import Codec

/// Reactions of an open session to what an event brings into its components, or takes away.
struct ChangedThingsTests {
    private static let components = """
        viewport = [320, 568]
        [[components]]
        id = "l"
        kind = "list"
        rows = 5
        [[components]]
        id = "t"
        kind = "tabs"
        items = [{ id = "home" }, { id = "news" }]
        [[components]]
        id = "r"
        kind = "reader"
        pages = 3
        [[components]]
        id = "c"
        kind = "tips"
        tips = [{}, {}, {}]

        """

    private static func theater(_ when: String, _ deed: String) throws -> Theater {
        let toml = components + "[[reactions]]\nwhen = \(when)\ndo = \(deed)\n"
        return Theater(
            try SceneReader.scene(
                toml: Array(toml.utf8), file: "my.toml", fallbackName: nil))
    }

    private static func set(_ component: String, _ values: Sheet) -> Event.Payload {
        .change(.revise(.set(ComponentValues(component: component, values: values.members))))
    }

    private func transitions(_ theater: Theater, _ topic: String) -> [String] {
        theater.told(topic).compactMap {
            guard case .transition(let line) = $0.body else { return nil }
            return line
        }
    }

    /// Opens a row, and gives the command.
    private func act(_ theater: inout Theater, _ action: String) -> Session.Reception {
        let swipe = Swipe(direction: .left, target: .row(2))
        _ = theater.receive(.gesture(component: "l", .swipe(swipe)))
        _ = theater.stepsToRest()
        let arguments = [Node.Member("action", Node(.string(action)))]
        return theater.receive(.command(component: "l", ComponentCommand("action", arguments)))
    }

    /// The scene gives the list no menu.
    @Test func aReactionHearsTheActionsOfAMenuThatComesLater() throws {
        var theater = try Self.theater(
            #"{ component = "l", transition = "action" }"#,
            #"{ component = "r", command = "next" }"#)
        #expect(act(&theater, "go") != .applied)
        _ = theater.command("l", "action")
        _ = theater.stepsToRest()
        #expect(theater.receive(Self.set("l", ["menu": [["id": "go"]]])) == .applied)
        #expect(act(&theater, "go") == .applied)
        theater.flush()
        #expect(transitions(theater, "transition/l").contains { $0.hasPrefix("action began") })
        #expect(transitions(theater, "transition/r").contains { $0.hasPrefix("page began") })
    }

    /// The component, when, do, the keys that take away what both name, and those that bring it
    /// back.
    @Test(
        arguments: [
            (
                "t", #"{ component = "t", transition = "select", to = 1 }"#,
                #"{ component = "t", command = "glow", index = 1 }"#,
                ["items": [["id": "home"]]], ["items": [["id": "home"], ["id": "news"]]]
            ),
            (
                "r", #"{ component = "r", transition = "page", from = 1, to = 2 }"#,
                #"{ component = "l", command = "scroll-to-top" }"#, ["pages": 2], ["pages": 3]
            ),
            (
                "c", #"{ component = "c", transition = "page", to = 2 }"#,
                #"{ component = "c", command = "dismiss" }"#, ["tips": [[:]]],
                ["tips": [[:], [:], [:]]]
            ),
        ] as [(String, String, String, Sheet, Sheet)])
    func aReactionStaysWhenAnEventTakesAwayWhatItNames(
        component: String, when: String, deed: String, fewer: Sheet, all: Sheet
    ) throws {
        var theater = try Self.theater(when, deed)
        for values in [fewer, all] {
            #expect(theater.receive(Self.set(component, values)) == .applied)
            #expect(theater.session.scene.reactions.count == 1)
        }
    }

    /// An action of the menu, exchanged for another one and brought back.
    @Test func aReactionStaysWhenAnotherMenuComes() throws {
        let one: Sheet = ["menu": [["id": "go"]]]
        let other: Sheet = ["menu": [["id": "stay"]]]
        let text = """
            {"viewport":[320,568],"components":[
            {"id":"l","kind":"list","rows":5,"menu":[{"id":"go"}]},
            {"id":"t","kind":"toss"}],
            "reactions":[{"when":{"component":"l","transition":"action","item":"go"},
            "do":{"component":"l","command":"action","action":"go"}}]}
            """
        var theater = Theater(
            try SceneReader.scene(
                from: try Document.json(Array(text.utf8)), fallbackName: nil))
        for values in [other, one] {
            #expect(theater.receive(Self.set("l", values)) == .applied)
        }
        #expect(act(&theater, "go") == .applied)
    }
}
