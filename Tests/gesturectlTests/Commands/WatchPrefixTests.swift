import Testing

@testable import Commands
@testable import ToolCommands

@Suite struct WatchPrefixTests {
    /// Prefixes of topics, and the session that each names.
    @Test(
        arguments: [
            ("", nil), ("s", nil), ("state", nil), ("state/", nil), ("heartbeat", nil),
            ("state/al", "al"), ("state/alice/", "alice"), ("state/alice/ti", "alice"),
            ("badge/alice", "alice"), ("rejected/-", nil), ("transition/a/b", "a"),
        ] as [(String, String?)])
    func aPrefixOfATopicNamesItsSession(text: String, session: String?) throws {
        #expect(try WatchPrefix(text).session?.name == session)
    }

    @Test(arguments: [
        "alice", "states", "State/alice", "state//x", "state/a b", "badge/alice/x", "heartbeat/",
        "state/alice/tips/", "gesture/alice/toss", "/",
    ])
    func aPrefixThatBeginsNoTopicIsRefused(text: String) {
        #expect(throws: Failure.self) { try WatchPrefix(text) }
    }

    @Test func aSessionsNameIsMetWithASuggestion() {
        let failure = #expect(throws: Failure.self) { try WatchPrefix("alice") }
        #expect(failure?.message?.text.contains("did you mean state/alice?") == true)
    }
}
