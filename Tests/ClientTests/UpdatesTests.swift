import ClientSupport
import GesturedClient
import Notation
import Testing

@Suite struct UpdatesTests {
    private let toss = "state/alice/toss"

    @Test func theSequenceGivesTheSnapshotAndThenEveryChange() async throws {
        let toss = toss
        let daemon = try FakeDaemon { _ in .snapshot([.update(toss, 5)]) }
        defer { daemon.stop() }
        let connection = try Connection(to: daemon.endpoints)
        var numbers: [Int] = []
        for try await update in connection.updates(of: ["state/alice"]) {
            numbers.append(update.sequence)
            if numbers.count == 1 {
                daemon.publish(.update(toss, 6))
                daemon.publish(.update(toss, 7))
            }
            if numbers.count == 3 { break }
        }
        #expect(numbers == [5, 6, 7])
    }

    @Test func aBusyDaemonIsAskedAgain() async throws {
        let (toss, counter) = (toss, Counter())
        let daemon = try FakeDaemon { _ in
            counter.next() == 0 ? .refuse("busy") : .snapshot([.update(toss, 5)])
        }
        defer { daemon.stop() }
        var iterator = try Connection(to: daemon.endpoints)
            .updates(of: ["state/alice"]).makeAsyncIterator()
        #expect(try await iterator.next()?.sequence == 5)
    }

    @Test func theSequenceEndsWithItsTask() async throws {
        let endpoints = Endpoints(
            updates: "ipc:///tmp/gestured-test-no-updates",
            control: "ipc:///tmp/gestured-test-no-control")
        let connection = try Connection(to: endpoints, timeoutMilliseconds: 20)
        let task = Task {
            var count = 0
            for try await _ in connection.updates(of: ["state/alice"]) { count += 1 }
            return count
        }
        task.cancel()
        #expect(try await task.value == 0)
    }

    @Test func aBadEndpointIsAnError() async throws {
        let connection = try Connection(to: Endpoints(updates: "nonsense"))
        var iterator = connection.updates(of: ["state/"]).makeAsyncIterator()
        await #expect(throws: ClientError.self) { try await iterator.next() }
    }
}

@Suite struct AcknowledgedPublishTests {
    private let likes = #"{"kind":"likes"}"#

    @Test func aLostAnswerIsAskedForWithTheSameID() throws {
        let counter = Counter()
        let daemon = try FakeDaemon { _ in
            counter.next() < 2 ? .nothing : .ok(#","duplicate":true"#)
        }
        defer { daemon.stop() }
        // Long enough for the third answer, also of a slow machine.
        let control = try Connection(to: daemon.endpoints, timeoutMilliseconds: 1_500).control()
        let reply = try control.publish(topic: "notification/alice", body: likes)
        #expect(reply.contains(#""duplicate":true"#))
        let ids = daemon.seen.requests.map { $0["body"]?["id"]?.string }
        #expect(ids.count == 3 && Set(ids).count == 1 && ids[0]?.isEmpty == false)
    }

    @Test func anIDOfTheCallersStaysAndAGestureGetsNone() throws {
        let daemon = try FakeDaemon { _ in .ok() }
        defer { daemon.stop() }
        let control = try Connection(to: daemon.endpoints).control()
        try control.publish(topic: "command/alice/tabs", body: #"{"command":"x","id":"mine"}"#)
        try control.publish(topic: "gesture/alice", body: #"{"gesture":"tap"}"#)
        let ids = daemon.seen.requests.map { $0["body"]?["id"]?.string }
        #expect(ids == ["mine", nil])
    }

    @Test func aGestureIsTriedOnceAndARefusalIsAnError() throws {
        let daemon = try FakeDaemon { request in
            request["topic"]?.string == "gesture/alice" ? .nothing : .refuse("bad-value")
        }
        defer { daemon.stop() }
        let control = try Connection(to: daemon.endpoints, timeoutMilliseconds: 100).control()
        #expect(throws: ClientError.self) {
            try control.publish(topic: "gesture/alice", body: #"{"gesture":"tap"}"#)
        }
        #expect(throws: ClientError.refused(code: "bad-value", message: "no")) {
            try control.publish(topic: "notification/alice", body: likes)
        }
        #expect(throws: ClientError.self) { try control.publish(topic: "x", body: "[1]") }
        #expect(daemon.seen.requests.count == 2)
    }
}
