import ClientSupport
import Testing

@testable import GesturedClient

private func update(_ topic: String, _ epoch: String, _ sequence: Int) -> ReceivedUpdate {
    let said = Said.update(topic, epoch: epoch, sequence)
    guard
        let update = ReceivedUpdate(topic: Array(said.topic.utf8), body: Array(said.body.utf8))
    else { preconditionFailure("not an update: \(said)") }
    return update
}

@Suite struct UpdateFilterTests {
    /// Epoch and number of updates of one topic, in order, each with what is to be said of it.
    @Test(arguments: [
        [("d.1", 1, UpdateFilter.Verdict.apply), ("d.1", 2, .apply), ("d.1", 2, .stale)],
        [("d.1", 7, .apply), ("d.1", 8, .apply), ("d.1", 3, .stale)],
        [("d.1", 1, .apply), ("d.1", 4, .gap(missed: 2)), ("d.1", 2, .apply)],
        [("d.2", 5, .apply), ("d.1", 9, .stale), ("d.3", 1, .restarted(from: "d.2"))],
        [("d.10", 5, .apply), ("d.9", 6, .stale)],
        [("d.1", 5, .apply), ("e.1", 1, .restarted(from: "d.1"))],
        [("d", 5, .apply), ("e", 1, .restarted(from: "d"))],
    ])
    func updatesAreJudgedByEpochAndNumber(
        line: [(epoch: String, sequence: Int, verdict: UpdateFilter.Verdict)]
    ) {
        var filter = UpdateFilter()
        for entry in line {
            #expect(filter.judge(update("state/a/x", entry.epoch, entry.sequence)) == entry.verdict)
        }
    }

    /// No daemon of ours counts so; the difference of two such numbers has no room.
    @Test func aNumberBelowZeroIsOfNoUpdate() throws {
        func read(_ sequence: Int) -> ReceivedUpdate? {
            let body = #"{"epoch":"d.1","seq":\#(sequence),"t":1}"#
            return ReceivedUpdate(topic: Array("state/a/x".utf8), body: Array(body.utf8))
        }
        #expect(read(-1) == nil && read(.min) == nil)
        var filter = UpdateFilter()
        #expect(filter.judge(try #require(read(0))) == .apply)
        #expect(filter.judge(try #require(read(.max))) == .gap(missed: .max - 1))
    }

    @Test func updatesOfThePreviousEpochAreStale() {
        var filter = UpdateFilter()
        filter.show(update("heartbeat", "d", 5))
        filter.show(update("heartbeat", "e", 1))
        #expect(filter.judge(update("heartbeat", "d", 6)) == .stale)
        #expect(filter.judge(update("heartbeat", "e", 2)) == .apply)
    }

    @Test func forgettingASessionLeavesItsNeighbours() {
        var filter = UpdateFilter()
        for topic in ["state/al/x", "state/alice/x", "badge/al"] {
            filter.show(update(topic, "d.1", 5))
        }
        filter.forget(session: "al")
        #expect(filter.judge(update("state/al/x", "d.2", 9)) == .apply)
        #expect(filter.judge(update("badge/al", "d.2", 9)) == .apply)
        #expect(filter.judge(update("state/alice/x", "d.2", 9)) == .restarted(from: "d.1"))
    }

    /// Each used to look at the topics of all sessions.
    @Test func forgettingASessionTakesNoLongerTheMoreThereAre() {
        func time(among sessions: Int) -> Duration {
            var filter = UpdateFilter()
            for number in 0..<sessions {
                for kind in ["state", "badge", "scene", "session"] {
                    filter.show(update("\(kind)/s\(number)", "d.1", 1))
                }
            }
            return ContinuousClock().measure {
                for number in 0..<100 { filter.forget(session: "s\(number)") }
            }
        }
        let (few, many) = (time(among: 200), time(among: 20_000))
        #expect(many < few * 10 + .milliseconds(20), "\(few) and \(many) for 100")
    }

    @Test func aSnapshotShowsOnlyWhatIsNewer() {
        var filter = UpdateFilter()
        func isTaken(_ epoch: String, _ sequence: Int) -> Bool {
            filter.takeSnapshot(update("state/a/x", epoch, sequence))
        }
        #expect(isTaken("d.1", 0))
        #expect(filter.judge(update("state/a/x", "d.1", 1)) == .apply)
        #expect(!isTaken("d.1", 1))
        #expect(isTaken("d.1", 5))
        #expect(isTaken("d.2", 0))
    }

    @Test(arguments: [
        ("", SnapshotScope.all), ("s", .all), ("state", .all), ("state/", .all), ("badge/", .all),
        ("sess", .all), ("state/al", .session("al")), ("state/al/toss", .session("al")),
        ("badge/al", .session("al")), ("session/al", .session("al")), ("transition/al", .none),
        ("transition/", .none), ("rejected/al", .none), ("heartbeat", .none), ("x", .none),
        ("states", .none), ("st/al", .none),
    ])
    func aPrefixNamesTheSnapshotsItNeeds(prefix: String, scope: SnapshotScope) {
        #expect(SnapshotScope(prefix: prefix) == scope)
    }
}
