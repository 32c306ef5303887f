import Geometry
import Interactions
import Notation
import Protocol
import Security
import ZeroMQ

/// The clients that have shown a key: who they are, and what they may do. The reactor's own.
///
/// A client's number is its place here, as its messages carry it (`Sender.client`). It keeps it
/// while the daemon runs: messages of a client that was removed may still be in a socket.
struct ClientRights {
    private struct Client {
        let name: String
        /// Nil: its key is not authorized any more.
        var grant: Grant?
        var unauthorized = 0
        /// The same in each run, whatever the other clients are; never 0.
        let publisher: UInt32

        init(name: String) {
            self.name = name
            publisher = UInt32(truncatingIfNeeded: StableHash(name).value) | 1
        }
    }

    private var clients: [Client] = []
    private var numbers: [CurveKey: Int] = [:]
    private(set) var list = AccessList.empty
    /// Bounds what is told of events that clients may not publish; by their numbers, of which there
    /// are at most `clientsEverMax`.
    private var reports = StrangersReports()
    /// Whether some client may not do everything: then each message is asked for its client.
    private(set) var areLimited = false

    /// Why a list cannot be taken; nil: it can.
    func flaw(of list: AccessList) -> String? {
        let names = Set(clients.map(\.name)).union(list.clients.map(\.name))
        guard names.count > Limits.clientsEverMax else { return nil }
        return "more than \(Limits.clientsEverMax) clients since the start; start again"
    }

    /// Takes a list in place of the one before.
    mutating func take(_ list: AccessList) {
        self.list = list
        for place in clients.indices { clients[place].grant = nil }
        numbers = [:]
        for client in list.clients {
            let number = clients.firstIndex { $0.name == client.name } ?? clients.count
            if number == clients.count { clients.append(Client(name: client.name)) }
            clients[number].grant = client.grant
            numbers[client.key] = number
        }
        areLimited = clients.contains { $0.grant?.isEverything != true }
    }

    /// The number of the client with a key; nil: it is not authorized.
    func number(of key: CurveKey) -> Int? { numbers[key] }

    func name(of client: Int) -> String { clients[client].name }

    /// A number by which a client's contacts are known among those of others; 0: it has shown no
    /// key, or the daemon limits no client.
    func publisher(_ client: Int) -> UInt32 {
        clients.indices.contains(client) ? clients[client].publisher : 0
    }

    /// The grant of a message's sender; nil where it has none any more. A peer without a key came
    /// over an endpoint that needs none, and may do everything.
    func grant(of client: Int) -> Grant? {
        guard client >= 0 else { return .everything }
        return clients.indices.contains(client) ? clients[client].grant : nil
    }

    /// Counts something that a client may not do.
    mutating func countUnauthorized(_ client: Int) {
        if clients.indices.contains(client) { clients[client].unauthorized += 1 }
    }

    /// Whether one more refused event of a client may be told at a time; if so, it counts.
    mutating func mayReport(_ client: Int, at time: Int) -> Bool { reports.take(client, at: time) }

    /// Whether a client may publish events of a session. It allocates nothing.
    func mayPublish(_ client: Int, to session: some Collection<UInt8>) -> Bool {
        if client < 0 { return true }
        guard clients.indices.contains(client), let grant = clients[client].grant else {
            return false
        }
        return grant.publish.match(session)
    }

    /// Why an event of a client is refused.
    func refusalToPublish(_ client: Int) -> Rejection {
        Rejection(
            .unauthorized, "client \"\(clients[client].name)\" may not publish to this session")
    }

    /// Why a client may not make a request; nil: it may.
    func refusal(of right: RequestRight, for client: Int) -> Rejection? {
        if client < 0 { return nil }
        guard let grant = grant(of: client) else {
            return Rejection(.unauthorized, "the client's key is not authorized any more")
        }
        let name = "client \"\(clients[client].name)\""
        if case .greeting = right { return nil }
        guard grant.control != .none else {
            return Rejection(.unauthorized, "\(name) may make no request but hello")
        }
        switch right {
        case .greeting, .general: return nil
        case .administration:
            return grant.control == .all
                ? nil : Rejection(.unauthorized, "\(name) may ask about its own sessions alone")
        case .publishing(let session):
            return grant.publish.match(session) ? nil : refusalToPublish(client)
        case .changing(let session):
            return grant.control == .all || grant.publish.match(session)
                ? nil : Rejection(.unauthorized, "\(name) may not change this session")
        case .changingAndReading(let session):
            return refusal(of: .changing(session), for: client)
                ?? refusal(of: .reading(session), for: client)
        case .reading(let session):
            return grant.control == .all || grant.read.match(session)
                ? nil : Rejection(.unauthorized, "\(name) may not read this session")
        case .tapping:
            return grant.tap.isEmpty
                ? Rejection(.unauthorized, "\(name) may not tap events") : nil
        case .locating(let session):
            return grant.publish.match(session)
                ? nil : refusal(of: .reading(session), for: client)
        }
    }

    /// Writes the clients with what each was refused, as a member of a reply.
    func write(into buffer: inout ByteBuffer) {
        buffer.append("[")
        for (place, client) in clients.enumerated() {
            if place > 0 { buffer.append(",") }
            buffer.append("{\"client\":")
            buffer.json(client.name)
            buffer.append(client.grant == nil ? ",\"authorized\":false" : ",\"authorized\":true")
            buffer.key("unauthorized")
            buffer.json(client.unauthorized)
            buffer.append("}")
        }
        buffer.append("]")
    }
}

/// The kind of right that a request needs.
enum RequestRight {
    /// Everybody's who has come in.
    case greeting
    /// About no session: whoever may make requests.
    case general
    /// About the daemon.
    case administration
    case publishing(String)
    case changing(String)
    case changingAndReading(String)
    case reading(String)
    /// Events of the sessions of a grant, from all senders.
    case tapping
    /// Everybody has it who may read a session, or publish to it.
    case locating(String)
}

extension Limits {
    /// Clients since the start, those that were removed included: each keeps its number and count.
    static let clientsEverMax = 4_096
}
