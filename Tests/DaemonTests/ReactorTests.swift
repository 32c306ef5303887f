import Geometry
import Notation
import Sessions
import Testing
import ZeroMQ

@testable import Daemon

struct ReactorTests {
    /// A reactor on ports that the system chose, whose rounds the test drives, and a publisher.
    private final class Stage {
        let reactor: Reactor
        private let context: Context
        private let publisher: Socket

        init() throws {
            var configuration = Configuration()
            configuration.events = ["tcp://127.0.0.1:*"]
            configuration.updates = ["tcp://127.0.0.1:*"]
            configuration.control = ["tcp://127.0.0.1:*"]
            let lanes = try Lanes(1)
            context = try Context()
            let sockets = try Sockets(configuration, in: context)
            publisher = try Socket(.xpub, in: context)
            try publisher.connect(sockets.eventsEndpoints[0])
            let log = Log(level: .error, to: .lines(-1))
            let operations = Operations(
                ServiceManager(path: "", watchdog: nil), log: log,
                reload: Reload(Arguments(), outbox: lanes.outbox), rejectionLog: RejectionLog(),
                configuration: configuration, settings: lanes.lanes[0].settings)
            reactor = Reactor(
                sockets: sockets, lanes: lanes.lanes, counters: lanes.counters,
                outbox: lanes.outbox, signals: -1, storeWriter: nil, operations: operations)
            // The daemon's subscription: until it is there, what is published is lost.
            var poller = Poller()
            poller.watch(publisher)
            try poller.wait(milliseconds: 10_000)
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
            let bytes = reactor.work.end(of: 0)
            try reactor.polling.wait(milliseconds: 1_000)
            try reactor.readEvents()
            return (reactor.counters.get(.events) - count, reactor.work.end(of: 0) - bytes)
        }
    }

    @Test func aRoundReadsNoMoreThanItsBounds() throws {
        let stage = try Stage()
        // As long as messages come one by one, a round has few of them.
        var most = 0
        for _ in 0..<100 where most < Limits.roundMessagesMax {
            try stage.publish(2 * Limits.roundMessagesMax, bodyBytes: 20)
            for _ in 0..<2 { most = max(most, try stage.round().count) }
        }
        #expect(most == Limits.roundMessagesMax)
        var bytes = 0
        let body = 60_000
        for _ in 0..<100 where bytes < Limits.roundBytesMax {
            try stage.publish(40, bodyBytes: body)
            for _ in 0..<2 {
                let round = try stage.round()
                #expect(round.bytes < Limits.roundBytesMax + body + 100)
                bytes = max(bytes, round.bytes)
            }
        }
        #expect(bytes >= Limits.roundBytesMax)
    }
}
