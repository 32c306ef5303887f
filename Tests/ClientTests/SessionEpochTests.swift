import ClientSupport
import Testing

@testable import GesturedClient

@Suite struct SessionEpochTests {
    @Test(arguments: [
        ("k3f9-171.5", "k3f9-171.6", true),
        ("k3f9-171.6", "k3f9-171.6", false),
        ("k3f9-171.7", "k3f9-171.6", false),
        // As numbers, not as texts.
        ("k3f9-171.9", "k3f9-171.10", true),
        ("k3f9-171.10", "k3f9-171.9", false),
        ("k3f9-171.007", "k3f9-171.8", true),
        // Two of these are equal as doubles.
        ("a.9007199254740992", "a.9007199254740993", true),
        ("a.9007199254740993", "a.9007199254740992", false),
        ("a.9223372036854775807", "a.9999999999999999999", true),
        // Another part before the dot has no order.
        ("k3f9-170.5", "k3f9-171.6", false),
        ("x.1", "y.2", false),
        ("a.b.1", "a.b.2", true),
        ("a.1", "a.b.2", false),
        // These are no epochs of a session.
        ("mfx3k2p1", "mfx3k2p1", false), ("a", "a.2", false), ("a.1", "a", false),
        ("", "", false), (".1", ".2", false), ("a.", "a.2", false), ("a.1", "a.-2", false),
        ("a.1", "a.+2", false), ("a.1", "a. 2", false), ("a.1", "a.2e9", false),
        ("a.1", "a.٢", false), ("a.1", "a.10000000000000000000", false), ("a.1", "a.1_0", false),
    ])
    func ofOneRunTheSmallerNumberIsLate(epoch: String, other: String, isLate: Bool) {
        #expect(SessionEpoch.isLate(epoch, than: other) == isLate)
    }

    @Test(arguments: [
        ("k3f9-171.1", true), ("k-3f9-0.1", true), ("mfx3k2p1.1", false), ("mfx3k2p1", false),
        ("k3f9-.1", false), ("k3f9-x.1", false), ("k3f9-17100.1", false), ("k-٢.1", false),
        ("", false),
    ])
    func theRunOfAShardIsNoDaemons(epoch: String, isShared: Bool) {
        #expect(SessionEpoch.isShared(epoch) == isShared)
    }

    /// The words of a former owner are left out, also behind the session's end.
    @Test func theFilterLeavesOutWhatIsLate() throws {
        var filter = UpdateFilter()
        func judge(_ epoch: String, _ sequence: Int) throws -> UpdateFilter.Verdict {
            let said = Said.update("state/a/x", epoch: epoch, sequence)
            let update = try #require(
                ReceivedUpdate(topic: Array(said.topic.utf8), body: Array(said.body.utf8)))
            let verdict = filter.judge(update)
            if case .restarted = verdict { filter.show(update) }
            return verdict
        }
        #expect(try judge("c-7.5", 1) == .apply)
        #expect(try judge("c-7.6", 1) == .restarted(from: "c-7.5"))
        filter.forget(session: "a")
        #expect(try judge("c-7.5", 2) == .stale)
        #expect(try judge("c-7.7", 1) == .apply)
        #expect(try judge("c-7.6", 2) == .stale)
    }
}
