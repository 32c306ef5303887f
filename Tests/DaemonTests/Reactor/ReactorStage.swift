import Geometry
import Notation
import Sessions
import ZeroMQ

@testable import Daemon
@testable import Supervision

/// A reactor on ports that the system chose, whose rounds the test drives, and a publisher.
final class ReactorStage {
    let reactor: Reactor
    private let context: Context
    private let publisher: Socket

    /// With an empty lane that stores nothing; or with one that does, and nobody publishes.
    init(_ stored: StoredLane? = nil) throws {
        var configuration = Configuration()
        configuration.events = ["tcp://127.0.0.1:*"]
        configuration.updates = ["tcp://127.0.0.1:*"]
        configuration.control = ["tcp://127.0.0.1:*"]
        // One publisher fills a round.
        configuration.receiveHighWaterMark = 1_000
        let lanes = try stored?.lanes ?? Lanes(1)
        context = try Context(ioThreads: Sockets.IOThread.allCases.count)
        let sockets = try Sockets(configuration, in: context)
        publisher = try Socket(.xpub, in: context)
        try publisher.connect(sockets.eventsEndpoints[0])
        let log = Log(level: .error, to: .lines(-1))
        let operations = Operations(
            ServiceManager(path: "", watchdog: nil), log: log,
            reload: Reload(Arguments(), outbox: lanes.outbox), rejectionLog: RejectionLog(),
            configuration: configuration, settings: lanes.lanes[0].table.settings)
        reactor = Reactor(
            sockets: sockets, lanes: lanes.lanes, counters: lanes.counters,
            outbox: lanes.outbox, signals: -1, storeWriter: stored?.writer,
            operations: operations)
        guard stored == nil else { return }
        // The daemon's subscription: until it is there, what is published is lost.
        var poller = Poller()
        poller.watch(publisher)
        for _ in 0..<1_000 {
            try reactor.answerHandshakes()
            // The socket of events has to be asked, or it does not take the publisher in.
            try reactor.polling.wait(milliseconds: 0)
            if try poller.wait(milliseconds: 10) > 0 { break }
        }
        _ = try publisher.receiveMessage()
    }

    func publish(_ count: Int, bodyBytes: Int) throws {
        let body = Array(#"{"kind":"\#(String(repeating: "a", count: bodyBytes - 11))"}"#.utf8)
        for _ in 0..<count {
            _ = try publisher.send(Array("notification/anna".utf8), more: true)
            _ = try publisher.send(body)
        }
    }

    /// Reads one round's events; returns how many they were, and their bytes.
    func round() throws -> (count: Int, bytes: Int) {
        let count = reactor.counters.get(.events)
        let bytes = reactor.work.batches[0].bytes.count
        try reactor.polling.wait(milliseconds: 1_000)
        try reactor.readEvents()
        return (reactor.counters.get(.events) - count, reactor.work.batches[0].bytes.count - bytes)
    }
}
