import Interactions
import Manual
import Notation
import Protocol
import Security

/// `hello`: who the daemon is, and its bounds.
struct HelloRequest: ControlRequest {
    static let operation = "hello"

    var right: RequestRight { .greeting }

    init(_ fields: RequestFields) {}

    func submit(_ envelope: Envelope, to reactor: Reactor) {
        reactor.answer(envelope) { reply(to: envelope.client, from: reactor, into: &$0) }
    }

    private func reply(to client: Int, from reactor: Reactor, into buffer: inout ByteBuffer) {
        let settings = reactor.operations.settings
        buffer.key("name")
        buffer.json("gestured")
        buffer.key("version")
        buffer.json(Version.text)
        buffer.key("protocol")
        buffer.json(1)
        buffer.key("epoch")
        buffer.json(settings.epoch)
        buffer.key("t")
        buffer.json(settings.grid.instant(at: Clock.monotonic()))
        buffer.key("clock")
        buffer.json("unix-milliseconds")
        buffer.key("endpoints")
        buffer.append("{\"events\":")
        buffer.json(reactor.sockets.eventsEndpoints)
        buffer.key("push")
        buffer.json(reactor.sockets.pushEndpoints)
        buffer.key("updates")
        buffer.json(reactor.updatesEndpoints(of: client))
        buffer.key("control")
        buffer.json(reactor.sockets.controlEndpoints)
        buffer.append("}")
        buffer.key("limits")
        buffer.json(Limits.published(sessionsMax: settings.sessionsMax))
    }
}

extension Reactor {
    /// The endpoints at which a client reads updates: those of its group, if it may not read all.
    func updatesEndpoints(of client: Int) -> [String] {
        guard let grant = clients.grant(of: client) else { return [] }
        if grant.readsEverything { return sockets.updatesEndpoints }
        return ReaderGroupKey(grant).flatMap { sockets.group(of: $0) }?.endpoints ?? []
    }
}

extension ByteBuffer {
    /// An object of numbers by their names.
    mutating func json(_ numbers: [(name: String, value: Int)]) {
        append("{")
        for (index, entry) in numbers.enumerated() {
            if index > 0 { append(",") }
            json(entry.name)
            append(":")
            json(entry.value)
        }
        append("}")
    }

    /// A list of texts.
    mutating func json(_ texts: some Collection<String>) {
        append("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { append(",") }
            json(text)
        }
        append("]")
    }
}
