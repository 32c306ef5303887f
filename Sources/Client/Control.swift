package import Notation
import Protocol
import ZeroMQ

/// Asks a daemon and waits for its answers. For one thread.
public final class Control {
    private let socket: Socket
    public let endpoint: String
    private let timeoutMilliseconds: Int
    private var lastID = 0

    init(_ connection: Connection) throws(ClientError) {
        endpoint = connection.endpoints.control
        timeoutMilliseconds = connection.timeoutMilliseconds
        let (endpoint, context) = (endpoint, connection.context)
        do throws(ZeroMQError) {
            socket = try Socket(
                .dealer, in: context, .lingerMilliseconds(0), .messageBytesMax(messageBytesMax),
                .reconnectMillisecondsMax(reconnectMillisecondsMax))
            try socket.connect(endpoint)
        } catch {
            throw ClientError(error)
        }
    }

    /// Asks one thing and returns the reply, which says `ok`.
    ///
    /// Throws `refused` with the daemon's code, or `noAnswer` after the connection's timeout.
    package func request(
        _ operation: String, _ fields: [Node.Member] = []
    ) throws(ClientError) -> Node {
        let id = try send(operation, fields)
        let deadline = Deadline(milliseconds: timeoutMilliseconds)
        while true {
            guard let reply = try nextReply(before: deadline) else {
                throw noAnswer
            }
            // Answers to requests that were given up may still come; one without an id is to a
            // request that the daemon could not read, so to this one.
            if let answered = reply.id, answered != id { continue }
            return try reply.result.get()
        }
    }

    /// The same with JSON in and out: `fields` an object, the result the whole reply.
    public func request(_ operation: String, fields: [UInt8]) throws(ClientError) -> [UInt8] {
        let node: Node
        do throws(DocumentError) {
            node = try Document.json(fields)
        } catch {
            throw ClientError.refused(code: "bad-json", message: error.message)
        }
        return try request(operation, node.members ?? []).json()
    }

    /// The ids of all open sessions, in byte order, asked for page by page.
    public func sessions() throws(ClientError) -> [String] {
        var names: [String] = []
        var after: String?
        while true {
            let page = try request(
                "sessions", after.map { [Node.Member("after", Node(.string($0)))] } ?? [])
            names += (page["sessions"]?.array ?? []).compactMap(\.string)
            guard let next = page["next"]?.string else { return names }
            // A page that leads nowhere would be asked for for ever.
            guard after.map({ $0.utf8.lexicographicallyPrecedes(next.utf8) }) ?? true else {
                throw badAnswer("its pages of sessions do not go on after \(next)")
            }
            after = next
        }
    }

    /// Asks many things without waiting in between: `consume` gets each answer with the place of
    /// its request, in the order in which they come.
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

    /// Requests on their way at once: far below what the daemon takes for one session, 512.
    package static let unansweredMax = 64

    package struct Reply {
        package var id: String?
        package var result: Result<Node, ClientError>
    }

    /// Sends a request and returns the id that its reply will carry.
    package func send(
        _ operation: String, _ fields: [Node.Member]
    ) throws(ClientError) -> String {
        lastID += 1
        let id = String(lastID)
        let head = [
            Node.Member("id", Node(.string(id))), Node.Member("op", Node(.string(operation))),
        ]
        let bytes = Node(.object(head + fields)).json()
        let isTaken = try transport { () throws(ZeroMQError) in try socket.send(bytes) }
        guard isTaken else { throw noAnswer }
        return id
    }

    private func nextReply(before deadline: Deadline) throws(ClientError) -> Reply? {
        var poller = Poller()
        poller.watch(socket)
        let frames: [[UInt8]]
        do throws(ZeroMQError) {
            while true {
                if let received = try socket.receiveMessage() {
                    frames = received
                    break
                }
                let rest = deadline.milliseconds
                if rest == 0 { return nil }
                try poller.wait(milliseconds: rest)
            }
        } catch {
            throw ClientError(error)
        }
        return try parse(frames.last ?? [])
    }

    private func parse(_ bytes: [UInt8]) throws(ClientError) -> Reply {
        let node: Node
        do throws(DocumentError) {
            node = try Document.json(bytes)
        } catch {
            throw badAnswer(error.message)
        }
        guard let isDone = node["ok"]?.bool else { throw badAnswer("no ok in it") }
        let id = node["id"]?.string
        if isDone { return Reply(id: id, result: .success(node)) }
        guard let code = node["error"]?["code"]?.string else { throw badAnswer("no code in it") }
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
