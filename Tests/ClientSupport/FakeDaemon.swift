import Foundation
package import GesturedClient
package import Notation
import Protocol
import Synchronization
import ZeroMQ

/// A topic and a JSON body.
package struct Said: Hashable, Sendable {
    package var topic: String
    package var body: String

    package init(_ topic: String, _ body: String) {
        self.topic = topic
        self.body = body
    }

    /// An update of session epochs and numbers as the protocol has them.
    package static func update(
        _ topic: String, epoch: String = "d.1", _ sequence: Int, _ more: String = ""
    ) -> Said {
        let time = 1_000 + 10 * sequence
        return Said(
            topic, #"{"epoch":"\#(epoch)","seq":\#(sequence),"t":\#(time)\#(more)}"#)
    }
}

/// The peer's actions on one request.
package struct Answer: Sendable {
    /// Published before the answer goes out.
    var first: [Said] = []
    /// The reply's fields after `ok`, with a leading comma; nil answers nothing.
    var fields: String?
    /// A code instead of `ok`.
    var code: String?

    package static func ok(_ fields: String = "", first: [Said] = []) -> Answer {
        Answer(first: first, fields: fields)
    }

    package static func refuse(_ code: String) -> Answer { Answer(fields: "", code: code) }
    package static let nothing = Answer()

    /// A snapshot that holds these updates.
    package static func snapshot(_ updates: [Said], first: [Said] = []) -> Answer {
        let list = updates.map { #"{"topic":"\#($0.topic)","body":\#($0.body)}"# }
        return .ok(#","updates":[\#(list.joined(separator: ","))]"#, first: first)
    }
}

/// A peer that speaks the protocol and does what a test tells it, on a thread of its own.
package final class FakeDaemon: Sendable {
    package struct Seen: Sendable {
        package var events: [Said] = []
        package var requests: [Node] = []
        /// In the order in which they came.
        package var subscriptions: [String] = []
    }

    private struct State {
        var seen = Seen()
        var outgoing: [Said] = []
        var isOver = false

        mutating func takeOutgoing() -> [Said] {
            defer { outgoing = [] }
            return outgoing
        }
    }

    package let endpoints: Endpoints
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    /// `beforeSync` is published each time a sync is asked for, before it is answered. With a
    /// `secretKey` the sockets are servers of CURVE, and take every client.
    package init(
        beforeSync: [Said] = [], at places: Endpoints = anyPorts, secretKey: String? = nil,
        answer: @escaping @Sendable (Node) -> Answer = { _ in .nothing }
    ) throws {
        let context = try ZeroMQ.Context()
        // The sockets are bound here, so that the endpoints are known, and used on the thread.
        let bound = try Mutex<Sockets?>(Sockets(context, at: places, secretKey))
        endpoints = bound.withLock { $0?.endpoints } ?? Endpoints()
        let thread = Thread { [self] in
            if let sockets = bound.withLock({ $0.take() }) {
                try? serve(sockets, beforeSync, answer)
            }
            ended.signal()
        }
        thread.start()
    }

    package static let anyPorts = Endpoints(
        events: "tcp://127.0.0.1:*", updates: "tcp://127.0.0.1:*", control: "tcp://127.0.0.1:*")

    package func publish(_ said: Said) { state.withLock { $0.outgoing.append(said) } }

    package var seen: Seen { state.withLock { $0.seen } }

    /// Ends the thread and closes the sockets.
    package func stop() {
        state.withLock { $0.isOver = true }
        ended.wait()
    }

    private func serve(
        _ sockets: consuming Sockets, _ beforeSync: [Said], _ answer: (Node) -> Answer
    ) throws {
        var poller = Poller()
        poller.watch(sockets.events)
        poller.watch(sockets.updates)
        poller.watch(sockets.control)
        while !state.withLock({ $0.isOver }) {
            try poller.wait(milliseconds: 2)
            while let frames = try sockets.events.receiveMessage() {
                let event = Said(text(frames[0]), text(frames[1]))
                state.withLock { $0.seen.events.append(event) }
            }
            while let frames = try sockets.updates.receiveMessage() {
                guard frames[0].first == 1 else { continue }
                let topic = text(Array(frames[0].dropFirst()))
                state.withLock { $0.seen.subscriptions.append(topic) }
                if topic.hasPrefix("sync/") {
                    for said in beforeSync { try send(said, sockets) }
                    try send(.update(topic, epoch: "d", 1), sockets)
                }
            }
            while let frames = try sockets.control.receiveMessage() {
                try reply(to: frames, sockets, answer)
            }
            for said in state.withLock({ $0.takeOutgoing() }) { try send(said, sockets) }
        }
    }

    private func reply(
        to frames: [[UInt8]], _ sockets: borrowing Sockets, _ answer: (Node) -> Answer
    ) throws {
        let request = try Document.json(frames[frames.count - 1])
        state.withLock { $0.seen.requests.append(request) }
        let answer = answer(request)
        for said in answer.first { try send(said, sockets) }
        guard let fields = answer.fields else { return }
        let id = text((request["id"] ?? Node(.null)).json())
        let body =
            answer.code.map {
                #"{"id":\#(id),"ok":false,"error":{"code":"\#($0)","message":"no"}}"#
            } ?? #"{"id":\#(id),"ok":true\#(fields)}"#
        _ = try sockets.control.send(frames: frames.dropLast() + [Array(body.utf8)])
    }

    private func send(_ said: Said, _ sockets: borrowing Sockets) throws {
        _ = try sockets.updates.send(frames: [Array(said.topic.utf8), Array(said.body.utf8)])
    }
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// The three sockets of a daemon. Made on one thread and handed over once to another.
private struct Sockets: ~Copyable, @unchecked Sendable {
    let events: Socket
    let updates: Socket
    let control: Socket
    let endpoints: Endpoints

    init(_ context: ZeroMQ.Context, at places: Endpoints, _ secretKey: String?) throws {
        // Locals first: a throw must not leave a noncopyable value made by half.
        let events = try Socket(.sub, in: context)
        for topic in ["gesture/", "notification/", "command/"] {
            try events.set(.subscribe(Array(topic.utf8)))
        }
        let updates = try Socket(.xpub, in: context, .verboseSubscriptions(true))
        let control = try Socket(.router, in: context)
        if let secretKey {
            let secret = SocketOption.curveSecretKey(Array(secretKey.utf8) + [0])
            for option in [secret, .curveServer(true)] {
                try events.set(option)
                try updates.set(option)
                try control.set(option)
            }
        }
        endpoints = Endpoints(
            events: try events.bind(places.events), updates: try updates.bind(places.updates),
            control: try control.bind(places.control))
        self.events = events
        self.updates = updates
        self.control = control
    }
}
