import Glibc
import Membership
import Notation
import Security
import Sessions
import ZeroMQ

/// The four bound sockets, those of readers' groups, and the handshakes of all. The reactor's
/// thread owns them.
///
/// A socket may have endpoints that ask for a key and others that do not: libzmq keeps the options
/// that a socket has when an endpoint is bound.
struct Sockets: ~Copyable {
    /// libzmq's threads. Updates leave by one of their own, so that a flood of what peers send, in
    /// which libzmq serves 64 connections before it writes to a subscriber again, does not hold
    /// them up.
    enum IOThread: Int, CaseIterable {
        case peers, updates
    }

    let context: Context
    private let configuration: Configuration
    var handshakes: Handshakes
    let events: Socket
    /// Takes events, too, of peers that need not wait for a subscription and wait when it is full.
    let pushes: Socket
    let updates: Socket
    let control: Socket
    /// With the ports that the system chose.
    let eventsEndpoints: [String]
    let pushEndpoints: [String]
    let updatesEndpoints: [String]
    let controlEndpoints: [String]
    private(set) var groups: [ReaderGroup] = [] {
        didSet { peerPorts.set(ports) }
    }
    let peerPorts = PeerPorts([])
    private var groupsEver = 0
    /// Other members of the cluster.
    private var otherMembers: [OtherMember] = []

    /// The TCP ports at which subscribers connect.
    var updatesPorts: [Int] { ports.filter { $0.role == .updates }.map(\.number) }

    /// The TCP ports of the control socket.
    var controlPorts: [Int] { ports.filter { $0.role == .control }.map(\.number) }

    /// The ports of every TCP endpoint, with the kinds of peers that connect there.
    private var ports: [PeerPorts.Port] {
        func ports(_ endpoints: [String], _ role: ConnectionJudge.Role) -> [PeerPorts.Port] {
            endpoints.compactMap { endpoint in
                Endpoint.tcpPort(of: endpoint).map { PeerPorts.Port(number: $0, role: role) }
            }
        }
        return ports(eventsEndpoints, .events) + ports(pushEndpoints, .pushes)
            + ports(controlEndpoints, .control)
            + ports(updatesEndpoints + groups.flatMap(\.endpoints), .updates)
    }

    /// The files of `ipc://` endpoints, with the kinds of peers that connect there.
    var files: [String: ConnectionJudge.Role] {
        var files: [String: ConnectionJudge.Role] = [:]
        for (endpoints, role) in [
            (eventsEndpoints, ConnectionJudge.Role.events), (pushEndpoints, .pushes),
            (updatesEndpoints, .updates), (controlEndpoints, .control),
        ] {
            for endpoint in endpoints where endpoint.hasPrefix("ipc://") {
                files[String(endpoint.dropFirst("ipc://".count))] = role
            }
        }
        return files
    }

    init(_ configuration: Configuration, in context: Context) throws(ZeroMQError) {
        // It must be there before the first peer asks.
        let handshakes = try Handshakes(in: context)
        let events = try Socket(.sub, in: context)
        let pushes = try Socket(.pull, in: context)
        let updates = try Socket(.xpub, in: context)
        let control = try Socket(.router, in: context)
        try Self.setUp(events, configuration, "events", messageBytesMax: Limits.messageBytesMax)
        try Self.setUp(pushes, configuration, "push", messageBytesMax: Limits.messageBytesMax)
        try Self.setUp(control, configuration, "control", messageBytesMax: Limits.messageBytesMax)
        // Only subscriptions come in here, and their number has no bound.
        try Self.setUpUpdates(updates, configuration, domain: "updates")
        try events.set(.receiveHighWaterMark(configuration.receiveHighWaterMark))
        try pushes.set(.receiveHighWaterMark(configuration.receiveHighWaterMark))
        try control.set(.receiveHighWaterMark(Limits.requestsUnreadMax))
        // A peer may ask very much before it reads; `WaitingReplies` bounds the bytes.
        try control.set(.sendHighWaterMark(configuration.sendHighWaterMark))
        try control.set(.mandatoryRouting(true))
        try events.set(.subscribe([]))
        let security = configuration.security
        let eventsEndpoints = try Self.bind(
            events, to: configuration.events, "key events or --events", security,
            bytesMax: Limits.messageBytesMax)
        let pushEndpoints = try Self.bind(
            pushes, to: configuration.pushEndpoints, "key sockets.push or --push", security,
            bytesMax: Limits.messageBytesMax)
        let updatesEndpoints = try Self.bind(
            updates, to: configuration.updates, "key updates or --updates", security,
            bytesMax: Limits.subscriptionBytesMax)
        let controlEndpoints = try Self.bind(
            control, to: configuration.control, "key control or --control", security,
            bytesMax: Limits.messageBytesMax)
        try control.bind(RoutingIDs.endpoint)
        for endpoint in configuration.eventsConnect {
            try Self.connect(events, to: endpoint, security)
        }
        self.context = context
        self.configuration = configuration
        self.handshakes = handshakes
        self.events = events
        self.pushes = pushes
        self.updates = updates
        self.control = control
        self.eventsEndpoints = eventsEndpoints
        self.pushEndpoints = pushEndpoints
        self.updatesEndpoints = updatesEndpoints
        self.controlEndpoints = controlEndpoints
        peerPorts.set(ports)
    }

    private static func setUpUpdates(
        _ socket: borrowing Socket, _ configuration: Configuration, domain: String
    ) throws(ZeroMQError) {
        try setUp(
            socket, configuration, domain, messageBytesMax: Limits.subscriptionBytesMax,
            on: .updates)
        try socket.set(.receiveHighWaterMark(Limits.subscriptionsUnreadMax))
        try socket.set(.sendHighWaterMark(configuration.sendHighWaterMark))
        // A second subscription to a topic is answered as the first one is. Each end is reported
        // too, so that the daemon knows who holds what.
        try socket.set(.verboseSubscriptionsAndEnds(true))
    }

    private static func setUp(
        _ socket: borrowing Socket, _ configuration: Configuration, _ domain: String,
        messageBytesMax: Int, on thread: IOThread = .peers
    ) throws(ZeroMQError) {
        try socket.set(.ioThread(thread.rawValue))
        try socket.set(.zapDomain(domain))
        try socket.set(.messageBytesMax(messageBytesMax))
        try socket.set(.lingerMilliseconds(configuration.lingerMilliseconds))
        try socket.set(.handshakeMilliseconds(3_000))
        try socket.set(.reconnectMillisecondsMax(5_000))
        if configuration.ipv6 { try socket.set(.ipv6(true)) }
    }

    /// `key` is what names the endpoints: a key of the configuration, or an option.
    private static func bind(
        _ socket: borrowing Socket, to endpoints: [String], _ key: String,
        _ security: SecuritySettings, bytesMax: Int
    ) throws(ZeroMQError) -> [String] {
        var bound: [String] = []
        for endpoint in endpoints {
            // Peers that may open the file of an ipc socket belong.
            if let key = security.serverKey {
                let asksForKey = endpoint.hasPrefix("tcp://")
                try socket.set(.curveSecretKey(key.secretKey.bytes))
                try socket.set(.curveServer(asksForKey))
                try socket.set(
                    .messageBytesMax(asksForKey ? Limits.encrypted(bytesMax) : bytesMax))
            }
            // The socket of this endpoint stands in a new folder of the user's own, whose mode the
            // mask would spoil.
            let isPrivate = endpoint == "ipc://*"
            let former = isPrivate ? nil : umask(Self.socketMask)
            defer { if let former { _ = umask(former) } }
            do throws(ZeroMQError) {
                bound.append(try Self.bindPatiently(socket, to: endpoint))
            } catch {
                var error = error
                error.message += "; \(key) names it"
                throw error
            }
        }
        return bound
    }

    /// libzmq closes a listener that was unbound some time later, on another thread.
    private static func bindPatiently(
        _ socket: borrowing Socket, to endpoint: String
    ) throws(ZeroMQError) -> String {
        for _ in 0..<Limits.bindTrials {
            do throws(ZeroMQError) {
                return try socket.bind(endpoint)
            } catch  where error.isAddressInUse {
                usleep(Limits.bindPauseMicroseconds)
            }
        }
        return try socket.bind(endpoint)
    }

    private static func connect(
        _ socket: borrowing Socket, to endpoint: String, _ security: SecuritySettings
    ) throws(ZeroMQError) {
        if let own = security.serverKey {
            try socket.set(.curveServer(false))
            if let key = security.publisherKey, endpoint.hasPrefix("tcp://") {
                try socket.set(.curvePublicKey(own.publicKey.bytes))
                try socket.set(.curveSecretKey(own.secretKey.bytes))
                try socket.set(.curveServerKey(key.bytes))
            }
        }
        try socket.connect(endpoint)
    }

    // MARK: Other members of a cluster

    /// Connects to the events of other members, and lets those go that are not among them.
    mutating func meet(_ members: [MemberRow]) throws(ZeroMQError) {
        otherMembers.removeAll { other in !members.contains { $0.id == other.member } }
        for member in members where !otherMembers.contains(where: { $0.member == member.id }) {
            // Events for others are left out, as for one that cannot be reached.
            guard otherMembers.count < Limits.otherMembersMax else { return }
            guard let endpoint = member.endpoints.events.first else { continue }
            let socket = try Socket(.pub, in: context)
            try Self.setUp(socket, configuration, "events", messageBytesMax: -1)
            let waitingMax = min(configuration.sendHighWaterMark, Limits.passedEventsMax)
            try socket.set(.sendHighWaterMark(waitingMax))
            // All members have one key, and each is a client of the others.
            if let key = configuration.security.serverKey, endpoint.hasPrefix("tcp://") {
                try socket.set(.curvePublicKey(key.publicKey.bytes))
                try socket.set(.curveSecretKey(key.secretKey.bytes))
                try socket.set(.curveServerKey(key.publicKey.bytes))
            }
            // An endpoint that nobody can reach says nothing of this daemon.
            guard (try? socket.connect(endpoint)) != nil else { continue }
            otherMembers.append(OtherMember(member.id, socket))
        }
    }

    /// Passes an event on to one member, if there is a way to it: nobody waits for an answer.
    /// `held` counts its bytes while they wait.
    func pass(
        _ topic: [UInt8], _ body: [UInt8], hops: UInt8, to owner: MemberRow,
        counting held: HeldBytes
    ) {
        guard let other = otherMembers.first(where: { $0.member == owner.id }),
            (try? other.socket.send(topic, more: true)) == true
        else { return }
        // The member has taken the first frame, so it takes all of them.
        if body.count >= Limits.largeUpdateBytes {
            unsafe body.withUnsafeBytes { bytes in
                var frame = unsafe Message(copying: bytes, counting: bytes.count, in: held)
                _ = try? other.socket.send(&frame, more: true)
            }
        } else {
            _ = try? other.socket.send(body, more: true)
        }
        _ = try? other.socket.send([UInt8(ascii: "0") + hops])
    }

    // MARK: Groups of readers

    /// Makes the sockets of groups that are not there yet, and returns them.
    private mutating func makeGroups(_ keys: [ReaderGroupKey]) throws(ZeroMQError) -> [ReaderGroup]
    {
        var made: [ReaderGroup] = []
        for key in keys where !groups.contains(where: { $0.key == key }) {
            groupsEver += 1
            let socket = try Socket(.xpub, in: context)
            try Self.setUpUpdates(
                socket, configuration, domain: ReaderGroup.domain(groupsEver))
            let beside = updatesEndpoints.lazy.compactMap(Endpoint.withFreePort).first
            let wanted = key.endpoints.isEmpty ? [beside ?? "tcp://127.0.0.1:*"] : key.endpoints
            let endpoints = try Self.bind(
                socket, to: wanted, "key updates of [security.clients]", configuration.security,
                bytesMax: Limits.subscriptionBytesMax)
            made.append(
                ReaderGroup(key, number: groupsEver, socket: socket, endpoints: endpoints))
        }
        return made
    }

    /// Lets groups go, and makes those of the keys that are not there. Where one cannot be made,
    /// all stays as it is.
    mutating func exchange(
        _ ended: [ReaderGroup], for keys: [ReaderGroupKey]
    ) throws(ZeroMQError) {
        // A new group may want the endpoint of one that ends.
        for group in ended {
            for endpoint in group.endpoints { try? group.socket.unbind(endpoint) }
        }
        do throws(ZeroMQError) {
            let made = try makeGroups(keys)
            groups = groups.filter { keys.contains($0.key) } + made
        } catch {
            for group in ended {
                _ = try? Self.bind(
                    group.socket, to: group.endpoints, "key updates of [security.clients]",
                    configuration.security, bytesMax: Limits.subscriptionBytesMax)
            }
            throw error
        }
    }

    /// The group of a key of readers.
    func group(of key: ReaderGroupKey) -> ReaderGroup? { groups.first { $0.key == key } }

    /// The mask under which libzmq makes the files of `ipc://` sockets: 0660, whoever starts the
    /// daemon. Files that the store's thread makes meanwhile lose rights at most for others.
    private static let socketMask: mode_t = 0o117
}

extension Limits {
    /// Bytes of a frame whose content may have so many, where it is encrypted: CURVE adds 33.
    /// libzmq holds the handshake to the same bound, and its largest message has 257 bytes and the
    /// peer's identity, of 255 at most.
    static func encrypted(_ bytes: Int) -> Int { max(1_024, bytes + 64) }

    /// Events that wait for one other member: 64 MiB of the largest. Otherwise they would pile up
    /// where that member reads more slowly than publishers send here.
    static let passedEventsMax = 1_024
    /// Bytes of a subscription: a topic and its command byte, with room to spare.
    static let subscriptionBytesMax = 256
    /// Subscriptions of one connection that are received and not yet read. libzmq takes in all that
    /// there are in one call, which must stay short.
    static let subscriptionsUnreadMax = 32
    /// Trials to bind an endpoint that is in use, and microseconds between them: it may be one that
    /// was unbound just now.
    static let bindTrials = 5
    static let bindPauseMicroseconds: UInt32 = 10_000
    /// Requests of one connection that are received and not yet read: each may have 1 MiB.
    static let requestsUnreadMax = 32
}
