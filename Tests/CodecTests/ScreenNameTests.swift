import Testing

@testable import Codec
@testable import Scenes

/// Names of screens of a navigation that describes its screens.
@Suite struct ScreenNameTests {
    private func told(_ extra: String, screens: String = "home, mail, alerts") -> [String] {
        let tables = screens.split(separator: ", ").map { "{ name = \"\($0)\" }" }
        let text = """
            viewport = [320, 568]
            [[components]]
            id = "nav"
            kind = "navigation"
            root = "home"
            screens = [\(tables.joined(separator: ", "))]
            \(extra)
            """
        return SceneFaults.found(in: Array(text.utf8), file: "s.toml").map(\.description)
    }

    private let button = "[[components]]\nid = \"b\"\nkind = \"button\"\n"

    private func reaction(_ deed: String) -> String {
        "[[reactions]]\nwhen = { notification = \"n\" }\ndo = { component = \"nav\", \(deed) }"
    }

    @Test func thoseThatAreThereAreRight() {
        #expect(told("") == [])
        #expect(told(button + "in = \"nav/mail\"") == [])
        let present = #"command = "present", screen = "mail", transition = "in-via-scale""#
        #expect(told(reaction(present)) == [])
        #expect(told(reaction(#"command = "back", transition = "out-to-top""#)) == [])
    }

    @Test(arguments: [
        (
            #"in = "nav/mial""#,
            #"navigation nav has no slot "mial", known ones are mail, home, alerts"#
        )
    ])
    func aSlotIsAScreen(line: String, words: String) {
        #expect(told(button + line).first?.contains(words) == true)
    }

    @Test func aReactionNamesAScreenAndAWayOut() {
        let present = #"command = "present", screen = "mial", transition = "in-via-scale""#
        #expect(
            told(reaction(present)).first?.contains(
                #""mial" must be one of "mail", "home", "alerts""#) == true)
        #expect(
            told(reaction(#"command = "back", transition = "in-via-scale""#)).first?.contains(
                "must be one of \"out-via-scale\"") == true)
        let when = """
            [[reactions]]
            when = { component = "nav", transition = "pop", to = "mial" }
            do = { component = "nav", command = "back" }
            """
        #expect(told(when).first?.contains("\"mail\"") == true)
    }

    @Test func theRootIsAScreen() {
        #expect(
            told("", screens: "house, mail").first?.contains(
                #"unknown screen "home", known ones are house, mail"#) == true)
    }

    @Test func noNameStandsTwice() {
        #expect(
            told("", screens: "home, mail, mail").first?.contains("is taken by another screen")
                == true)
    }
}
