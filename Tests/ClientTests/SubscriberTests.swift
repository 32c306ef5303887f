import ClientSupport
import GesturedClient
import Notation
import Protocol
import Testing

/// The next events of a subscriber, as short texts: `topic seq`, `gap topic n`, `anew topic`.
private func events(_ subscriber: Subscriber, _ count: Int) throws -> [String] {
    try (0..<count).map { _ in
        let event = try subscriber.next(withinMilliseconds: 5_000)
        switch try #require(event, "no event within 5 s") {
        case .update(let update): return "\(update.topic) \(update.sequence)"
        case .gap(let topic, let missed): return "gap \(topic) \(missed)"
        case .restarted(let topic, let from, let to): return "anew \(topic) \(from) \(to)"
        }
    }
}

private let toss = "state/alice/toss"

@Suite struct SubscriberTests {
    @Test func theSnapshotComesFirstAndNothingTwice() throws {
        let daemon = try FakeDaemon(
            beforeSync: [.update(toss, 4), .update("transition/alice/toss", 2), .update(toss, 5)]
        ) { request in
            request["op"]?.string == "snapshot"
                ? .snapshot(
                    [.update(toss, 5), .update("badge/alice", 0)], first: [.update(toss, 6)])
                : .refuse("unknown-op")
        }
        defer { daemon.stop() }
        let connection = try Connection(to: daemon.endpoints)
        let subscriber = try connection.subscriber(to: [
            "state/alice", "badge/alice", "transition/alice",
        ])
        #expect(
            try events(subscriber, 4) == [
                "\(toss) 5", "badge/alice 0", "transition/alice/toss 2", "\(toss) 6",
            ])
        daemon.publish(.update(toss, 6))
        daemon.publish(.update(toss, 7))
        #expect(try events(subscriber, 1) == ["\(toss) 7"])
        #expect(daemon.seen.requests.count == 1)
        let subscriptions = daemon.seen.subscriptions
        #expect(
            subscriptions.dropLast() == [
                "state/alice", "badge/alice", "transition/alice", "heartbeat", "session/alice",
            ])
        #expect(subscriptions.last?.hasPrefix("sync/") == true)
    }

    @Test func aBroadPrefixAsksForAllSessionsPageByPage() throws {
        let daemon = try FakeDaemon { request in
            switch (request["op"]?.string, request["after"]?.string) {
            case ("sessions", nil): .ok(#","sessions":["a","b"],"next":"b""#)
            case ("sessions", "b"): .ok(#","sessions":["c"],"next":null"#)
            case ("snapshot", nil) where request["session"]?.string == "b":
                // It closed between the list and the question.
                .refuse("unknown-session")
            case ("snapshot", nil):
                .snapshot([
                    .update("state/\(request["session"]?.string ?? "")/x", 3),
                    .update("badge/\(request["session"]?.string ?? "")", 1),
                ])
            default: .refuse("unknown-op")
            }
        }
        defer { daemon.stop() }
        let subscriber = try Connection(to: daemon.endpoints).subscriber(to: ["state/"])
        #expect(try events(subscriber, 2) == ["state/a/x 3", "state/c/x 3"])
        daemon.publish(.update("state/b/x", epoch: "d.9", 1))
        #expect(try events(subscriber, 1) == ["state/b/x 1"])
    }

    @Test func aGapIsReportedAndFilledByASnapshot() throws {
        let gapped = try FakeDaemonWithSnapshots([
            [.update(toss, 1)], [.update(toss, 9), .update("badge/alice", 2)],
        ])
        defer { gapped.daemon.stop() }
        let subscriber = try Connection(to: gapped.daemon.endpoints)
            .subscriber(to: ["state/alice", "badge/alice"])
        #expect(try events(subscriber, 1) == ["\(toss) 1"])
        gapped.daemon.publish(.update(toss, 2))
        gapped.daemon.publish(.update(toss, 8))
        gapped.daemon.publish(.update(toss, 9))
        gapped.daemon.publish(.update(toss, 10))
        #expect(
            try events(subscriber, 6) == [
                "\(toss) 2", "gap \(toss) 5", "\(toss) 8", "\(toss) 9", "badge/alice 2",
                "\(toss) 10",
            ])
    }

    @Test func aGapThatNoSnapshotFillsIsReportedOnce() throws {
        let daemon = try FakeDaemon { _ in .snapshot([]) }
        defer { daemon.stop() }
        let subscriber = try Connection(to: daemon.endpoints)
            .subscriber(to: ["transition/alice", "state/alice"])
        #expect(try subscriber.next(withinMilliseconds: 1) == nil)
        for (topic, sequence) in [(toss, 1), (toss, 4), (toss, 5)] {
            daemon.publish(.update(topic, sequence))
        }
        #expect(
            try events(subscriber, 4) == ["\(toss) 1", "gap \(toss) 2", "\(toss) 4", "\(toss) 5"])
        daemon.publish(.update("transition/alice/toss", 1))
        daemon.publish(.update("transition/alice/toss", 3))
        #expect(
            try events(subscriber, 3) == [
                "transition/alice/toss 1", "gap transition/alice/toss 1",
                "transition/alice/toss 3",
            ])
    }

    @Test func aNewEpochOfTheSessionIsReportedAndShown() throws {
        let faked = try FakeDaemonWithSnapshots([
            [.update(toss, epoch: "d.1", 7)], [.update(toss, epoch: "d.2", 2)],
        ])
        defer { faked.daemon.stop() }
        let subscriber = try Connection(to: faked.daemon.endpoints)
            .subscriber(to: ["state/alice"])
        #expect(try events(subscriber, 1) == ["\(toss) 7"])
        faked.daemon.publish(.update(toss, epoch: "d.2", 1))
        faked.daemon.publish(.update(toss, epoch: "d.1", 8))
        faked.daemon.publish(.update(toss, epoch: "d.2", 3))
        #expect(
            try events(subscriber, 4) == [
                "anew \(toss) d.1 d.2", "\(toss) 1", "\(toss) 2", "\(toss) 3",
            ])
    }

    @Test func anOlderEpochOfTheSessionIsDroppedOnEveryTopic() throws {
        let daemon = try FakeDaemon { _ in .snapshot([.update(toss, epoch: "d.10", 7)]) }
        defer { daemon.stop() }
        let subscriber = try Connection(to: daemon.endpoints)
            .subscriber(to: ["state/alice", "badge/alice"])
        #expect(try events(subscriber, 1) == ["\(toss) 7"])
        daemon.publish(.update("badge/alice", epoch: "d.9", 3))
        daemon.publish(.update("badge/alice", epoch: "d.10", 1))
        #expect(try events(subscriber, 1) == ["badge/alice 1"])
    }

    @Test func aReopenedSessionContinuesWithoutANotice() throws {
        let daemon = try FakeDaemon { _ in .snapshot([.update(toss, 7)]) }
        defer { daemon.stop() }
        let subscriber = try Connection(to: daemon.endpoints)
            .subscriber(to: ["state/alice", "session/alice"])
        #expect(try events(subscriber, 1) == ["\(toss) 7"])
        daemon.publish(.update("session/alice", 2, #","event":"closed""#))
        daemon.publish(.update("session/alice", epoch: "d.2", 1, #","event":"opened""#))
        daemon.publish(.update(toss, epoch: "d.2", 1))
        #expect(
            try events(subscriber, 3) == ["session/alice 2", "session/alice 1", "\(toss) 1"])
        #expect(daemon.seen.requests.count == 1)
    }

    @Test func aNewDaemonIsNoticedByItsHeartbeat() throws {
        let faked = try FakeDaemonWithSnapshots([
            [.update(toss, epoch: "d.1", 7)], [.update(toss, epoch: "e.1", 0)],
        ])
        defer { faked.daemon.stop() }
        let subscriber = try Connection(to: faked.daemon.endpoints)
            .subscriber(to: ["state/alice"])
        #expect(try events(subscriber, 1) == ["\(toss) 7"])
        faked.daemon.publish(.update("heartbeat", epoch: "d", 5))
        faked.daemon.publish(.update("heartbeat", epoch: "e", 1))
        #expect(try events(subscriber, 2) == ["anew heartbeat d e", "\(toss) 0"])
    }

    @Test func aDaemonThatIsNotThereIsNamed() throws {
        let endpoints = Endpoints(
            updates: "ipc:///tmp/gestured-test-nobody-u", control: "ipc:///tmp/gestured-test-nobody"
        )
        let connection = try Connection(to: endpoints, timeoutMilliseconds: 20)
        let subscriber = try connection.subscriber(to: ["state/alice"])
        #expect(throws: ClientError.noAnswer(endpoint: endpoints.updates, milliseconds: 20)) {
            try subscriber.next()
        }
    }
}

/// A daemon whose snapshots follow a script; the last one is repeated.
private struct FakeDaemonWithSnapshots {
    let daemon: FakeDaemon

    init(_ snapshots: [[Said]]) throws {
        let counter = Counter()
        daemon = try FakeDaemon { _ in
            .snapshot(snapshots[min(counter.next(), snapshots.count - 1)])
        }
    }
}
