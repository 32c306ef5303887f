import Interactions
import Notation
import Protocol
import Security

/// `tap`: the events that the daemon took or refused since the last such request.
struct TapRequest: ReactorRequest {
    static let operation = "tap"

    private let after: Int?
    private var visible = SessionPatterns.all

    var right: RequestRight { .tapping }

    init(_ fields: RequestFields) throws(Rejection) {
        guard let node = fields["after"], !node.isNull else {
            after = nil
            return
        }
        guard let after = node.int, after >= 0 else {
            throw .wrong("after", "must be a whole number from 0 up")
        }
        self.after = after
    }

    mutating func limit(to grant: Grant) { visible = grant.tap }

    func reply(from reactor: Reactor, into buffer: inout ByteBuffer) {
        let (entries, next, lost) = reactor.traffic.tap.read(after: after, visible)
        buffer.key("events")
        buffer.append("[")
        for (place, entry) in entries.enumerated() {
            if place > 0 { buffer.append(",") }
            write(entry, into: &buffer)
        }
        buffer.append("]")
        buffer.key("next")
        buffer.json(next)
        buffer.key("lost")
        buffer.json(lost)
    }

    private func write(_ entry: TapLog.Entry, into buffer: inout ByteBuffer) {
        buffer.append("{\"t\":")
        buffer.json(entry.time)
        buffer.key("topic")
        buffer.json(entry.topic)
        if let body = entry.body {
            buffer.key("body")
            buffer.append(body)
        } else {
            buffer.key("excerpt")
            buffer.json(entry.excerpt)
        }
        buffer.key("from")
        buffer.json(entry.sender)
        switch entry.outcome {
        case .applied: break
        case .duplicate:
            buffer.key("duplicate")
            buffer.json(true)
        case .refused(let rejection):
            buffer.key("code")
            buffer.json(rejection.code.rawValue)
            buffer.key("message")
            buffer.json(rejection.message)
        }
        buffer.append("}")
    }
}

extension Reactor {
    /// The sender of a tapped event: the name of its key, or its address; nil: unknown. A program
    /// may push one event and leave before the daemon reads it; then its host is known.
    func senderName(client: Int, descriptor: CInt, host: String?) -> String? {
        client < 0 ? PeersRequest.address(of: descriptor) ?? host : clients.name(of: client)
    }
}
