package import Notation
import Protocol
import ZeroMQ

/// Sends requests to the daemon and waits for its replies. For one thread.
public final class Control {
    private var link: Link
    /// The address of the daemon's control socket.
    public let endpoint: String
    private let timeoutMilliseconds: Int
    private var lastID = 0
    /// Replies that were passed over, because they could not be read.
    package private(set) var unreadCount = 0

    init(_ connection: Connection) throws(ClientError) {
        endpoint = connection.endpoints.control
        timeoutMilliseconds = connection.timeoutMilliseconds
        do throws(ZeroMQError) {
            link = try Link(
                .dealer, in: connection.context, to: connection.endpoints.control,
                keys: connection.keys?.options ?? [], .lingerMilliseconds(0),
                .messageBytesMax(messageBytesMax),
                .reconnectMillisecondsMax(reconnectMillisecondsMax))
        } catch {
            throw ClientError(error)
        }
    }

    /// Sends one request and returns its reply, which has `"ok":true`.
    ///
    /// Throws `refused` with the daemon's code, or `noAnswer` after the connection's timeout, which
    /// each try has. All tries send the same bytes, so that any answer to them counts.
    package func request(
        _ operation: String, _ fields: [Node.Member] = [], tries: Int = 1
    ) throws(ClientError) -> Node {
        let (id, bytes) = message(operation, fields)
        for _ in 0..<tries {
            try offer(bytes)
            let deadline = Deadline(milliseconds: timeoutMilliseconds)
            while let reply = try nextReply(before: deadline) {
                // Replies to abandoned requests may still arrive. A reply without an id answers a
                // request that the daemon could not read, so this one.
                if let answered = reply.id, answered != id { continue }
                return try reply.result.get()
            }
        }
        throw noAnswer
    }

    /// Sends one request of the protocol, such as `open` or `snapshot`, and waits for its reply.
    ///
    /// `fields` is a JSON object with the operation's fields, without `op` and `id`. Returns the
    /// reply, a JSON object with `"ok":true`. Throws ``ClientError/refused(code:message:)`` if the
    /// daemon refuses, or with `bad-json` if `fields` is no object;
    /// ``ClientError/noAnswer(endpoint:milliseconds:)`` after the connection's timeout. A request
    /// that only reads, such as `snapshot`, is tried three times before that; others change
    /// something, and are tried once. Messages that are no reply are passed over.
    public func request(_ operation: String, fields: [UInt8]) throws(ClientError) -> [UInt8] {
        let node: Node
        do throws(DocumentError) {
            node = try Document.json(fields)
        } catch {
            throw .refused(code: "bad-json", message: error.message)
        }
        guard let members = node.members else {
            throw .refused(code: "bad-json", message: "the fields are not a JSON object")
        }
        let tries = Self.reads.contains(operation) ? Self.triesMax : 1
        return try request(operation, members, tries: tries).json()
    }

    /// The same with texts.
    public func request(
        _ operation: String, fields: String
    ) throws(ClientError) -> String {
        String(decoding: try request(operation, fields: Array(fields.utf8)), as: UTF8.self)
    }

    /// The names of all open sessions, in byte order.
    ///
    /// It asks for them page by page, so a session that opens or closes meanwhile may be missed or
    /// listed. Throws as ``request(_:fields:)-(_,[UInt8])`` does.
    public func sessions() throws(ClientError) -> [String] {
        var names: [String] = []
        var after: String?
        while true {
            let page = try request(
                "sessions", after.map { [Node.Member("after", Node(.string($0)))] } ?? [])
            names += (page["sessions"]?.array ?? []).compactMap(\.string)
            guard let next = page["next"]?.string else { return names }
            // Otherwise this would ask for the same page for ever.
            guard after.map({ $0.utf8.lexicographicallyPrecedes(next.utf8) }) ?? true else {
                throw badAnswer("its pages of sessions do not go on after \(next)")
            }
            after = next
        }
    }

    /// Sends many requests without waiting for each reply. `consume` gets each reply with the index
    /// of its request, in the order of arrival.
    package func pipeline(
        _ operation: String, _ requests: [[Node.Member]],
        _ consume: (Int, Result<Node, ClientError>) -> Void
    ) throws(ClientError) {
        var places: [String: Int] = [:]
        var next = 0
        while next < requests.count || !places.isEmpty {
            while next < requests.count && places.count < Self.unansweredMax {
                places[try send(operation, requests[next])] = next
                next += 1
            }
            guard let reply = try nextReply(before: Deadline(milliseconds: timeoutMilliseconds))
            else { throw noAnswer }
            if let place = reply.id.flatMap({ places.removeValue(forKey: $0) }) {
                consume(place, reply.result)
            }
        }
    }

    /// Tries of a request that can be repeated: a lost one, the daemon's restart, and one more.
    static let triesMax = 3
    /// Requests that change nothing.
    private static let reads: Set = [
        "export", "hello", "hit", "scene", "scenes", "sessions", "snapshot", "stats", "time",
    ]

    /// Requests in flight at once: far below the daemon's limit for one session, 512.
    package static let unansweredMax = 64

    package struct Reply {
        package var id: String?
        package var result: Result<Node, ClientError>
    }

    /// Sends a request and returns the id that its reply will carry.
    package func send(
        _ operation: String, _ fields: [Node.Member]
    ) throws(ClientError) -> String {
        let (id, bytes) = message(operation, fields)
        try offer(bytes)
        return id
    }

    private func message(
        _ operation: String, _ fields: [Node.Member]
    ) -> (id: String, bytes: [UInt8]) {
        lastID += 1
        let id = String(lastID)
        let head = [
            Node.Member("id", Node(.string(id))), Node.Member("op", Node(.string(operation))),
        ]
        return (id, Node(.object(head + fields)).json())
    }

    private func offer(_ bytes: [UInt8]) throws(ClientError) {
        let isTaken = try transport { () throws(ZeroMQError) in
            try link.revive()
            return try link.socket.send(bytes)
        }
        guard isTaken else { throw noAnswer }
    }

    /// Readable when replies may have come, once `takeReply` has found none.
    package var descriptor: CInt { link.socket.descriptor }

    /// The next reply; nil if none has come.
    package func takeReply() throws(ClientError) -> Reply? {
        let (reply, _) = try nextReplyOrFault(before: Deadline(milliseconds: 0))
        return reply
    }

    /// The next reply before the deadline; messages that are none are passed over.
    private func nextReply(before deadline: Deadline) throws(ClientError) -> Reply? {
        let (reply, fault) = try nextReplyOrFault(before: deadline)
        if let fault { throw ClientError(fault, of: link) }
        return reply
    }

    private func nextReplyOrFault(
        before deadline: Deadline
    ) throws(ClientError) -> (Reply?, HandshakeFault?) {
        var poller = Poller()
        link.watch(in: &poller)
        do throws(ZeroMQError) {
            while true {
                while let frames = try link.receiveMessage() {
                    if let reply = parse(frames.last ?? []) { return (reply, nil) }
                    unreadCount += 1
                }
                if let fault = try link.check() { return (nil, fault) }
                let rest = deadline.milliseconds
                if rest == 0 { return (nil, nil) }
                try poller.wait(milliseconds: rest)
            }
        } catch {
            throw ClientError(error)
        }
    }

    private func parse(_ bytes: [UInt8]) -> Reply? {
        guard let node = try? Document.json(bytes), let isDone = node["ok"]?.bool else {
            return nil
        }
        let id = node["id"]?.string
        if isDone { return Reply(id: id, result: .success(node)) }
        guard let code = node["error"]?["code"]?.string else { return nil }
        let message = node["error"]?["message"]?.string ?? ""
        return Reply(id: id, result: .failure(.refused(code: code, message: message)))
    }

    private var noAnswer: ClientError {
        .noAnswer(endpoint: endpoint, milliseconds: timeoutMilliseconds)
    }

    private func badAnswer(_ message: String) -> ClientError {
        .badAnswer(endpoint: endpoint, message: message)
    }
}
