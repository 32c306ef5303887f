import Notation
import ZeroMQ

/// The updates of one member. For one thread.
private final class MemberUpdateSocket {
    var peer: PeerConnection
    var member: Member
    var lastHeard = ContinuousClock.now
    /// Nothing came for so long that it counts as gone.
    var isSilent = false
    var shards: Int?

    init(_ peer: consuming PeerConnection, _ member: Member) {
        self.peer = peer
        self.member = member
    }
}

/// The updates of all members of a cluster, so that a session's are heard wherever it goes.
///
/// The late rule tells a former owner from the present one. For one thread.
final class MemberUpdateSockets {
    /// Without a heartbeat, which comes once a second, a member counts as gone after this time.
    private static let silence = Duration.seconds(2)
    /// The members are asked for again after this time, while one is silent or something changed.
    private static let again = Duration.milliseconds(500)
    /// For so long a join waits for the sync of all members.
    private static let settleMilliseconds = 1_000
    /// Milliseconds between two looks at who is silent.
    private static let lookMilliseconds = 250
    /// Updates that libzmq queues for each member, and that wait while a sync is awaited.
    private static let waitingMax = 10_000

    /// The sessions that are to be joined anew.
    enum News {
        case everything
        case sessions(Set<String>)
    }

    private let connection: Connection
    private let control: Control
    /// By the address of the member's updates.
    private var sockets: [String: MemberUpdateSocket] = [:]
    private var topics: [String]
    private var moved: Set<String> = []
    private var isAllDue = false
    private var mustAsk = false
    private var askAt = ContinuousClock.now
    /// The socket that is read first: none may keep the others waiting.
    private var turn = 0
    /// Whether several daemons share the sessions, as far as is known.
    private(set) var isCluster = true

    init(_ connection: Connection, _ control: Control, topics: [String]) {
        self.connection = connection
        self.control = control
        self.topics = topics
    }

    /// Everything that is to be joined anew since the last call; nil: nothing.
    func takeNews() -> News? {
        defer { (isAllDue, moved) = (false, []) }
        if isAllDue { return .everything }
        return moved.isEmpty ? nil : .sessions(moved)
    }

    /// Asks for the members, and connects to those that are new. Returns whether any has changed.
    @discardableResult
    func refresh() throws(ClientError) -> Bool {
        mustAsk = false
        askAt = .now + Self.again
        let found = try members()
        let former = sockets.mapValues(\.member.daemon)
        let wanted = Set(found.map(\.endpoints.updates))
        sockets = sockets.filter { wanted.contains($0.key) }
        for member in found {
            if let socket = sockets[member.endpoints.updates] {
                socket.member = member
            } else {
                try connect(to: member)
            }
        }
        return former != sockets.mapValues(\.member.daemon)
    }

    private func members() throws(ClientError) -> [Member] {
        let own = Member(name: "", daemon: "", endpoints: connection.endpoints)
        do throws(ClientError) {
            let reply = try control.request("members")
            isCluster = Member.isCluster(reply)
            let found = Member.list(reply, seed: control.seed)
            return found.isEmpty ? [own] : found
        } catch {
            // A daemon that is too old for a cluster is in none.
            guard case .refused(code: "unknown-op", message: _) = error else { throw error }
            isCluster = false
            return [own]
        }
    }

    private func connect(to member: Member) throws(ClientError) {
        guard sockets.count < Member.membersMax else { return }
        do throws(ZeroMQError) {
            // Connected before it subscribes: only then do subscriptions leave in their order.
            let peer = try PeerConnection(
                .sub, in: connection.context, to: member.endpoints.updates,
                keys: connection.keys?.options ?? [], .lingerMilliseconds(0),
                .messageBytesMax(messageBytesMax), .receiveHighWaterMark(Self.waitingMax),
                .reconnectMillisecondsMax(reconnectMillisecondsMax))
            for topic in topics { try peer.socket.set(.subscribe(Array(topic.utf8))) }
            sockets[member.endpoints.updates] = MemberUpdateSocket(peer, member)
        } catch {
            // One that names an address that is none is as one that is away, unless it is alone.
            if sockets.isEmpty { throw ClientError(error) }
        }
    }

    /// The next update; nil where none came in time, or where something is to be joined anew.
    func receive(before deadline: Deadline?) throws(ClientError) -> ReceivedUpdate? {
        while true {
            if let (update, socket) = try take() {
                note(update, socket)
                return update
            }
            if isAllDue || !moved.isEmpty { return nil }
            if try look() { return nil }
            let rest = deadline?.milliseconds ?? Self.lookMilliseconds
            if rest == 0 { return nil }
            try wait(milliseconds: min(rest, Self.lookMilliseconds))
        }
    }

    /// Waits until the members have said that all subscriptions are in force; a member that is
    /// silent is waited for a second. Returns the updates that came meanwhile.
    func synchronize() throws(ClientError) -> [ReceivedUpdate] {
        let topic = "sync/\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        for socket in sockets.values {
            try transport { () throws(ZeroMQError) in try socket.peer.revive() }
        }
        try subscribe(topic)
        defer { try? unsubscribe(topic) }
        var left = Set(sockets.filter { !$0.value.isSilent }.keys)
        var hasAnswer = false
        var waiting: [ReceivedUpdate] = []
        let settled = Deadline(milliseconds: Self.settleMilliseconds)
        let deadline = Deadline(milliseconds: connection.timeoutMilliseconds)
        while true {
            if let (update, socket) = try take() {
                if update.topic == topic {
                    hasAnswer = true
                    left.remove(socket.member.endpoints.updates)
                } else {
                    note(update, socket)
                    if waiting.count < Self.waitingMax { waiting.append(update) }
                }
                if hasAnswer, left.isEmpty { return waiting }
                continue
            }
            if hasAnswer, settled.isPast { return waiting }
            let rest = deadline.milliseconds
            guard rest > 0 else {
                throw .noAnswer(
                    endpoint: connection.endpoints.asked,
                    milliseconds: connection.timeoutMilliseconds)
            }
            try wait(milliseconds: min(rest, Self.lookMilliseconds))
        }
    }

    private func subscribe(_ topic: String) throws(ClientError) {
        topics.append(topic)
        for socket in sockets.values {
            try transport { () throws(ZeroMQError) in
                try socket.peer.socket.set(.subscribe(Array(topic.utf8)))
            }
        }
    }

    private func unsubscribe(_ topic: String) throws(ClientError) {
        topics.removeAll { $0 == topic }
        for socket in sockets.values {
            try transport { () throws(ZeroMQError) in
                try socket.peer.socket.set(.unsubscribe(Array(topic.utf8)))
            }
        }
    }

    private func take() throws(ClientError) -> (ReceivedUpdate, MemberUpdateSocket)? {
        let all = Array(sockets.values)
        for place in all.indices {
            let socket = all[(place + turn) % all.count]
            while let frames = try transport({ () throws(ZeroMQError) in
                try socket.peer.receiveMessage()
            }) {
                hear(socket)
                guard frames.count == 2,
                    let update = ReceivedUpdate(topic: frames[0], body: frames[1])
                else { continue }
                turn = (place + turn + 1) % all.count
                return (update, socket)
            }
        }
        return nil
    }

    private func wait(milliseconds: Int) throws(ClientError) {
        var poller = Poller()
        var fault: ClientError?
        do throws(ZeroMQError) {
            for socket in sockets.values {
                socket.peer.watch(in: &poller)
                if let found = try socket.peer.check() {
                    fault = ClientError(found, of: socket.peer)
                }
            }
            if fault == nil { try poller.wait(milliseconds: milliseconds) }
        } catch {
            throw ClientError(error)
        }
        if let fault { throw fault }
    }

    private func hear(_ socket: MemberUpdateSocket) {
        socket.lastHeard = .now
        guard socket.isSilent else { return }
        // Its updates in between are lost, and a session that rests shows no gap.
        socket.isSilent = false
        isAllDue = true
    }

    private func note(_ update: ReceivedUpdate, _ socket: MemberUpdateSocket) {
        if update.topic == "heartbeat" {
            let shards = update.content["shards"]?.int
            let hasChanged = socket.shards != nil && socket.shards != shards
            if update.epoch != socket.member.daemon || hasChanged { mustAsk = true }
            socket.shards = shards
        }
        guard update.topic.hasPrefix("session/"), update.content["event"]?.string == "moved",
            let session = update.session
        else { return }
        let owner = Member(update.content["owner"], seed: socket.member.endpoints.updates)
        control.route?.note(session, owner)
        guard let owner, sockets[owner.endpoints.updates] == nil else {
            // The heir brings it back for this, if nothing else asks for it.
            moved.insert(session)
            return
        }
        mustAsk = true
        isAllDue = (try? connect(to: owner)) != nil
    }

    /// Sees who is silent, and asks for the members where that may tell more. Returns whether
    /// everything is to be joined anew.
    private func look() throws(ClientError) -> Bool {
        var isAnySilent = false
        for socket in sockets.values where .now - socket.lastHeard > Self.silence {
            socket.isSilent = true
            isAnySilent = true
            control.route?.leave(socket.member.endpoints.control)
        }
        guard mustAsk || isAnySilent, askAt <= .now else { return false }
        if try refresh() { isAllDue = true }
        return isAllDue
    }
}
