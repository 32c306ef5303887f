import Manual
import Notation
import Protocol
import Supervision
import Web
import ZeroMQ

/// Carries messages between WebSocket clients and the daemon, on one thread.
final class Bridge {
    struct Settings {
        var isReadOnly = false
        var rule: OriginRule
        /// The secret that a request must show; nil: none.
        var token: AccessToken?
    }

    /// One WebSocket.
    struct Client {
        var queue = ClientQueue()
        /// Bytes of the message that libwebsockets has not handed to the kernel.
        var leaving = 0
        /// Bytes that are held for its own message, until that is whole and read.
        var arriving = 0
        var share: SubscriptionBudget.Share
        var messageRate: RateLimit
        var byteRate: RateLimit
        /// Messages that may still be refused before it is closed.
        var patience: RateLimit
        var isClosing = false
        /// The queue's updates at the last look at slow readers, and whether it has read all that
        /// waited at some time since.
        var updatesBefore = 0
        var hasReadAll = false
    }

    /// A request that waits for the daemon.
    struct Pending {
        enum Asker {
            case client(RequestTurns<ConnectionNumber>.Outstanding, id: [UInt8]?)
            /// All who wait for `/healthz`, or for `/metrics`: one question is for all of them.
            case health
            case metrics
            /// The bridge itself asks whether the daemon is there.
            case probe
            /// The bridge itself asks for a session, so that it is brought back.
            case waking
            /// The bridge itself closes a session whose page has gone.
            case closing(String)

            var isProbe: Bool {
                if case .probe = self { true } else { false }
            }

            var isClosing: Bool {
                if case .closing = self { true } else { false }
            }
        }

        var asker: Asker
        var deadline: Int
        /// In a cluster: what is asked of whom, for another try.
        var call: Call
    }

    /// A request as a daemon gets it.
    struct Call {
        /// Empty where it is too large to be kept, or there is no cluster.
        var text: [UInt8]
        var session: [UInt8]?
        /// It may be sent twice: it changes nothing, or counts once.
        var isRepeated: Bool
        /// The daemon that took it last, and when.
        var place: String
        var sent: Int
        /// It waits for its session to have an owner.
        var isWaiting = false
        /// How often it was sent on in a row.
        var hops = 0
    }

    let settings: Settings
    let files: ServedFiles
    let daemons: MemberConnections
    var clients: [ConnectionNumber: Client] = [:]
    var index = PrefixIndex<ConnectionNumber>()
    /// Updates that no client has been given yet.
    var inbox = Inbox()
    var logs = FrameLogs()
    var queueSum = QueueSum<ConnectionNumber>()
    var budget: SubscriptionBudget
    /// The prefixes that wait until there is room in its rates.
    var subscriptionTurns = SubscriptionTurns<ConnectionNumber>()
    var pending: [Int: Pending] = [:]
    /// The sessions that live as long as a page.
    var bound = BoundSessions<ConnectionNumber>()
    var memory = MemoryReturn()
    /// Those of clients, and what waits behind them.
    var turns = RequestTurns<ConnectionNumber>()
    /// Connections that wait for the daemon's answer; each is bounded by `limit_connections`.
    var healthAskers: [ConnectionNumber] = []
    var metricsAskers: [ConnectionNumber] = []
    var counters = WebCounters()
    /// When the last heartbeat came, in nanoseconds; nil: none yet.
    var lastBeat: Int?
    /// When the last one came over the updates socket, or the daemon was seen first.
    var lastHeartbeat: Int?
    var isDaemonThere = false
    /// Sessions that the bridge asks for, so that a member brings them back.
    var wakeable: [[UInt8]] = []
    /// Why both ends may not agree who they are; nil: they do.
    var refusal: String?
    /// Ticks since the daemon was there.
    var awayTicks = 0
    let startTime: Double
    var refusals = RefusalLog()
    private var lastNumber = 0
    var slowReaders = SlowReaders()
    /// When it looked at slow readers last, in nanoseconds.
    var readersLook = 0
    /// Called four times a second.
    var onTick: (() -> Void)?
    /// Called with a line for the log when a request was refused.
    var onRefusal: ((String) -> Void)?
    /// Set once, before anything is served.
    private(set) var server: HTTPServer?

    init(_ settings: Settings, files: ServedFiles, _ daemons: MemberConnections) {
        self.settings = settings
        self.files = files
        self.daemons = daemons
        budget = SubscriptionBudget(at: Clock.monotonic(), followsMoves: daemons.isDirect)
        startTime = Clock.wall()
    }

    func start(_ server: HTTPServer) throws {
        self.server = server
        try daemons.subscribe(Self.heartbeat)
        _ = index.insert(Self.heartbeat, for: Self.ownNumber)
        for descriptor in daemons.descriptors { try server.watch(descriptor: descriptor) }
        server.tick(everyMilliseconds: 250)
    }

    static let heartbeat = Array("heartbeat".utf8)
    /// The bridge's own subscriptions stand beside those of its clients.
    static let ownNumber = ConnectionNumber.max

    /// Messages of the daemon between two looks at the clock: a reply may have a MiB.
    private static let turnMax = 4

    /// Takes what the daemon has sent. It must follow every turn of the loop: the sockets'
    /// descriptors signal only what is new since they were found empty.
    func pump() throws(ZeroMQError) {
        daemons.learn()
        let haveAllBegun = beginSubscriptions()
        try daemons.takeSubscriptions()
        inbox.beginTurn()
        let isRead = try readNews(until: Clock.monotonic() + Limits.webTurnNanoseconds)
        handOut(until: Clock.monotonic() + Limits.webTurnNanoseconds)
        closeSlowReaders()
        // Clients are served before the rest.
        if !haveAllBegun || !isRead || !inbox.isEmpty { server?.hurry() }
    }

    /// Reads what the daemon has sent, so that no heartbeat waits until clients have what came
    /// before it. Returns whether that was all.
    private func readNews(until end: Int) throws(ZeroMQError) -> Bool {
        repeat {
            if try Turns.alternate(atMost: Self.turnMax, takeUpdate, takeReply) { return true }
        } while Clock.monotonic() < end
        return false
    }

    /// Gives clients the updates that have come.
    private func handOut(until end: Int) {
        while let update = inbox.popFirst() {
            take(update)
            if Clock.monotonic() >= end { return }
        }
    }

    /// Returns whether there was one.
    private func takeUpdate() throws(ZeroMQError) -> Bool {
        if inbox.isFull { return false }
        switch try daemons.nextUpdate() {
        case .shown(let topic, let body):
            counters.updates += 1
            if topic == Self.heartbeat {
                lastHeartbeat = Clock.monotonic()
                see()
            }
            inbox.append(Update(topic: topic, body: body))
        case .leftOut: break
        case nil: return false
        }
        return true
    }

    private func takeReply() throws(ZeroMQError) -> Bool {
        guard let reply = try daemons.nextReply() else { return false }
        take(reply: reply.bytes, from: reply.place)
        return true
    }

    private func take(_ update: Update) {
        var update = update
        logs.take(&update)
        for numbers in index.clients(of: update.topic) {
            for number in numbers where number != Self.ownNumber {
                clients[number]?.queue.append(update, with: &logs)
                afterAppend(number)
            }
        }
    }

    private func take(reply bytes: [UInt8], from place: String) {
        guard let reply = DaemonReply(bytes), let request = pending[reply.number],
            !follow(reply, from: place)
        else { return }
        pending[reply.number] = nil
        switch request.asker {
        case .client(let outstanding, let id):
            turns.answered(
                outstanding, after: Clock.monotonic() - request.call.sent, bytes: bytes.count)
            send(ServerMessage.reply(id: id, reply), to: outstanding.client)
            passOn()
        case .health: tellHealth(.healthy)
        case .metrics: tellMetrics(from: bytes)
        case .closing(let name): noteClosing(name, reply)
        case .probe, .waking: break
        }
        // Any reply is as good as a heartbeat.
        see()
    }

    func send(_ message: [UInt8], to number: ConnectionNumber) {
        clients[number]?.queue.append(message)
        afterAppend(number)
    }

    /// Asks for room, or closes a client for which too much waits.
    private func afterAppend(_ number: ConnectionNumber) {
        guard clients[number]?.isClosing == false else { return }
        count(number)
        if let client = clients[number], client.queue.cost > Limits.webQueueBytesMax {
            closeSlow(number, "limit_queue_bytes")
            return
        }
        makeRoom()
        server?.wantWritable(number)
    }

    /// Closes the client for which most is held, where all together have too much.
    func makeRoom() {
        let max = Limits.webQueuesBytesMax
        guard let largest = queueSum.largest(above: max) else { return }
        counters.closedRoom += 1
        tell("to hold more for the client that has most of limit_queues_bytes \(max)")
        close(
            largest, code: 1013, reason: "too slow: more than limit_queues_bytes of all are held")
    }

    func closeSlow(_ number: ConnectionNumber, _ bound: String, _ what: String = "wait") {
        counters.closedSlow += 1
        close(number, code: 1013, reason: "too slow: more than \(bound) \(what)")
    }

    /// Counts what waits for a client, once that has changed.
    func count(_ number: ConnectionNumber) {
        guard let client = clients[number] else { return }
        // One that is being closed is gone within seconds, and cannot be closed once more.
        let held = client.queue.cost + client.leaving + client.arriving
        queueSum.set(client.isClosing ? 0 : held, of: number)
    }

    func close(_ number: ConnectionNumber, code: Int, reason: String) {
        guard clients[number]?.isClosing == false else { return }
        clients[number]?.isClosing = true
        clients[number]?.queue.end()
        endSubscriptions(of: number)
        count(number)
        server?.close(number, code: code, reason: reason)
    }

    /// Sends a request under a number of the bridge. Returns false if the daemon is not there.
    func ask(
        _ asker: Pending.Asker, until deadline: Int, about session: [UInt8]? = nil,
        isRepeated: Bool = true, _ text: (Int) -> [UInt8]
    ) -> Bool {
        lastNumber += 1
        let text = text(lastNumber)
        guard let place = (try? daemons.request(text, about: session)) ?? nil
        else { return false }
        let now = Clock.monotonic()
        let isKept = daemons.isCluster && text.count <= Limits.webKeptBytesMax
        let call = Call(
            text: isKept ? text : [], session: session, isRepeated: isRepeated, place: place,
            sent: now)
        pending[lastNumber] = Pending(
            asker: asker, deadline: deadline, call: call)
        return true
    }

    /// The time so many seconds from now.
    func seconds(_ count: Int) -> Int { Clock.monotonic() + count * 1_000_000_000 }

    /// The daemon has given a sign of life.
    private func see() {
        lastBeat = Clock.monotonic()
        // The first one may be a second away.
        if lastHeartbeat == nil { lastHeartbeat = lastBeat }
        setDaemon(isThere: true)
    }

    func setDaemon(isThere: Bool) {
        guard isThere != isDaemonThere else { return }
        isDaemonThere = isThere
        for number in clients.keys { send(greeting, to: number) }
    }

    /// The first message to a client, and the one that says that the daemon came or went.
    var greeting: [UInt8] {
        var buffer = ByteBuffer(capacity: 512)
        buffer.append("{\"web\":{\"name\":\"gesture-web\",\"version\":")
        buffer.json(Version.text)
        buffer.key("read_only")
        buffer.json(settings.isReadOnly)
        buffer.key("daemon")
        buffer.json(isDaemonThere)
        buffer.key("limits")
        buffer.append("{")
        for (place, limit) in WebLimits.published.enumerated() {
            buffer.member(limit.name, isFirst: place == 0)
            buffer.json(limit.value)
        }
        buffer.append("}}}")
        return buffer.array()
    }
}
