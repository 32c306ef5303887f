import Testing

@testable import Codec

/// A check tells each error once, at its own place, and none that goes once another is mended.
@Suite struct FollowOnTests {
    private static let panel = """
        viewport = [320, 568]
        [[components]]
        id = "p"
        kind = "panel"
        start = "mid"

        """
    private static let screens = """
        viewport = [320, 568]
        [[components]]
        id = "b"
        kind = "button"
        [[components]]
        id = "n"
        kind = "navigation"
        root = "home"

        """
    private static let usesOfScreens = """

        [[components]]
        id = "in"
        kind = "button"
        in = "n/home"
        [[reactions]]
        when = { component = "n", transition = "pop", to = "home" }
        do = { component = "n", command = "present", screen = "home", transition = "in-via-scale" }
        """

    /// A scene, and all that is told of it.
    private static let anchors: [(String, [String])] = [
        (
            panel + #"anchors = [{ name = "low", at = 500 }, { name = "mid", at = true },"#
                + #" { name = "top", at = 50 }]"#,
            ["6: component p, anchor 2, key at: must be a number"]
        ),
        (
            panel + #"anchors = [{ name = "low", at = 500 }, { name = "mid" }]"#,
            ["6: component p, anchor 2, key at: is required"]
        ),
        (
            panel + #"anchors = [{ name = "low", at = 50 }, { name = "mid", at = 250 },"#
                + #" { name = "top", at = 100 }]"#,
            ["6: component p, key anchors: must stand in order"]
        ),
        (panel + "anchors = 3", ["6: component p, key anchors: must be a list"]),
        (panel, ["2: component p, key anchors: is required"]),
        (
            panel + #"anchors = [{ name = "low", at = 500 }, { nam = "mid", at = 250 }]"#,
            [
                "6: component p, anchor 2, key name: is required",
                "6: component p, anchor 2: unknown key \"nam\", did you mean \"name\"?",
            ]
        ),
        (
            panel + #"anchors = [{ name = "low", at = 500 }, { at = 250 }]"#,
            ["6: component p, anchor 2, key name: is required"]
        ),
        (
            panel + "anchors = [{ name = \"mid\", at = 0 }]\ndrag = \"handle\"\nhandle = [1]",
            ["8: component p, key handle: must be [x, y, w, h]"]
        ),
    ]

    private static let names: [(String, [String])] = [
        (
            screens + #"screens = [{ nam = "home" }, { name = "mail" }]"# + usesOfScreens,
            [
                "9: component n, screen 1, key name: is required",
                "9: component n, screen 1: unknown key \"nam\", did you mean \"name\"?",
            ]
        ),
        (
            screens + #"screens = [{ title = "Home" }, { name = "mail" }]"# + usesOfScreens,
            ["9: component n, screen 1, key name: is required"]
        ),
        (
            screens + "screens = 3" + usesOfScreens,
            ["9: component n, key screens: must be a list"]
        ),
        // A list that is not read hides what reactions name there.
        (
            """
            viewport = [320, 568]
            [[components]]
            id = "t"
            kind = "tabs"
            items = 3
            [[reactions]]
            when = { component = "t", transition = "select", item = "news", row = 1 }
            if = { component = "t", item = "news", selected = true }
            do = { component = "t", command = "glow", index = 7, indx = 1 }
            """,
            [
                "5: component t, key items: must be a list",
                "9: reaction 1, do: unknown key \"indx\", did you mean \"index\"?",
            ]
        ),
        // Texts and reactions name variables of which one is misspelled, or wrong.
        (
            """
            viewport = [320, 568]
            [variabels]
            score = 0
            [[components]]
            id = "l"
            kind = "label"
            text = "{score}"
            [[reactions]]
            when = { variable = "score" }
            do = { variable = "score", add = 1 }
            """,
            ["2: unknown key \"variabels\", did you mean \"variables\"?"]
        ),
        (
            """
            viewport = [320, 568]
            [variables]
            score = [1]
            [[components]]
            id = "l"
            kind = "label"
            text = "{score}"
            """,
            ["3: key variables: score: [1] must be"]
        ),
        // A text by language that is wrong leaves the variable of the language.
        (
            """
            viewport = [320, 568]
            [[components]]
            id = "l"
            kind = "label"
            text = { en = "{score", de = "x" }
            [[reactions]]
            when = { idle = 1 }
            do = { variable = "language", set = "de" }
            """,
            ["5: component l, key text: en: the text has a { without a }"]
        ),
    ]

    private static let texts: [(String, [String])] = [
        (
            """
            viewport = [320, 568]
            [variables]
            score = 0
            [[components]]
            id = "a"
            kind = "label"
            text = "{one}"
            [[components]]
            id = "b"
            kind = "label"
            text = "{two} {scor:.2q} {"
            [[components]]
            id = "l"
            kind = "list"
            rows = [{ id = "x", content = { text = "{three}" } }]
            [[components.menu]]
            id = "m"
            content = { label = "{four}" }
            [[components]]
            id = "t"
            kind = "tips"
            tips = [{ title = "{five}", summary = "{six}" }]
            """,
            [
                "7: component a, key text: the text names \"one\"",
                "11: component b, key text: the text has a format \".2q\"",
                "11: component b, key text: the text has a { without a }",
                "11: component b, key text: the text names \"two\"",
                "11: component b, key text: the text names \"scor\"",
                "15: component l, row x, key content: text: the text names \"three\"",
                "18: component l, action m, key content: label: the text names \"four\"",
                "22: component t, tip 1, key title: the text names \"five\"",
                "22: component t, tip 1, key summary: the text names \"six\"",
            ]
        )
    ]

    @Test func eachErrorIsToldOnceAndNoOther() {
        for (text, errors) in Self.anchors + Self.names + Self.texts {
            let told = SceneFaults.found(in: Array(text.utf8), file: "s").map(\.description)
            let all = "\(text)\n\(told.joined(separator: "\n"))"
            for error in errors {
                #expect(told.contains { $0.hasPrefix("s:\(error)") }, "\(error)\n\(all)")
            }
            #expect(told.count == errors.count, "\(all)")
            #expect(!told.joined().contains("stand-in"), "\(all)")
        }
    }

    /// Each of many rows has a text of its own that is wrong.
    @Test func manyTextsAreToldOnceEach() {
        let rows = (0..<300).map { "{ id = \"r\($0)\", content = { text = \"{v\($0)}\" } },\n" }
        let text = """
            viewport = [320, 568]
            [[components]]
            id = "a"
            kind = "list"
            rows = [
            \(rows.joined())]
            """
        let told = SceneFaults.found(in: Array(text.utf8), file: "s").map(\.description)
        #expect(told.count == 100)
        for (number, error) in told.enumerated() {
            let place = "s:\(number + 6): component a, row r\(number), key content: text: "
            #expect(error.hasPrefix("\(place)the text names \"v\(number)\""), "\(error)")
        }
    }
}
