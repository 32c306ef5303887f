import CSystem
import GesturedClient
import Glibc
import Notation
import Protocol
import Web
import ZeroMQ

/// The daemons that the bridge speaks with: one, or all members of a cluster.
///
/// It is subscribed at every member, so that a session's updates come wherever it goes; the late
/// rule tells a former owner from the present one. Browsers see one daemon: the heartbeats of one
/// member, and a sync once all members have answered. For one thread.
final class MemberConnections {
    /// Milliseconds that a member has to answer who the members are.
    private static let askMilliseconds = 500
    /// Updates or replies of one member before the next one's turn.
    private static let turnMax = 32
    /// Sessions that are asked for at once; browsers watch far fewer.
    private static let orphansMax = 16_384
    /// The third frame of an event that goes to one member alone: how often it may be passed on.
    private static let passes: [UInt8] = [UInt8(ascii: "3")]
    static let heartbeat = Array("heartbeat".utf8)

    /// A sync that some members have not answered yet, and the body of an answer.
    private struct Sync {
        var members: MemberSync
        var body: [UInt8]?
    }

    private let keys: ClientKeys?
    /// Asks who the members are; nil: there is one daemon.
    private let control: Control?
    private var isAsking = false
    private var watch = MemberWatch(isCluster: false)
    /// By the address of the daemon's control socket.
    private var connections: [String: MemberConnection] = [:]
    /// The daemon whose heartbeats browsers see, and which is asked what any can answer.
    private var home: String
    private var places = SessionPlaces()
    private var syncs: [[UInt8]: Sync] = [:]
    private var prefixes: Set<[UInt8]> = []
    /// Readable when a socket of a member may have something; −1: there is one daemon.
    private let descriptor: CInt
    /// The members whose updates and replies are read.
    private var updateTurns = Rotation(turnMax: MemberConnections.turnMax)
    private var replyTurns = Rotation(turnMax: MemberConnections.turnMax)
    /// Sessions whose member went: somebody must ask for them, so that another brings them back.
    private var orphans: [[UInt8]] = []

    init(_ endpoints: Endpoints, keys: ClientKeys?) throws {
        self.keys = keys
        home = endpoints.control
        if endpoints.seeds.isEmpty {
            control = nil
            descriptor = -1
            let alone = Member(name: "", daemon: "", endpoints: endpoints)
            connections[home] = MemberConnection(try DaemonSockets(endpoints, keys: keys))
            watch.add(alone, at: Clock.monotonic())
        } else {
            control = try Connection(
                to: endpoints, timeoutMilliseconds: Self.askMilliseconds, keys: keys
            ).control()
            descriptor = gs_group_open()
            watch.haveToAsk()
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether it follows the members of a cluster itself.
    var isDirect: Bool { control != nil }
    var isCluster: Bool { watch.isCluster }

    /// Each becomes readable when its sockets may have something.
    var descriptors: [CInt] {
        isDirect ? [descriptor] : connections.values.flatMap { $0.daemon.descriptors }
    }

    var hasKeys: Bool { keys != nil && connections.values.contains { $0.daemon.hasKeys } }

    /// Whether a daemon takes events.
    var isHeard: Bool { connections.values.contains { $0.daemon.isHeard } }

    /// Whether a daemon takes requests.
    var isAsked: Bool { connections.values.contains { $0.daemon.isAsked } }

    /// Connects again what a daemon has refused. Returns why the first of such stays closed.
    func mend() throws(ZeroMQError) -> String? {
        var reason: String?
        for connection in connections.values { reason = try connection.daemon.mend() ?? reason }
        return reason
    }

    func takeSubscriptions() throws(ZeroMQError) {
        for connection in connections.values { try connection.daemon.takeSubscriptions() }
    }

    func subscribe(_ prefix: [UInt8]) throws(ZeroMQError) {
        prefixes.insert(prefix)
        if isDirect, prefix.starts(with: "sync/".utf8) {
            syncs[prefix] = Sync(
                members: MemberSync(of: watch.placesThere, at: Clock.monotonic()))
        }
        for connection in connections.values { try subscribe(prefix, at: connection) }
    }

    private func subscribe(_ prefix: [UInt8], at connection: MemberConnection) throws(ZeroMQError) {
        try connection.daemon.subscribe(prefix)
        if let topic = movesTopic(of: prefix) { try connection.daemon.subscribe(topic) }
    }

    /// The topic that tells where the session of a prefix moves. Libzmq counts how often it is
    /// subscribed to.
    private func movesTopic(of prefix: [UInt8]) -> [UInt8]? {
        isDirect ? SessionTopic.name(in: prefix).map { Array("session/".utf8) + $0 } : nil
    }

    func unsubscribe(_ prefix: [UInt8]) throws(ZeroMQError) {
        prefixes.remove(prefix)
        syncs[prefix] = nil
        for connection in connections.values {
            try connection.daemon.unsubscribe(prefix)
            if let topic = movesTopic(of: prefix) { try connection.daemon.unsubscribe(topic) }
        }
    }

    /// An update that came.
    enum Arrival {
        /// It is for browsers.
        case shown(topic: [UInt8], body: [UInt8])
        /// It is for the bridge alone, or comes late.
        case leftOut
    }

    /// The next update; nil if no member has one now.
    func nextUpdate() throws(ZeroMQError) -> Arrival? {
        try updateTurns.next(of: watch.places.count) { (turn) throws(ZeroMQError) in
            let place = watch.places[turn]
            guard let (topic, body) = try connections[place]?.daemon.nextUpdate() else {
                return nil
            }
            if !isDirect { return .shown(topic: topic, body: body) }
            _ = watch.hear(place, at: Clock.monotonic())
            guard let body = shown(topic, body, from: place) else { return .leftOut }
            return .shown(topic: topic, body: body)
        }
    }

    /// The next reply; nil if no member has one now.
    func nextReply() throws(ZeroMQError) -> (place: String, bytes: [UInt8])? {
        try replyTurns.next(of: watch.places.count) { (turn) throws(ZeroMQError) in
            let place = watch.places[turn]
            return try connections[place]?.daemon.nextReply().map { (place, $0) }
        }
    }

    /// Sends a request to the daemon that has the session, or to another. Returns the one that took
    /// it; nil: none is there. `late`: the one that has left it unanswered; nil: none has.
    func request(
        _ bytes: [UInt8], about session: [UInt8]?, late: String? = nil
    ) throws(ZeroMQError) -> String? {
        for place in candidates(for: session, late: late) {
            if try connections[place]?.daemon.request(bytes) == true { return place }
        }
        return nil
    }

    /// Sends an event to the daemon that has its session, or to one that passes it on. Returns
    /// whether one is there.
    func publish(topic: [UInt8], body: [UInt8]) throws(ZeroMQError) -> Bool {
        let frames = isCluster ? [topic, body, Self.passes] : [topic, body]
        for place in candidates(for: SessionTopic.name(in: topic)) {
            if try connections[place]?.daemon.publish(frames) == true { return true }
        }
        return false
    }

    private func candidates(for session: [UInt8]?, late: String? = nil) -> [String] {
        if !isDirect { return watch.places }
        let all = MemberOrder.candidates(
            owner: session.flatMap(places.place(of:)), home: home, of: watch.places, late: late)
        return all.filter(watch.isThere)
    }

    /// The body that browsers get of an update; nil: it is not for them.
    private func shown(_ topic: [UInt8], _ body: [UInt8], from place: String) -> [UInt8]? {
        if topic == Self.heartbeat {
            if let content = try? Document.json(body) {
                watch.note(heartbeat: content, from: place)
            }
            return place == home ? body : nil
        }
        if topic.starts(with: "sync/".utf8) {
            guard var sync = syncs[topic] else { return nil }
            sync.members.note(place)
            // Heartbeats come from the same member: browsers see one daemon in both.
            if place == home || sync.body == nil { sync.body = body }
            let isOver = sync.members.isOver(at: Clock.monotonic())
            syncs[topic] = isOver ? nil : sync
            return isOver ? sync.body : nil
        }
        guard places.note(topic, body, from: place) else { return nil }
        if topic.starts(with: "session/".utf8) { note(session: topic, body, from: place) }
        return body
    }

    private func note(session topic: [UInt8], _ body: [UInt8], from place: String) {
        guard let session = SessionTopic.name(in: topic), let content = try? Document.json(body),
            content["event"]?.string == "moved"
        else { return }
        // Its heir brings it back for a request, if for nothing else.
        if orphans.count < Self.orphansMax { orphans.append(session) }
        note(session, at: Member(content["owner"], seed: place))
    }

    /// Notes what a daemon says of a session's owner; it may be one that is not known yet.
    func note(_ session: [UInt8], at owner: Member?) {
        guard let owner else { return }
        if connections[owner.endpoints.control] == nil {
            watch.haveToAsk()
            try? add(owner)
        }
        places.note(session, at: owner.endpoints.control)
    }

    /// A member has not answered a request: the members may be others by now.
    func doubt() {
        if isDirect { watch.haveToAsk() }
    }
}

extension MemberConnections {
    /// Sees who is silent, and asks for the members where that may tell more. Four times a second.
    ///
    /// Returns the syncs that wait no longer for members that do not answer.
    func tick() -> [(topic: [UInt8], body: [UInt8])] {
        guard let control else { return [] }
        let now = Clock.monotonic()
        _ = watch.silent(at: now)
        home = MemberOrder.home(after: home, of: watch.places, isThere: watch.isThere)
        learn(from: control)
        if isAsking, watch.isQuestionOver(at: now) {
            control.leave()
            isAsking = false
        }
        if !isAsking, watch.takeQuestion(at: now) {
            isAsking = (try? control.send("members", [])) != nil
        }
        let over = syncs.filter { $0.value.members.isOver(at: now) }
        for topic in over.keys { syncs[topic] = nil }
        return over.compactMap { topic, sync in sync.body.map { (topic, $0) } }
    }

    /// Sessions that somebody must ask for, and that browsers watch.
    func takeOrphans() -> [[UInt8]] {
        defer { orphans = [] }
        let watched = Set(prefixes.compactMap(SessionTopic.name(in:)))
        return orphans.filter(watched.contains)
    }

    /// Reads the answer of `members`, if it has come.
    func learn() { if let control { learn(from: control) } }

    private func learn(from control: Control) {
        guard isAsking else { return }
        while let reply = try? control.takeReply() {
            isAsking = false
            guard let content = try? reply.result.get() else {
                watch.haveToAsk()
                continue
            }
            watch.isCluster = Member.isCluster(content)
            let members = Member.list(content, seed: control.seed)
            if !members.isEmpty { learn(members) }
        }
    }

    private func learn(_ members: [Member]) {
        let change = watch.learn(members)
        for place in change.gone {
            let room = Self.orphansMax - orphans.count
            orphans += places.sessions(at: place).prefix(room)
            connections[place] = nil
        }
        for member in change.new { try? add(member) }
        if !watch.places.contains(home), let first = watch.places.first { home = first }
    }

    private func add(_ member: Member) throws(ZeroMQError) {
        guard watch.hasRoom else { return }
        let connection = MemberConnection(try DaemonSockets(member.endpoints, keys: keys))
        // The sync must follow the others.
        for prefix in prefixes where syncs[prefix] == nil {
            try subscribe(prefix, at: connection)
        }
        for prefix in syncs.keys { try connection.daemon.subscribe(prefix) }
        for descriptor in connection.daemon.descriptors {
            // Without memory for it the member is as one that is away.
            guard gs_group_add(self.descriptor, descriptor) == 0 else { return }
        }
        connections[member.endpoints.control] = connection
        watch.add(member, at: Clock.monotonic())
    }
}
