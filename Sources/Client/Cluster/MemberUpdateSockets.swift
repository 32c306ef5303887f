import Notation
import ZeroMQ

/// The socket for the updates of one member. For one thread.
private final class MemberUpdateSocket {
    var peer: PeerConnection
    let place: String

    init(_ peer: consuming PeerConnection, of place: String) {
        self.peer = peer
        self.place = place
    }
}

/// The updates of all members of a cluster, so that a session's are heard wherever it goes.
///
/// The late rule tells a former owner from the present one. For one thread.
final class MemberUpdateSockets {
    /// Milliseconds between two looks at who is silent.
    private static let lookMilliseconds = 250

    /// The sessions that are to be joined anew.
    enum News {
        case everything
        case sessions(Set<String>)
    }

    private let connection: Connection
    private let control: Control
    private var watch = MemberWatch(isCluster: true)
    /// By the address of the member's control socket.
    private var sockets: [String: MemberUpdateSocket] = [:]
    private var topics: [String]
    private var moved: Set<String> = []
    private var isAllDue = false
    /// The socket that is read first: none may keep the others waiting.
    private var turn = 0
    private let began = ContinuousClock.now

    init(_ connection: Connection, _ control: Control, topics: [String]) {
        self.connection = connection
        self.control = control
        self.topics = topics
    }

    /// Whether several daemons share the sessions, as far as is known.
    var isCluster: Bool { watch.isCluster }

    /// Nanoseconds since it was made.
    private var now: Int {
        let time = (ContinuousClock.now - began).components
        return Int(time.seconds) * 1_000_000_000 + Int(time.attoseconds / 1_000_000_000)
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
        watch.asks(at: now)
        let former = Set(sockets.keys)
        let change = watch.learn(try members())
        for place in change.gone { sockets[place] = nil }
        for member in change.new { try connect(to: member) }
        return change.hasBegunAgain || former != Set(sockets.keys)
    }

    private func members() throws(ClientError) -> [Member] {
        let own = Member(name: "", daemon: "", endpoints: connection.endpoints)
        do throws(ClientError) {
            let reply = try control.request("members")
            watch.isCluster = Member.isCluster(reply)
            let found = Member.list(reply, seed: control.seed)
            return found.isEmpty ? [own] : found
        } catch {
            // A daemon that is too old for a cluster is in none.
            guard case .refused(code: "unknown-op", message: _) = error else { throw error }
            watch.isCluster = false
            return [own]
        }
    }

    private func connect(to member: Member) throws(ClientError) {
        guard watch.hasRoom else { return }
        do throws(ZeroMQError) {
            // Connected before it subscribes: only then do subscriptions leave in their order.
            let peer = try PeerConnection(
                .sub, in: connection.context, to: member.endpoints.updates,
                keys: connection.keys?.options ?? [], .lingerMilliseconds(0),
                .messageBytesMax(messageBytesMax), .receiveHighWaterMark(UpdateSocket.heldMax),
                .reconnectMillisecondsMax(reconnectMillisecondsMax))
            for topic in topics { try peer.socket.set(.subscribe(Array(topic.utf8))) }
            let place = member.endpoints.control
            sockets[place] = MemberUpdateSocket(peer, of: place)
            watch.add(member, at: now)
        } catch {
            // One that names an address that is none is as one that is away, unless it is alone.
            if sockets.isEmpty { throw ClientError(error) }
        }
    }

    /// The next update; nil where none came in time, or where something is to be joined anew.
    func receive(before deadline: Deadline?) throws(ClientError) -> ReceivedUpdate? {
        while true {
            if let (update, place) = try take() {
                note(update, from: place)
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
    /// silent is waited for a second. Updates that come meanwhile are added to `waiting`, up to its
    /// bounds.
    func synchronize(keeping waiting: inout WaitingUpdates) throws(ClientError) {
        let topic = "sync/\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        for socket in sockets.values {
            try transport { () throws(ZeroMQError) in try socket.peer.revive() }
        }
        try subscribe(topic)
        defer { try? unsubscribe(topic) }
        var sync = MemberSync(of: watch.placesThere, at: now)
        let deadline = Deadline(milliseconds: connection.timeoutMilliseconds)
        while true {
            if let (update, place) = try take() {
                if update.topic == topic {
                    sync.note(place)
                    if sync.isOver(at: now) { return }
                } else {
                    note(update, from: place)
                    waiting.append(update)
                }
                continue
            }
            if sync.isOver(at: now) { return }
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

    /// The next update, and the member that it came from.
    private func take() throws(ClientError) -> (ReceivedUpdate, place: String)? {
        let all = Array(sockets.values)
        for place in all.indices {
            let socket = all[(place + turn) % all.count]
            while let frames = try transport({ () throws(ZeroMQError) in
                try socket.peer.receiveMessage()
            }) {
                hear(socket.place)
                guard frames.count == 2,
                    let update = ReceivedUpdate(topic: frames[0], body: frames[1])
                else { continue }
                turn = (place + turn + 1) % all.count
                return (update, socket.place)
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

    private func hear(_ place: String) {
        // Its updates in between are lost, and a session that rests shows no gap.
        if watch.hear(place, at: now) { isAllDue = true }
    }

    private func note(_ update: ReceivedUpdate, from place: String) {
        if update.topic == "heartbeat" { watch.note(heartbeat: update.content, from: place) }
        guard update.topic.hasPrefix("session/"), update.content["event"]?.string == "moved",
            let session = update.session
        else { return }
        let seed = watch.member(at: place)?.endpoints.updates ?? place
        let owner = Member(update.content["owner"], seed: seed)
        control.route?.note(session, owner)
        guard let owner, sockets[owner.endpoints.control] == nil else {
            // The heir brings it back for this, if nothing else asks for it.
            moved.insert(session)
            return
        }
        watch.haveToAsk()
        isAllDue = (try? connect(to: owner)) != nil
    }

    /// Sees who is silent, and asks for the members where that may tell more. Returns whether
    /// everything is to be joined anew.
    private func look() throws(ClientError) -> Bool {
        for place in watch.silent(at: now) { control.route?.leave(place) }
        guard watch.takeQuestion(at: now) else { return false }
        if try refresh() { isAllDue = true }
        return isAllDue
    }
}
