import Testing

@testable import Codec

/// Rows of a list, actions of its menus and boundaries of a world that reactions name.
@Suite struct RowNameTests {
    private static let list = """
        viewport = [320, 568]
        [[components]]
        id = "l"
        kind = "list"
        rows = [{ id = "soup" }, { id = "cake", menu = [{ id = "order" }] }]
        menu = [{ id = "like" }]

        """
    private static let numbered = """
        viewport = [320, 568]
        [[components]]
        id = "l"
        kind = "list"
        rows = 3

        """
    private static let world = """
        viewport = [320, 568]
        [[components]]
        id = "w"
        kind = "dynamics"
        items = [{ id = "ball", center = [9, 9], size = [9, 9] }]
        [[components.behaviors]]
        id = "walls"
        kind = "collision"
        items = ["ball"]
        bounds = true
        boundaries = [{ id = "floor", from = [0, 90], to = [90, 90] }]

        """
    private static let notified = #"when = { notification = "n" }"#
    private static let clear = #"do = { component = "badges", command = "clear" }"#

    private func told(_ components: String, _ reactions: [String]) -> [String] {
        let text = components + reactions.map { "[[reactions]]\n\($0)\n" }.joined()
        return SceneFaults.found(in: Array(text.utf8), file: "s").map(\.description)
    }

    private static func when(_ rest: String) -> String {
        "when = { component = \"l\", \(rest) }\n\(clear)"
    }

    private static func test(_ rest: String) -> String {
        "\(notified)\nif = { component = \"l\", \(rest) }\n\(clear)"
    }

    private static func deed(_ rest: String) -> String {
        "\(notified)\ndo = { component = \"l\", \(rest) }"
    }

    private static func touched(_ boundary: String) -> String {
        let rest = "transition = \"contact\", boundary = \"\(boundary)\""
        return "when = { component = \"w\", \(rest) }\n\(clear)"
    }

    private static func added(_ rest: String) -> String {
        let start = #"id = "more", kind = "collision", items = ["ball"]"#
        return "\(notified)\ndo = { component = \"w\", command = \"add-behavior\","
            + " behavior = { \(start), \(rest) } }"
    }

    // MARK: Rows

    /// A reaction, and what is told of it where no other one brings rows.
    private static let wrong: [(String, String)] = [
        (
            when(#"transition = "select", item = "sup""#),
            #"when, key item: there is no row "sup", known ones are soup, cake"#
        ),
        (
            when(#"transition = "select", row = 7"#),
            "when, key row: 7 must be a whole number from 0 to 1"
        ),
        (
            when(#"transition = "open", row = 2"#),
            "when, key row: 2 must be a whole number from 0 to 1"
        ),
        (
            when(#"transition = "action", item = "ordr""#),
            #"when, key item: there is no action "ordr", known ones are order, like"#
        ),
        (
            test(#"item = "cak", selected = true"#),
            #"if, key item: there is no row "cak", known ones are cake, soup"#
        ),
        (
            test("row = 5, open = true"), "if, key row: 5 must be a whole number from 0 to 1"
        ),
        (
            deed(#"command = "remove", item = "cak""#),
            #"do, key item: there is no row "cak", known ones are cake, soup"#
        ),
        (
            deed(#"command = "select", item = "cak""#),
            #"do, key item: there is no row "cak", known ones are cake, soup"#
        ),
        (
            deed(#"command = "select", row = 9"#),
            "do, key row: 9 must be a whole number from 0 to 1"
        ),
        (
            deed(#"command = "move", item = "cak", at = 0"#),
            #"do, key item: there is no row "cak", known ones are cake, soup"#
        ),
        (
            deed(#"command = "move", item = "cake", at = 9"#),
            "do, key at: 9 must be a whole number from 0 to 1"
        ),
        (
            deed(#"command = "insert", item = { id = "tea" }, at = 9"#),
            "do, key at: 9 must be a whole number from 0 to 2"
        ),
        (
            deed(#"command = "action", action = "ordr""#),
            #"do, key action: there is no action "ordr", known ones are order, like"#
        ),
    ]

    @Test(arguments: wrong)
    func aRowThatIsNotThereIsAnError(reaction: String, error: String) {
        let told = told(Self.list, [reaction])
        #expect(told.count == 1 && told[0].hasSuffix(error), "\(told)")
    }

    @Test(arguments: [
        when(#"transition = "select", item = "soup""#), when(#"transition = "close", row = 1"#),
        when(#"transition = "action", item = "like", row = 0"#),
        when(#"transition = "action", item = "order""#), test(#"item = "cake", open = true"#),
        test("row = 1, selected = true"), deed(#"command = "select", item = "cake""#),
        deed(#"command = "move", item = "soup", at = 1"#),
        deed(#"command = "insert", item = { id = "tea" }, at = 2"#),
        deed(#"command = "action", action = "order""#),
    ])
    func oneThatIsThereIsRight(reaction: String) {
        #expect(told(Self.list, [reaction]) == [])
    }

    @Test func anEmptyListHasNoRow() {
        let list = "viewport = [9, 9]\n[[components]]\nid = \"l\"\nkind = \"list\"\nrows = []\n"
        let told = told(list, [Self.when(#"transition = "select", row = 0"#)])
        let error = "there is no row 0: the list has none"
        #expect(told.count == 1 && told[0].hasSuffix(error), "\(told)")
    }

    /// Then its row, its action and a number more may be named, and no others.
    @Test func anotherReactionMayBringARow() {
        let tea = Self.deed(#"command = "insert", item = { id = "tea", menu = [{ id = "pour" }] }"#)
        for named in [
            Self.when(#"transition = "select", item = "tea", row = 2"#),
            Self.when(#"transition = "action", item = "pour""#),
            Self.deed(#"command = "move", item = "tea", at = 2"#),
            Self.test("row = 2, open = true"),
        ] {
            #expect(told(Self.list, [named, tea]) == [], "\(named)")
            #expect(told(Self.list, [named]) != [], "\(named)")
        }
        let wrong = Self.when(#"transition = "select", item = "te""#)
        #expect(
            told(Self.list, [wrong, tea]).first?.hasSuffix("known ones are tea, soup, cake") == true
        )
        let far = Self.when(#"transition = "select", row = 3"#)
        #expect(told(Self.list, [far, tea]).first?.hasSuffix("from 0 to 2") == true)
    }

    /// Where ids are known only when something happens, any may come.
    @Test(arguments: [
        deed(#"command = "insert", item = { id = "$data.id" }"#),
        deed(#"command = "insert", item = { id = "order-$data.id" }"#),
        deed(#"command = "set", values = { rows = [{ id = "a" }] }"#),
    ])
    func anyRowMayCome(bringing: String) {
        for named in [
            Self.when(#"transition = "select", item = "order-7", row = 7"#),
            Self.when(#"transition = "action", item = "pour""#),
            Self.deed(#"command = "remove", item = "order-7""#), Self.test("row = 5, open = true"),
        ] {
            #expect(told(Self.list, [named, bringing]) == [], "\(named)")
        }
    }

    @Test func anotherMenuBringsNoRow() {
        let menu = Self.deed(#"command = "set", values = { menu = [{ id = "pour" }] }"#)
        let poured = Self.when(#"transition = "action", item = "pour""#)
        #expect(told(Self.list, [poured, menu]) == [])
        let removed = Self.deed(#"command = "remove", item = "pour""#)
        #expect(told(Self.list, [removed, menu]).count == 1)
    }

    @Test func anotherNumberOfRowsIsANumber() {
        let more = Self.deed("command = \"set\", values = { rows = 25 }")
        let last = Self.when(#"transition = "select", row = 20"#)
        #expect(told(Self.numbered, [last]).first?.hasSuffix("from 0 to 2") == true)
        #expect(told(Self.numbered, [last, more]) == [])
        let removed = Self.deed(#"command = "remove", item = "a""#)
        #expect(
            told(Self.numbered, [removed]).first?.hasSuffix(
                "there is no row \"a\": the rows of this list are a number, and have no ids")
                == true)
    }

    // MARK: Boundaries

    @Test func aBoundaryThatIsNotThereIsAnError() {
        #expect(told(Self.world, [Self.touched("floor"), Self.touched("bounds")]) == [])
        let wrong = told(Self.world, [Self.touched("flor")])
        let error =
            #"when, key boundary: there is no boundary "flor", known ones are floor, bounds"#
        #expect(wrong.count == 1 && wrong[0].hasSuffix(error), "\(wrong)")
    }

    @Test(arguments: [
        added(#"boundaries = [{ id = "ramp", from = [0, 0], to = [9, 9] }]"#),
        added(#"boundaries = [{ id = "$data.id", from = [0, 0], to = [9, 9] }]"#),
        #"""
        when = { notification = "n" }
        do = { component = "w", command = "set", behavior = "walls", \#
        values = { boundaries = [{ id = "ramp", from = [0, 0], to = [9, 9] }] } }
        """#,
    ])
    func anotherReactionMayBringABoundary(bringing: String) {
        #expect(told(Self.world, [Self.touched("ramp"), bringing]) == [])
        #expect(told(Self.world, [Self.touched("ramp")]).count == 1)
    }

    /// Names that come with what is told open the names beside them, also as a part of a text.
    @Test func anItemMayComeWithWhatIsTold() {
        let added = #"""
            when = { notification = "n" }
            do = { component = "w", command = "add-item", \#
            item = { id = "n-$data.x", center = [9, 9], size = [9, 9] } }
            """#
        let tapped = """
            when = { component = "w", transition = "tap", item = "n-7" }
            \(Self.clear)
            """
        #expect(told(Self.world, [tapped, added]) == [])
        #expect(told(Self.world, [tapped]).count == 1)
    }
}
