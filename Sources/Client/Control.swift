package import Notation
import Protocol
import ZeroMQ

/// Sends requests to the daemon and waits for its replies. For one thread.
public final class Control {
    /// The address of the daemon's control socket; of a cluster the addresses that it was given.
    public let endpoint: String
    let timeoutMilliseconds: Int
    private let connection: Connection
    /// The sockets by their addresses: one, or one for each member that was asked.
    private var sockets: [String: RequestSocket] = [:]
    /// The members to ask in a cluster; nil: one daemon.
    var route: Route?
    private var lastID = 0
    /// Requests to a cluster that are not answered, for those that do not wait for them.
    var unanswered: [String: Sent] = [:]
    /// Replies that were passed over, because they could not be read.
    package private(set) var unreadCount = 0

    init(_ connection: Connection) throws(ClientError) {
        self.connection = connection
        let places = connection.endpoints
        endpoint = places.asked
        timeoutMilliseconds = connection.timeoutMilliseconds
        if !places.seeds.isEmpty { route = Route(places.seeds, home: places.control) }
        sockets[places.control] = try RequestSocket(
            connection, to: places.control, isDirect: route != nil)
    }

    /// The address at which it asks what any member can answer.
    package var seed: String { route?.home ?? endpoint }

    private func home() throws(ClientError) -> RequestSocket { try socket(at: seed) }

    func socket(at place: String) throws(ClientError) -> RequestSocket {
        if let socket = sockets[place] { return socket }
        if sockets.count > Member.membersMax { sockets = [:] }
        let socket = try RequestSocket(connection, to: place, isDirect: route != nil)
        sockets[place] = socket
        return socket
    }

    /// Sends one request and returns its reply, which has `"ok":true`.
    ///
    /// Throws `refused` with the daemon's code, or `noAnswer` after the connection's timeout, of
    /// which each try has its share. All tries send the same bytes, so that any answer to them
    /// counts.
    package func request(
        _ operation: String, _ fields: [Node.Member] = [], tries: Int = 1
    ) throws(ClientError) -> Node {
        if route != nil { return try requestOfCluster(operation, fields, tries: tries) }
        let (id, bytes) = message(operation, fields)
        let end = Deadline(milliseconds: timeoutMilliseconds)
        for left in (1...tries).reversed() {
            try offer(bytes)
            let deadline = Deadline(milliseconds: end.milliseconds / left)
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
    /// that only reads, such as `snapshot`, is tried three times within it; others change
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
        guard route == nil else {
            for (place, fields) in requests.enumerated() {
                consume(place, requestResult(operation, fields))
            }
            return
        }
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
    static let reads: Set = [
        "export", "hello", "hit", "locate", "members", "scene", "scenes", "sessions", "snapshot",
        "stats", "time",
    ]

    /// Requests in flight at once: far below the daemon's limit for one session, 512.
    package static let unansweredMax = 64

    package struct Reply {
        package var id: String?
        package var result: Result<Node, ClientError>
        /// The address that answered.
        var place: String
        /// The member that has the session, as the code `moved` says.
        var owner: Member?

        var isMoved: Bool {
            if case .failure(.refused(code: "moved", message: _)) = result { true } else { false }
        }
    }

    /// Sends a request and returns the id that its reply will carry.
    package func send(
        _ operation: String, _ fields: [Node.Member]
    ) throws(ClientError) -> String {
        let (id, bytes) = message(operation, fields)
        if route != nil {
            try sendOn(id, bytes, of: Route.session(operation, fields))
        } else {
            try offer(bytes)
        }
        return id
    }

    func message(
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
        let socket = try home()
        try socket.revive()
        guard try socket.send(bytes) else { throw noAnswer }
    }

    /// Readable when replies may have come, once `takeReply` has found none: one for each member
    /// that was asked.
    package var descriptors: [CInt] { sockets.values.map { $0.peer.socket.descriptor } }

    /// The one of the member that is asked what any can answer.
    var descriptor: CInt { sockets[seed]?.peer.socket.descriptor ?? -1 }

    /// The next reply; nil if none has come.
    package func takeReply() throws(ClientError) -> Reply? {
        if !unanswered.isEmpty { try tendUnanswered() }
        while true {
            let (reply, _) = try nextReplyOrFault(before: Deadline(milliseconds: 0))
            guard let reply, try isSentOn(after: reply) else { return reply }
        }
    }

    /// The next reply before the deadline; messages that are none are passed over.
    func nextReply(before deadline: Deadline) throws(ClientError) -> Reply? {
        let (reply, fault) = try nextReplyOrFault(before: deadline)
        if let fault { throw fault }
        return reply
    }

    private func nextReplyOrFault(
        before deadline: Deadline
    ) throws(ClientError) -> (Reply?, ClientError?) {
        var poller = Poller()
        for socket in sockets.values { socket.peer.watch(in: &poller) }
        do throws(ZeroMQError) {
            while true {
                for (place, socket) in sockets {
                    while let frames = try socket.peer.receiveMessage() {
                        if let reply = parse(frames.last ?? [], from: place) { return (reply, nil) }
                        unreadCount += 1
                    }
                    if let fault = try socket.peer.check() {
                        return (nil, ClientError(fault, of: socket.peer))
                    }
                }
                let rest = deadline.milliseconds
                if rest == 0 { return (nil, nil) }
                try poller.wait(milliseconds: rest)
            }
        } catch {
            throw ClientError(error)
        }
    }

    private func parse(_ bytes: [UInt8], from place: String) -> Reply? {
        guard let node = try? Document.json(bytes), let isDone = node["ok"]?.bool else {
            return nil
        }
        let id = node["id"]?.string
        if isDone { return Reply(id: id, result: .success(node), place: place) }
        guard let code = node["error"]?["code"]?.string else { return nil }
        let message = node["error"]?["message"]?.string ?? ""
        return Reply(
            id: id, result: .failure(.refused(code: code, message: message)), place: place,
            owner: Member(node["error"]?["owner"], seed: place))
    }

    var noAnswer: ClientError {
        .noAnswer(endpoint: endpoint, milliseconds: timeoutMilliseconds)
    }

    func badAnswer(_ message: String) -> ClientError {
        .badAnswer(endpoint: endpoint, message: message)
    }
}
