import Codec
import Geometry
import Gestures
import Interactions
import Notation
import Protocol
import Testing

@testable import Daemon

/// Bounds of what a scene may have.
extension PublishedLimitTests {
    /// Whether a scene of these components is taken.
    static func isTaken(_ components: String...) -> Bool {
        let text = "viewport = [320, 568]\n" + components.joined(separator: "\n")
        do {
            _ = try SceneReader.scene(toml: Array(text.utf8), file: "x.toml", fallbackName: "x")
            return true
        } catch {
            return false
        }
    }

    static func component(_ kind: String, _ keys: String, id: String = "c") -> String {
        "[[components]]\nid = \"\(id)\"\nkind = \"\(kind)\"\n\(keys)\n"
    }

    static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ", ") + "]"
    }

    /// Taken with as many, refused with one more.
    static func bound(
        _ kind: String, _ keys: @escaping @Sendable (Int) -> String
    ) -> Row {
        .driven { value in
            #expect(isTaken(component(kind, keys(value))))
            #expect(!isTaken(component(kind, keys(value + 1))))
        }
    }

    /// A table of so many bytes as JSON: two braces, four quotes, a colon and the name are, too.
    @Sendable private static func content(_ bytes: Int) -> String {
        "content = { a = \"\(String(repeating: "x", count: bytes - 8))\" }"
    }

    @Sendable private static func item(_ index: Int) -> String {
        #"{ id = "i\#(index)", center = [\#(index), 9], size = [1, 1] }"#
    }

    /// Taken with so many in two worlds of a session, refused with one more in the second.
    private static func sessionBound(
        _ keys: @escaping @Sendable (Int) -> String
    ) -> Row {
        .driven { value in
            let half = component("dynamics", keys(value / 2), id: "a")
            #expect(isTaken(half, component("dynamics", keys(value / 2), id: "b")))
            let more = component("dynamics", keys(1), id: "c")
            #expect(!isTaken(half, component("dynamics", keys(value / 2), id: "b"), more))
        }
    }

    static let sceneRows: [String: Row] = [
        "limit_components": .driven { value in
            func scene(_ count: Int) -> Bool {
                isTaken((0..<count).map { component("toss", "", id: "t\($0)") }.joined())
            }
            #expect(scene(value) && !scene(value + 1))
        },
        "limit_changed_scene_bytes": .elsewhere(
            file: "Tests/CodecTests/RevisedSceneTests.swift", test: "aSceneDoesNotGrowWithoutEnd",
            by: "changedSceneBytesMax"),
        "limit_nesting": .driven { value in
            func scene(_ depth: Int) -> Bool {
                let nested = (1...depth).map {
                    component("navigation", "root = \"a\"\nin = \"n\($0 - 1)/a\"", id: "n\($0)")
                }
                let outermost = component("navigation", "root = \"a\"", id: "n0")
                return isTaken(outermost + nested.joined())
            }
            #expect(scene(value) && !scene(value + 1))
        },
        "limit_reactions": .driven { value in
            func scene(_ count: Int) -> Bool {
                let reaction =
                    "[[reactions]]\nwhen = { notification = \"a\" }\n"
                    + "do = { component = \"badges\", command = \"clear\" }\n"
                return isTaken(
                    component("toss", ""), String(repeating: reaction, count: count))
            }
            #expect(scene(value) && !scene(value + 1))
        },
        "limit_content_bytes": .driven { value in
            let one = Limits.contentOfOneBytesMax
            func scene(_ bytes: Int) -> Bool {
                let full = (0..<value / one - 1).map {
                    component("toss", content(one), id: "t\($0)")
                }
                let rest = bytes - one * full.count
                return isTaken(
                    full.joined() + component("toss", content(rest - 20), id: "rest")
                        + component("toss", content(20), id: "last"))
            }
            #expect(scene(value) && !scene(value + 1))
        },
        "limit_content_of_one_bytes": bound("toss", content),
        "limit_listed_rows": bound("list") { "rows = \(list($0) { "{ id = \"r\($0)\" }" })" },
        "limit_session_rows": .driven { value in
            func lists(_ more: Int) -> Bool {
                let half = "rows = \(list(value / 2) { "{ id = \"r\($0)\" }" })"
                return isTaken(
                    component("list", half, id: "a"), component("list", half, id: "b"),
                    component(
                        "list", "rows = \(list(more) { "{ id = \"r\($0)\" }" })", id: "c"))
            }
            #expect(lists(0) && !lists(1))
        },
        "limit_tab_items": bound("tabs") { "items = \(list($0) { "{ id = \"t\($0)\" }" })" },
        "limit_tips": bound("tips") { "tips = \(list($0) { "{ title = \"\($0)\" }" })" },
        "limit_text_bytes": bound("tips") {
            "tips = [{ title = \"\(String(repeating: "a", count: $0))\" }]"
        },
        "limit_navigation_queue": bound("navigation") { "root = \"a\"\nqueue = \($0)" },
        "limit_list_rows": bound("list") { "rows = \($0)" },
        "limit_reader_pages": bound("reader") { "pages = \($0)" },
        "limit_reader_titles": bound("reader") { "pages = \(list($0) { "\"\($0)\"" })" },
        "limit_duration_seconds": bound("list") { "rows = 1\nduration = \($0)" },
        "limit_world_items": bound("dynamics") { "items = \(list($0, item))" },
        "limit_world_behaviors": bound("dynamics") {
            let behaviors = list($0) { #"{ id = "b\#($0)", kind = "gravity", items = ["i0"] }"# }
            return "items = [\(item(0))]\nbehaviors = \(behaviors)"
        },
        "limit_world_fields": bound("dynamics") {
            let fields = list($0) {
                #"{ id = "b\#($0)", kind = "field", type = "drag", items = ["i0"] }"#
            }
            return "items = [\(item(0))]\nbehaviors = \(fields)"
        },
        "limit_session_items": sessionBound { "items = \(list($0, item))" },
        "limit_session_fields": sessionBound {
            let fields = list($0) {
                #"{ id = "b\#($0)", kind = "field", type = "drag", items = ["i0"] }"#
            }
            return "items = [\(item(0))]\nbehaviors = \(fields)"
        },
        "limit_session_pairs": .driven { value in
            // 32 items are 496 pairs, and 32 more with each piece of a boundary.
            func world(_ pieces: Int) -> String {
                let path = list(pieces + 1) { "[\($0), \($0 % 2)]" }
                let names = list(32) { "\"i\($0)\"" }
                let walls = #"{ id = "w", kind = "collision", items = \#(names), "#
                return component(
                    "dynamics",
                    "items = \(list(32, item))\nbehaviors = ["
                        + walls + #"boundaries = [{ id = "p", path = \#(path) }] }]"#)
            }
            let most = (value - 496) / 32
            #expect(isTaken(world(most)) && !isTaken(world(most + 1)))
        },
        "limit_item_content_bytes": .driven { value in
            func takes(_ bytes: Int) -> Bool {
                // {"a":"…"} is eight bytes without the text.
                let text = String(repeating: "a", count: bytes - 8)
                let body = #"{"id":"i","center":[0,0],"size":[1,1],"content":{"a":"\#(text)"}}"#
                guard let item = try? Document.json(Array(body.utf8)) else { return false }
                let parameters = WorldParameters(viewport: Size(320, 568))
                var world = World(parameters, viewport: Size(320, 568), tracker: .uikit)
                var effects = Effects(random: SplitMix64(seed: 1))
                let command = ComponentCommand("add-item", [.init("item", item)])
                return (try? world.command(command, at: .zero, into: &effects)) != nil
            }
            #expect(takes(value) && !takes(value + 1))
        },
        "limit_presented_tips_bytes": .driven { value in
            func takes(_ bytes: Int) -> Bool {
                // {"title":"…"} is twelve bytes without the text, and the list has commas and two
                // brackets.
                let count = bytes / 500
                var titles = Array(repeating: 500 - 13, count: count - 1)
                titles.append(bytes - 1 - 500 * (count - 1) - 13)
                let cards = titles.map { String(repeating: "a", count: $0) }
                let body = "[" + cards.map { #"{"title":"\#($0)"}"# }.joined(separator: ",") + "]"
                guard body.utf8.count == bytes, let list = try? Document.json(Array(body.utf8))
                else { return false }
                let viewport = Size(320, 568)
                var tips = Tips(
                    TipsParameters(viewport: viewport), viewport: viewport, tracker: .uikit)
                var effects = Effects(random: SplitMix64(seed: 1))
                let command = ComponentCommand("present", [.init("tips", list)])
                return (try? tips.command(command, at: .zero, into: &effects)) != nil
            }
            #expect(takes(value) && !takes(value + 1))
        },
        "limit_session_presented_tips_bytes": .driven { value in
            // A card without a summary has 64 bytes and its title.
            func takes(_ left: Int) -> Bool {
                let card = Node(
                    .object([
                        .init("title", Node(.string(String(repeating: "a", count: 36)))),
                        .init("summary", Node(.string(""))),
                    ]))
                let viewport = Size(320, 568)
                var tips = Tips(
                    TipsParameters(viewport: viewport), viewport: viewport, tracker: .uikit)
                var effects = Effects(random: SplitMix64(seed: 1))
                effects.room.cardBytes = left
                let cards = Array(repeating: card, count: 100)
                let command = ComponentCommand("present", [.init("tips", Node(.array(cards)))])
                return (try? tips.command(command, at: .zero, into: &effects)) != nil
                    && tips.bulk.cardBytes == 10_000
            }
            #expect(takes(10_000) && !takes(9_999))
            #expect(Effects(random: SplitMix64(seed: 1)).room.cardBytes == value)
        },
        "limit_world_segments": bound("dynamics") {
            // Each point but the first ends a segment.
            let path = list($0 + 1) { "[\($0), \($0 % 2)]" }
            let walls = #"{ id = "w", kind = "collision", items = ["i0"], "#
            return "items = [\(item(0))]\nbehaviors = ["
                + walls + #"boundaries = [{ id = "p", path = \#(path) }] }]"#
        },
    ]
}
