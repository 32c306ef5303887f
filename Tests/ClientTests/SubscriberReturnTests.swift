import ClientSupport
import GesturedClient
import Glibc
import Notation
import Testing
import ZeroMQ

private let toss = "state/alice/toss"

/// A connection with keys that is lost and comes back.
@Suite struct SubscriberReturnTests {
    /// Milliseconds for what takes some: a sanitizer beside other tests is many times slower.
    private static let patience = 60_000

    private let own: (publicKey: String, secretKey: String)
    private let server: (publicKey: String, secretKey: String)

    init() throws {
        own = try ZeroMQ.Curve.makeKeys()
        server = try ZeroMQ.Curve.makeKeys()
    }

    private func daemon(
        at places: Endpoints, epoch: String, answer: @escaping @Sendable (Node) -> Answer
    ) throws -> FakeDaemon {
        try FakeDaemon(at: places, secretKey: server.secretKey) { request in
            request["op"]?.string == "snapshot"
                ? .snapshot([.update(toss, epoch: epoch, 0)]) : answer(request)
        }
    }

    /// The first message of the new run is taken before the socket's monitor is read.
    @Test func aReturnThatShowsInAJoinCausesNoSecondOne() throws {
        // An address of its own: nobody else takes the ports while no daemon has them.
        let host = (0..<3).map { _ in String(Int.random(in: 1...254)) }.joined(separator: ".")
        let anyPort = "tcp://127.\(host):*"
        let first = try daemon(
            at: Endpoints(events: anyPort, updates: anyPort, control: anyPort), epoch: "d.1"
        ) { _ in .nothing }
        let connection = try Connection(
            to: first.endpoints, timeoutMilliseconds: Self.patience,
            keys: ClientKeys(
                publicKey: own.publicKey, secretKey: own.secretKey, serverKey: server.publicKey))
        let subscriber = try connection.subscriber(to: ["state/alice"])
        #expect(try next(subscriber) == "\(toss) d.1 0")
        first.stop()
        // It hears of the loss, so that its subscriptions go to the next connection by themselves.
        #expect(try subscriber.next(withinMilliseconds: 100) == nil)

        let second = try daemon(at: first.endpoints, epoch: "e.1") { _ in
            .ok(first: [.update("heartbeat", epoch: "e", 1)])
        }
        defer { second.stop() }
        let end = ContinuousClock.now + .milliseconds(Self.patience)
        while !second.seen.subscriptions.contains("heartbeat") {
            try #require(.now < end, "nobody subscribed")
            // It leaves the processor to those whom it waits for.
            usleep(1_000)
        }
        // The answer comes after the heartbeat.
        _ = try connection.control().request("time", fields: "{}")
        #expect(try next(subscriber) == "anew d e")
        #expect(try next(subscriber) == "\(toss) e.1 0")
        for sequence in 1...2 {
            second.publish(.update(toss, epoch: "e.1", sequence))
            #expect(try next(subscriber) == "\(toss) e.1 \(sequence)")
        }
        #expect(second.seen.requests.filter { $0["op"]?.string == "snapshot" }.count == 1)
    }

    private func next(_ subscriber: Subscriber) throws -> String {
        let event = try subscriber.next(withinMilliseconds: Self.patience)
        switch try #require(event, "no event") {
        case .update(let update): return "\(update.topic) \(update.epoch) \(update.sequence)"
        case .gap(let topic, let missed): return "gap \(topic) \(missed)"
        case .restarted(_, let from, let to): return "anew \(from) \(to)"
        }
    }
}
