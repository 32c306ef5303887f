import Testing

@testable import Codec

/// An error of a table hides no other of it.
@Suite struct MaskedErrorTests {
    /// A reaction's parts stand in lines 9 to 11.
    private static func scene(_ when: String, _ condition: String, _ deed: String) -> String {
        """
        viewport = [320, 568]
        [variables]
        n = 0
        s = ""
        [[components]]
        id = "b"
        kind = "button"
        [[reactions]]
        when = \(when)
        if = \(condition)
        do = \(deed)
        """
    }

    private static let idle = "{ idle = 1 }"
    private static let resting = #"{ component = "b", phase = "resting" }"#
    private static let tap = #"{ component = "b", command = "tap" }"#

    private static func cause(_ when: String) -> String { scene(when, #"{ badge = "x" }"#, tap) }
    private static func condition(_ test: String) -> String { scene(idle, test, tap) }
    private static func deed(_ deed: String) -> String { scene(idle, #"{ badge = "x" }"#, deed) }

    private static let reactions: [(String, [String])] = [
        (
            cause(#"{ component = "b", transition = "tapp", item = "q", evnt = "x" }"#),
            [
                "9: reaction 1, when, key transition: unknown transition of button \"tapp\"",
                "9: reaction 1, when: unknown key \"evnt\", did you mean \"event\"?",
            ]
        ),
        (
            cause(#"{ component = "b", transition = "tapp", event = "begn" }"#),
            [
                "9: reaction 1, when, key transition: unknown transition",
                "9: reaction 1, when, key event: unknown event of a transition \"begn\"",
            ]
        ),
        (
            cause(#"{ component = "b", transitn = "tap" }"#),
            ["9: reaction 1, when: unknown key \"transitn\", did you mean \"transition\"?"]
        ),
        (
            cause(#"{ variable = "n", is = "x", above = "y", below = "z" }"#),
            ["is", "above", "below"].map { "9: reaction 1, when, key \($0): " }
        ),
        (
            cause(#"{ badge = "a b", above = -1, below = "x", foo = 1 }"#),
            [
                "9: reaction 1, when, key badge: \"a b\" must be a name",
                "9: reaction 1, when, key above: -1 must be",
                "9: reaction 1, when, key below: \"x\" must be",
                "9: reaction 1, when, key below: cannot stand beside above",
                "9: reaction 1, when: unknown key \"foo\"",
            ]
        ),
        (
            condition(#"{ component = "b", phase = "restin", foo = 1 }"#),
            [
                "10: reaction 1, if, key phase: unknown phase of button \"restin\"",
                "10: reaction 1, if: unknown key \"foo\"",
            ]
        ),
        (
            condition(#"{ variable = "n", greater = 3 }"#),
            [
                "10: reaction 1, if: unknown key \"greater\", known ones are variable, is, above, "
                    + "below"
            ]
        ),
        (condition(#"{ variable = "n" }"#), ["10: reaction 1, if, key is: is required"]),
        (
            deed(#"{ component = "b", command = "tun", onn = 1 }"#),
            [
                "11: reaction 1, do, key command: unknown command of b \"tun\"",
                "11: reaction 1, do: unknown key \"onn\", did you mean \"on\"?",
            ]
        ),
        (
            deed(#"{ variable = "n", foo = 1 }"#),
            [
                "11: reaction 1, do: unknown key \"foo\", known ones are variable, after, set, add"
            ]
        ),
        (deed(#"{ variable = "n" }"#), ["11: reaction 1, do, key set: is required"]),
        (
            deed(#"{ variable = "m", set = 1, foo = 1, after = -1 }"#),
            [
                "11: reaction 1, do, key after: -1 must be",
                "11: reaction 1, do, key variable: unknown variable \"m\"",
                "11: reaction 1, do: unknown key \"foo\"",
            ]
        ),
        (
            deed(#"{ session = "resize", viewport = [0, -1], insets = [1], foo = 1 }"#),
            [
                "11: reaction 1, do, key viewport: must be [w, h], entry 1 a number above 0",
                "11: reaction 1, do, key insets: must be [top, left, bottom, right]",
                "11: reaction 1, do: unknown key \"foo\"",
            ]
        ),
    ]

    private static func component(_ kind: String, _ rest: String) -> String {
        "viewport = [320, 568]\n[[components]]\nid = \"l\"\nkind = \"\(kind)\"\n\(rest)"
    }

    private static func languages(_ count: Int) -> String {
        (0..<count).map { "l\($0) = \"x\"" }.joined(separator: ", ")
    }

    private static let levels =
        String(repeating: "{ a = ", count: 40) + "1" + String(repeating: " }", count: 40)

    private static let values: [(String, [String])] =
        [
            ("panel", "anchors = [{ name = \"a\", at = 1 }]\n"), ("list", "rows = 3\n"),
            ("tabs", "items = [{ id = \"a\" }]\n"), ("reader", "pages = 3\n"),
        ].map { kind, rest in
            (component(kind, rest + "spring = 3"), ["6: component l, key spring: must be a table"])
        } + [
            (
                component("label", "text = { \(languages(33)) }"),
                ["5: component l, key text: must have at most 32 languages, not 33"]
            ),
            (
                component("label", "text = { \"e n\" = \"x\", de = \"y\" }"),
                ["5: component l, key text: \"e n\" is no name of a language"]
            ),
            (
                component("label", "text = { en = 3 }"),
                ["5: component l, key text: en must be a string"]
            ),
            (component("label", "text = {}"), ["5: component l, key text: must have a string"]),
            (
                component("reader", "pages = [3, { \(languages(33)) }, \"x\"]"),
                [
                    "5: component l, key pages: entry 1 must be a string, or strings by language",
                    "5: component l, key pages: entry 2: must have at most 32 languages, not 33",
                ]
            ),
            (
                component(
                    "buton", "foo = 1979-05-27\n[[components]]\nid = \"q\"\nkind = \"labl\""),
                [
                    "4: component l, key kind: unknown kind \"buton\"",
                    "5: component l, key foo: dates and times are not used here",
                    "8: component q, key kind: unknown kind \"labl\"",
                ]
            ),
            (
                component(
                    "toss",
                    "content = { a = [{ b = 10:00:00 }] }\nfriction = -1\n[[reactions]]\n"
                        + "when = { idle = 2000-01-01 }\n"
                        + "do = { component = \"l\", command = \"resett\" }"),
                [
                    "5: component l, key content: dates and times are not used here",
                    "6: component l, key friction: must be",
                    "8: reaction 1, when, key idle: dates and times are not used here",
                    "9: reaction 1, do, key command: unknown command of l \"resett\"",
                ]
            ),
            (
                component(
                    "label",
                    "text = \"a\"\n[[reactions]]\nwhen = { idle = 1 }\n"
                        + "do = { component = \"l\", command = \"set\", "
                        + "values = { text = 2020-01-01 } }"),
                ["8: reaction 1, do, key values: dates and times are not used here"]
            ),
            (
                component("toss", "content = \(levels)\nfriction = -1"),
                [
                    "5: component l, key content: a scene is nested at most 24 levels deep",
                    "6: component l, key friction: must be",
                ]
            ),
        ]

    /// In JSON null is a value, and no date.
    @Test func nullIsNoDate() {
        let deed = #"{"component":"w","command":"add-item","item":"#
        let item = #"{"id":"a","center":[1,1],"size":[1,1],"content":{"by":null}}"#
        let text = """
            {"viewport":[320,568],"content":{"a":null},
            "components":[{"id":"w","kind":"dynamics"}],
            "reactions":[{"when":{"idle":1},"do":\(deed)\(item)}}]}
            """
        let told = SceneFaults.found(in: Array(text.utf8), file: "s.json")
        #expect(told.isEmpty, "\(told)")
    }

    @Test func allOfATableAreTold() {
        for (text, errors) in Self.reactions + Self.values {
            let told = SceneFaults.found(in: Array(text.utf8), file: "s").map(\.description)
            let all = "\(text)\n\(told.joined(separator: "\n"))"
            for error in errors {
                #expect(told.contains { $0.hasPrefix("s:\(error)") }, "\(error)\n\(all)")
            }
            #expect(told.count == errors.count, "\(all)")
        }
    }
}
