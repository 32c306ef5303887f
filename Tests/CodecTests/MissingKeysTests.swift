import Notation
import Testing

@testable import Codec

/// All required keys that a table of a scene lacks are told at once.
@Suite struct MissingKeysTests {
    private func faults(_ text: String, file: String = "s.toml") -> [String] {
        SceneFaults.found(in: Array(text.utf8), file: file).map(\.description)
    }

    private static let world = """
        viewport = [320, 568]
        [[components]]
        id = "w"
        kind = "dynamics"
        [[components.items]]
        id = "a"
        center = [1, 2]
        size = [1, 1]

        """
    private static let list = """
        viewport = [320, 568]
        [[components]]
        id = "l"
        kind = "list"
        rows = 3

        """
    private static let reaction = list + "[[reactions]]\n"

    /// A scene, and what is told of it in this order.
    private static let rows: [(String, [String])] = [
        ("name = \"s\"", ["1: key viewport: is", "1: key components: is"]),
        (
            "frame = 1\n[[reactions]]\n",
            ["1: key viewport: is", "1: key components: is", "1: unknown key \"frame\""]
        ),
        (
            "viewport = [1, 2]\n[[components]]\nframe = [0, 0, 1, 1]",
            ["2: component 1, key id: is", "2: component 1, key kind: is"]
        ),
        (
            "viewport = [1, 2]\n[[components]]\nkind = \"list\"\nstyle = \"no\"",
            [
                "2: component 1, key id: is", "2: component 1, key rows: is",
                "4: component 1, key style: must be",
            ]
        ),
        (
            "viewport = [1, 2]\n[[components]]\nkind = \"reader\"\nstart = 3",
            ["2: component 1, key id: is", "2: component 1, key pages: is"]
        ),
        (
            "viewport = [1, 2]\n[[components]]\nkind = \"navigation\"\n"
                + "[[components]]\nid = 3\nkind = \"tabs\"",
            [
                "2: component 1, key id: is", "2: component 1, key root: is",
                "4: component 2, key items: is", "5: component 2, key id: must be",
            ]
        ),
        (
            "viewport = [1, 2]\n[[components]]\nid = \"t\"\nkind = \"tabs\"\n"
                + "[[components.items]]\nbubble = [3]",
            ["5: component t, item 1, key id: is", "6: component t, item 1, key bubble: entry 1"]
        ),
        (
            list + "[[components.menu]]\nicon = 1",
            [
                "6: component l, action 1, key id: is",
                "7: component l, action 1: unknown key \"icon\"",
            ]
        ),
    ]

    private static let worldRows: [(String, [String])] = [
        (
            "[[components.items]]\nshape = \"x\"",
            [
                "9: component w, item 2, key id: is", "9: component w, item 2, key center: is",
                "9: component w, item 2, key size: is", "10: component w, item 2, key shape: must",
            ]
        ),
        (
            "[[components.behaviors]]\nitems = [\"a\"]",
            [
                "9: component w, behavior 1, key id: is",
                "9: component w, behavior 1, key kind: is",
            ]
        ),
        (
            "[[components.behaviors]]\nkind = \"attachment\"\ntype = \"sliding\"",
            ["id", "item", "anchor", "axis"].map { "9: component w, behavior 1, key \($0): is" }
        ),
        (
            "[[components.behaviors]]\nkind = \"attachment\"\nto = \"a\"\nto_offset = [1, 1]",
            ["id", "item"].map { "9: component w, behavior 1, key \($0): is" }
        ),
        (
            "[[components.behaviors]]\nid = \"s\"\nkind = \"snap\"\nextra = 1",
            [
                "9: component w, behavior s, key item: is",
                "9: component w, behavior s, key point: is",
                "12: component w, behavior s: unknown key \"extra\"",
            ]
        ),
        (
            "[[components.behaviors]]\nid = \"p\"\nkind = \"push\"",
            ["items", "mode", "dx"].map { "9: component w, behavior p, key \($0): is" }
        ),
        (
            "[[components.behaviors]]\nid = \"g\"\nkind = \"group\"\n"
                + "[[components.behaviors]]\nid = \"s\"\nkind = \"snap\"\nitem = \"g\"",
            [
                "9: component w, behavior g, key items: is",
                "12: component w, behavior s, key point: is",
            ]
        ),
        (
            "[[components.behaviors]]\nid = \"c\"\nkind = \"collision\"\n"
                + "[[components.behaviors.boundaries]]\ncolor = 1\n"
                + "[[components.behaviors.boundaries]]\nto = [1, 2]",
            [
                "9: component w, behavior c, key items: is",
                "12: component w, behavior c, boundary 1, key id: is",
                "12: component w, behavior c, boundary 1, key from: is",
                "12: component w, behavior c, boundary 1, key to: is",
                "13: component w, behavior c, boundary 1: unknown key \"color\"",
                "14: component w, behavior c, boundary 2, key id: is",
                "14: component w, behavior c, boundary 2, key from: is",
            ]
        ),
        (
            "[[components.behaviors]]\nid = \"f\"\nkind = \"field\"\nregion = { radius = 3 }",
            [
                "9: component w, behavior f, key items: is",
                "9: component w, behavior f, key type: is",
                "12: component w, behavior f, region, key shape: is",
            ]
        ),
        (
            "[[components.behaviors]]\nid = \"f\"\nkind = \"field\"\n"
                + "region = { shape = \"union\", of = [{ shape = \"circle\", x = 1 }, {}] }",
            [
                "9: component w, behavior f, key items: is",
                "9: component w, behavior f, key type: is",
                "12: component w, behavior f, region, part 1, key radius: is",
                "12: component w, behavior f, region, part 1: unknown key \"x\"",
                "12: component w, behavior f, region, part 2, key shape: is",
            ]
        ),
        (
            "[[components.behaviors]]\nkind = \"group\"\nitems = [\"a\"]\n"
                + "[[components.behaviors]]\nid = \"s\"\nkind = \"gravity\"\nitems = [\"a\"]",
            [
                "9: component w, behavior 1, key id: is",
                "15: component w, behavior s, key items: entry 1: \"a\" is a member of the group "
                    + "without an id",
            ]
        ),
        // An item without a name may be the one that is named.
        (
            "[[components.items]]\n[[components.behaviors]]\nid = \"s\"\nkind = \"snap\"\n"
                + "item = \"b\"\n[[components.behaviors]]\nid = \"t\"\nkind = \"attachment\"",
            ["id", "center", "size"].map { "9: component w, item 2, key \($0): is" } + [
                "10: component w, behavior s, key point: is",
                "14: component w, behavior t, key item: is",
                "14: component w, behavior t, key anchor: is",
            ]
        ),
    ]

    private static let reactionRows: [(String, [String])] = [
        ("after = 1", ["6: reaction 1, key when: is", "6: reaction 1, key do: is"]),
        (
            "when = {}\ndo = {}",
            [
                "7: reaction 1, when: must have exactly one of",
                "8: reaction 1, do, key component: is", "8: reaction 1, do, key command: is",
            ]
        ),
        (
            "when = { component = \"x\" }\ndo = { component = \"y\" }",
            [
                "7: reaction 1, when, key component: unknown",
                "7: reaction 1, when, key transition: is",
                "8: reaction 1, do, key component: unknown", "8: reaction 1, do, key command: is",
            ]
        ),
        // A component without an id may be the one that is named.
        (
            "when = { session = \"opened\" }\ndo = { component = \"m\" }\n"
                + "[[components]]\nkind = \"toss\"",
            [
                "8: reaction 1, do, key command: is", "9: component 2, key id: is",
            ]
        ),
        (
            "when = { component = \"l\" }\ndo = { component = \"l\", command = \"set\", x = 1 }",
            [
                "7: reaction 1, when, key transition: is", "8: reaction 1, do, key values: is",
                "8: reaction 1, do: unknown key \"x\"",
            ]
        ),
    ]

    @Test func allOfEachKindOfTableAreTold() {
        let all =
            Self.rows + Self.worldRows.map { (Self.world + $0.0, $0.1) }
            + Self.reactionRows.map { (Self.reaction + $0.0, $0.1) }
        for (text, errors) in all {
            let told = faults(text)
            let isTold = errors.allSatisfy { error in
                told.contains { $0.hasPrefix("s.toml:\(error)") }
            }
            #expect(
                isTold && told.count == errors.count,
                "\(text)\n\(told.joined(separator: "\n"))")
            #expect(!told.joined().contains("stand-in"), "\(told)")
        }
    }

    @Test func jsonToldTheSame() {
        let told = faults(
            """
            {"viewport":[1,2],"components":[{"id":"w","kind":"dynamics","items":[{}],
            "behaviors":[{"id":"p","kind":"push"}]}]}
            """, file: "s.json")
        #expect(told.count == 6, "\(told)")
    }

    /// Only what is wrong is told, not what follows from it.
    @Test func aWrongValueMakesNoOtherMissing() {
        let rows = [
            "kind = \"attachment\"\nitem = \"a\"\nto = \"x\"\nto_offset = [1, 2]",
            "kind = \"attachment\"\nitem = \"a\"\nanchor = [1, 2]\ntype = \"slid\"\naxis = [1, 1]",
            "kind = \"push\"\nitems = [\"a\"]\nmode = \"continuous\"\nangle = 3",
            "kind = \"field\"\nitems = [\"a\"]\ntype = \"drag\"\n"
                + "region = { shape = \"circl\", radius = 3 }",
        ]
        for row in rows {
            let told = faults(Self.world + "[[components.behaviors]]\nid = \"b\"\n" + row)
            #expect(told.count == 1, "\(row): \(told)")
        }
    }
}
