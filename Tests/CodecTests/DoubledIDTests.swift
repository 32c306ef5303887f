import Testing

@testable import Codec

/// Ids that two have or that are no names hide nothing.
@Suite struct DoubledIDTests {
    private func told(_ text: String) -> [String] {
        SceneFaults.found(in: Array(text.utf8), file: "s").map(\.description)
    }

    private func expect(_ text: String, _ errors: [String]) {
        let told = told(text)
        for error in errors {
            #expect(
                told.contains { $0.hasPrefix("s:\(error)") },
                "\(error)\n\(told.joined(separator: "\n"))")
        }
        #expect(told.count == errors.count, "\(told.joined(separator: "\n"))")
        #expect(!told.joined().contains("stand-in"), "\(told)")
    }

    @Test func bothBearersOfAnIDAreJudged() {
        expect(
            """
            viewport = [320, 568]
            [[components]]
            id = "l"
            kind = "list"
            [[components]]
            id = "l"
            kind = "toss"
            in = "nothing/x"
            friction = -1
            [[components]]
            id = "l"
            kind = "tabs"
            items = [{ id = "a" }]
            heigt = 3
            """,
            [
                "2: component l, key rows: is required",
                "6: component l, key id: is taken by another component",
                "8: component 2, key in: \"nothing\" is no earlier component",
                "9: component 2, key friction: must be a number",
                "11: component l, key id: is taken by another component",
                "14: component 3: unknown key \"heigt\", did you mean \"height\"?",
            ])
    }

    @Test func itemsBehaviorsAndActionsToo() {
        expect(
            """
            viewport = [320, 568]
            [[components]]
            id = "w"
            kind = "dynamics"
            [[components.items]]
            id = "x"
            center = [1, 1]
            [[components.items]]
            id = "x"
            center = [1, 1]
            size = [0, 1]
            shape = "cirle"
            [[components.behaviors]]
            id = "g"
            kind = "gravity"
            items = ["x"]
            angle = "a"
            [[components.behaviors]]
            id = "g"
            kind = "snap"
            # The second "x" may be meant.
            item = "y"
            point = [1, 1]
            [[components]]
            id = "l"
            kind = "list"
            rows = 2
            [[components.menu]]
            id = "a"
            titel = "b"
            [[components.menu]]
            id = "a"
            """,
            [
                "5: component w, item x, key size: is required",
                "9: component w, item x, key id: is taken by another item",
                "11: component w, item 2, key size", "12: component w, item 2, key shape",
                "17: component w, behavior g, key angle",
                "19: component w, behavior g, key id: is taken by another behavior",
                "30: component l, action a: unknown key \"titel\"",
                "32: component l, action a, key id: is taken by another action",
            ])
    }

    @Test func aBadIDHidesNothing() {
        expect(
            """
            viewport = [320, 568]
            [[components]]
            id = "a b"
            kind = "tabs"
            items = [{ id = "x y", titel = "a" }]
            heigt = 3
            [[components]]
            id = "badges"
            kind = "list"
            rows = -1
            [[components]]
            id = "in it"
            kind = "toss"
            in = "a b/item-9"
            friction = -1
            [[components]]
            id = "w"
            kind = "dynamics"
            items = [{ id = "my ball", center = [1, 1], size = [1, 1] }]
            behaviors = [{ id = "g", kind = "gravity", items = ["my ball", "no"] }]
            [[reactions]]
            when = { component = "a b", transition = "selekt" }
            do = { component = "in it", command = "resett" }
            """,
            [
                "3: component a b, key id: must be a name",
                "5: component 1, item x y, key id: must be a name",
                "5: component 1, item 1: unknown key \"titel\"",
                "6: component 1: unknown key \"heigt\", did you mean \"height\"?",
                "8: component badges, key id: badges is reserved",
                "10: component 2, key rows: must be",
                "12: component in it, key id: must be a name",
                "14: component 3, key in: tabs a b has no slot \"item-9\"",
                "15: component 3, key friction: must be",
                "19: component w, item my ball, key id: must be a name",
                "20: component w, behavior g, key items: entry 2: there is no item \"no\"",
                "22: reaction 1, when, key transition: unknown transition of tabs \"selekt\"",
                "23: reaction 1, do, key command: unknown command of in it \"resett\"",
            ])
    }
}
