import Codec
import Geometry
import Interactions
import Notation
import Testing

@testable import Daemon

/// Bounds of what a scene may have.
extension PublishedLimitTests {
    /// Whether a scene of these components is taken.
    private static func isTaken(_ components: String...) -> Bool {
        let text = "viewport = [320, 568]\n" + components.joined(separator: "\n")
        do {
            _ = try SceneReader.scene(toml: Array(text.utf8), file: "x.toml", fallbackName: "x")
            return true
        } catch {
            return false
        }
    }

    private static func component(_ kind: String, _ keys: String, id: String = "c") -> String {
        "[[components]]\nid = \"\(id)\"\nkind = \"\(kind)\"\n\(keys)\n"
    }

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ", ") + "]"
    }

    /// Taken with as many, refused with one more.
    private static func bound(
        _ kind: String, _ keys: @escaping @Sendable (Int) -> String
    ) -> Row {
        .driven { value in
            #expect(isTaken(component(kind, keys(value))))
            #expect(!isTaken(component(kind, keys(value + 1))))
        }
    }

    @Sendable private static func item(_ index: Int) -> String {
        #"{ id = "i\#(index)", center = [\#(index), 9], size = [1, 1] }"#
    }

    static let sceneRows: [String: Row] = [
        "limit_components": .driven { value in
            func scene(_ count: Int) -> Bool {
                isTaken((0..<count).map { component("toss", "", id: "t\($0)") }.joined())
            }
            #expect(scene(value) && !scene(value + 1))
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
        "limit_world_segments": bound("dynamics") {
            // Each point but the first ends a segment.
            let path = list($0 + 1) { "[\($0), \($0 % 2)]" }
            let walls = #"{ id = "w", kind = "collision", items = ["i0"], "#
            return "items = [\(item(0))]\nbehaviors = ["
                + walls + #"boundaries = [{ id = "p", path = \#(path) }] }]"#
        },
        "limit_world_restless_ms": .elsewhere(
            file: "Tests/EndToEnd/test_dynamics.py",
            test: "test_a_world_that_nothing_drives_is_put_to_rest_after_60_s",
            by: "worlds_put_to_rest"),
    ]
}
