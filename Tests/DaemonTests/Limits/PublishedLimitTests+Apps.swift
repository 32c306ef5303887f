import Codec
import Geometry
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

@testable import Daemon

/// Bounds of reactions, variables, texts, rows and panels.
extension PublishedLimitTests {
    /// A scene of a label `c`, with what else it has on top and below.
    private static func scene(_ top: String = "", _ rest: String = "") -> Scene? {
        let text =
            "viewport = [320, 568]\n\(top)\n" + component("label", "text = \"a\"") + rest
        return try? SceneReader.scene(
            toml: Array(text.utf8), file: "x.toml", fallbackName: "x")
    }

    private static func letters(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// A reaction of a scene.
    private static func reaction(_ when: String, _ deed: String, _ rest: String = "") -> String {
        "[[reactions]]\nwhen = \(when)\ndo = \(deed)\n\(rest)\n"
    }

    private static let notified = "{ notification = \"a\" }"

    /// Sets the label's content.
    private static func setContent(_ content: String) -> String {
        "{ component = \"c\", command = \"set\", values = { content = \(content) } }"
    }

    /// The codes with which the reactions of a scene to a notification are reported.
    private static func codes(_ scene: Scene?, data: Node? = nil) throws -> [RejectionCode] {
        var theater = Theater(try #require(scene))
        theater.receive(.notification(kind: "a", .add(1), data: data))
        theater.flush()
        return theater.log.reports.map(\.rejection.code)
    }

    /// A notification's data, `{"x":"…"}`, of so many bytes.
    private static func data(_ bytes: Int) -> Node {
        Node(.object([.init("x", Node(.string(letters(bytes - 8))))]))
    }

    static let appRows = reactionRows.merging(textRows) { first, _ in first }

    private static let reactionRows: [String: Row] = [
        "limit_reaction_parts": .driven { value in
            func isRead(_ count: Int) -> Bool {
                let causes = list(count) { "{ notification = \"n\($0)\" }" }
                return scene("", reaction(causes, setContent("{}"))) != nil
            }
            #expect(isRead(value) && !isRead(value + 1))
        },
        "limit_reactions_pending": .driven { value in
            // Each of 64 reactions waits for two variables, and one for a third one.
            let causes = ["a", "b"].map { "{ variable = \"\($0)\" }" }
            let count = value / causes.count
            let deed = "{ variable = \"z\", add = 1 }"
            let never = "if = { variable = \"z\", is = 1 }"
            let more = "{ variable = \"c\" }"
            let reactions = (0..<count).map { index in
                let own = index == 0 ? causes + [more] : causes
                return reaction("[\(own.joined(separator: ", "))]", deed, never)
            }
            let read = try #require(
                scene("variables = { a = 0, b = 0, c = 0, z = 0 }", reactions.joined()))
            for (names, isTold) in [(["a", "b"], false), (["a", "b", "c"], true)] {
                var theater = Theater(read)
                theater.receive(.assign(names.map { .init($0, Node(.integer(1))) }))
                theater.flush()
                let told = theater.log.reports.map(\.rejection.code)
                #expect(told == (isTold ? [.reactionLimit] : []))
            }
        },
        "limit_reaction_facts": .driven { value in
            func isRead(_ count: Int) -> Bool {
                let content = "{ a = \(list(count) { _ in "\"$count\"" }) }"
                return scene("", reaction(notified, setContent(content))) != nil
            }
            #expect(isRead(value) && !isRead(value + 1))
        },
        "limit_reaction_arguments_bytes": .driven { value in
            // {"content":{"text":"…"}} is 23 bytes without the text.
            func isRead(_ bytes: Int) -> Bool {
                let content = "{ text = \"\(letters(bytes - 23))\" }"
                return scene("", reaction(notified, setContent(content))) != nil
            }
            #expect(isRead(value) && !isRead(value + 1))
        },
        "limit_reaction_filled_bytes": .driven { value in
            // {"content":{"a":["…","…","…","…"],"b":"…"}} is 38 bytes without the texts.
            let brought = data(4_008)
            for (more, isTold) in [(0, false), (1, true)] {
                let rest = letters(value - 4 * 4_000 - 38 + more)
                let content = "{ a = \(list(4) { _ in "\"$data.x\"" }), b = \"\(rest)\" }"
                let told = try codes(
                    scene("", reaction(notified, setContent(content))), data: brought)
                #expect(told == (isTold ? [.badValue] : []))
            }
        },
        "limit_reaction_waits_data_bytes": .driven { value in
            let brought = data(Limits.notificationDataBytesMax)
            let count = value / Limits.notificationDataBytesMax
            for (more, isTold) in [(0, false), (1, true)] {
                let reactions = String(
                    repeating: reaction(notified, setContent("{}"), "after = 1"),
                    count: count + more)
                let told = try codes(scene("", reactions), data: brought)
                #expect(told == (isTold ? [.reactionLimit] : []))
            }
        },
        "limit_reaction_timer_seconds": .driven { value in
            func isRead(_ seconds: Int) -> Bool {
                scene("", reaction("{ every = \(seconds) }", setContent("{}"))) != nil
            }
            #expect(isRead(value) && !isRead(value + 1))
        },
        "limit_variables": .driven { value in
            func isRead(_ count: Int) -> Bool {
                let all = (0..<count).map { "v\($0) = \($0)" }.joined(separator: ", ")
                return scene("variables = { \(all) }") != nil
            }
            #expect(isRead(value) && !isRead(value + 1))
        },
        "limit_variable_bytes": .driven { value in
            var theater = Theater(try #require(scene("variables = { a = \"\" }")))
            for (bytes, isTaken) in [(value, true), (value + 1, false)] {
                #expect((scene("variables = { a = \"\(letters(bytes))\" }") != nil) == isTaken)
                let values = [Node.Member("a", Node(.string(letters(bytes))))]
                let reception = theater.receive(.assign(values))
                #expect((reception == .applied) == isTaken)
            }
        },
        "limit_variables_bytes": .driven { value in
            let quarter = letters(value / 4)
            let all = (0..<4).map { "v\($0) = \"\(quarter)\"" }.joined(separator: ", ")
            #expect(scene("variables = { \(all), more = \"\" }") != nil)
            #expect(scene("variables = { \(all), more = \"x\" }") == nil)
        },
    ]

    private static let textRows: [String: Row] = [
        "limit_text_parts": .driven { value in
            func isRead(_ count: Int) -> Bool {
                let text = String(repeating: "{a}", count: count)
                return scene(
                    "variables = { a = 1 }", component("label", "text = \"\(text)\"", id: "t"))
                    != nil
            }
            #expect(isRead(value) && !isRead(value + 1))
        },
        "limit_text_languages": bound("label") { count in
            "text = { \((0..<count).map { "l\($0) = \"a\"" }.joined(separator: ", ")) }"
        },
        "limit_format_width": .driven { value in
            #expect(NumberFormat("\(value)") != nil && NumberFormat("\(value + 1)") == nil)
        },
        "limit_format_precision": .driven { value in
            #expect(NumberFormat(".\(value)f") != nil && NumberFormat(".\(value + 1)f") == nil)
        },
        "limit_shown_text_bytes": .driven { value in
            func shown(_ bytes: Int) -> String {
                TextTemplate.filled("{a}") { _ in .text(letters(bytes)) }
            }
            #expect(shown(value) == letters(value))
            #expect(shown(value + 1) == letters(value - 3) + "…")
        },
        "limit_shown_texts_bytes": .driven { value in
            // The bound is met by the last text that is filled in; the one behind it is not.
            func lastShown(_ bytes: Int) -> String? {
                let context = TextContext(language: "", fallback: "") { _ in .text(letters(bytes)) }
                let text = Node(.object([.init("text", Node(.string("{a}")))]))
                var bytesLeft = Limits.shownTextsBytesMax
                let all = Node(.array(Array(repeating: text, count: value / 1_024 + 1)))
                return all.withTexts(context, &bytesLeft).array?.last?["text"]?.string
            }
            #expect(lastShown(1_024) == "{a}" && lastShown(1_023) == letters(1_023))
        },
        "limit_label_text_bytes": bound("label") { "text = \"\(letters($0))\"" },
        "limit_panel_anchors": bound("panel") { count in
            "anchors = \(list(count) { "{ name = \"a\($0)\", at = \($0 * 10) }" })"
        },
        "limit_list_actions": bound("list") { count in
            "rows = 1\nmenu = \(list(count) { "{ id = \"a\($0)\" }" })"
        },
        "limit_row_changes_in_motion": .driven { value in
            // The row that was first makes place for each row before it, and is not seen to move.
            for (count, y) in [(value, 35.0), (value + 1, 105)] {
                var theater = Theater(
                    try #require(scene("", component("list", "rows = [{ id = \"r\" }]", id: "l"))))
                for index in 0..<count {
                    let item = Node(.object([.init("id", Node(.string("n\(index)")))]))
                    let insert = ComponentCommand(
                        "insert", [.init("at", Node(.integer(0))), .init("item", item)])
                    theater.receive(.command(component: "l", insert))
                }
                #expect(theater.picture("l").views["row-\(count)"]?.center.y == y)
            }
        },
        "limit_rows_around": .driven { value in
            let rows = list(3 * value) { "{ id = \"r\($0)\" }" }
            let theater = Theater(
                try #require(scene("", component("list", "rows = \(rows)", id: "l"))))
            let shown = try #require(theater.session.machines[1].rowsOutline?.shown)
            let told = try #require(theater.session.currentRows().first?.rows)
            #expect(told.from == 0 && told.rows.count == shown.upperBound + value)
        },
    ]
}
