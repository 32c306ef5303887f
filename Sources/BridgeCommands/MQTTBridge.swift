import Bridges
import Commands
import GesturedClient
import Glibc
import Manual
import Notation
import Protocol

/// Carries the broker's messages to the daemon, and the daemon's values to the broker.
final class MQTTBridge: BridgeDriver {
    /// The pauses between two tries to connect grow from the first to the second.
    private static let pauseMillisecondsMin = 250
    private static let pauseMillisecondsMax = 8_000
    /// Milliseconds after which the broker is left to deliver again to a bridge that has a daemon.
    private static let patienceMilliseconds = 15_000
    /// Milliseconds that an ending bridge has to settle what it has taken.
    private static let endMilliseconds = 2_000
    /// Milliseconds of a turn for what the broker sends: what it sends and the daemon does not get
    /// has no other bound, and signals and the daemon's values come between.
    private static let readMillisecondsMax = 20
    /// Sessions that are not carried and that the log names; more are only told to the broker.
    private static let strangersMax = 16

    let broker: Broker
    let topics: HouseTopics
    private let sessions: [String]
    var mirror: HouseMirror
    var inbox = HouseInbox()
    private var ledger: DeliveryLedger
    private let file: LedgerFile
    private let formerTopics: SubscriptionFile
    /// Lines that the ledger's file lacks; it has them before the daemon is asked.
    private var unwritten: [String] = []
    private var client: MQTTClient?
    /// The broker's words when it accepted this connection; nil: it has not.
    private var accepted: (isSessionPresent: Bool, hasIdentifiers: Bool)?
    /// The number of the message by which the bridge asks whether others carry its sessions.
    private var question: Int?
    /// Whether the broker has accepted this connection, and no other bridge carries its sessions.
    private var isConnected = false
    private var connections = 0
    private var nextTry = 0
    private var pause = MQTTBridge.pauseMillisecondsMin
    /// The reason that the log has; nil: none since the bridge carries its sessions.
    private var complaint: String?
    /// The messages that wait, by the ids of their requests to the daemon.
    var asked: [String: Int] = [:]
    /// The session whose snapshot the daemon is asked for, by the request's id.
    var snapshot: (id: String, session: String)?
    /// The topics that were subscribed to, by their numbers, until the broker has answered.
    private var subscribed: [Int: String] = [:]
    /// Sessions that the log has named, since messages for them come and none carries them.
    private var strangers: Set<String> = []
    var reports = RefusalReports()

    init(
        _ broker: Broker, _ topics: HouseTopics, sessions: [String], _ mirror: HouseMirror,
        ledgerPath: String
    ) throws(Failure) {
        self.broker = broker
        self.topics = topics
        self.sessions = sessions
        self.mirror = mirror
        var ledger = DeliveryLedger()
        file = try LedgerFile(path: ledgerPath, &ledger)
        formerTopics = SubscriptionFile(path: "\(ledgerPath).topics")
        self.ledger = ledger
    }

    var readiness: String { "\(broker.url) as \(broker.identity)" }
    var counters: String {
        "connections=\(connections) \(inbox.counters.line) \(mirror.outbox.counters.line) "
            + mirror.counters.line
    }
    var status: String {
        "broker \(isConnected ? "there" : "AWAY"), \(mirror.sessionCount) sessions"
    }

    var descriptors: [WatchedDescriptor] {
        guard let client, client.descriptor >= 0 else { return [] }
        var watched: [WatchedDescriptor] = []
        if inbox.hasRoom { watched.append(WatchedDescriptor(descriptor: client.descriptor)) }
        if inbox.isSettled, client.wantsWrite {
            watched.append(WatchedDescriptor(descriptor: client.descriptor, isWritten: true))
        }
        return watched
    }

    func turn(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) -> Int {
        try daemon.takeUpdates { mirror.take(topic: $0.topic, $0.content, at: moment) }
        if daemon.hasJoined { mirror.join(at: moment) }
        mirror.tick(at: moment)
        try takeReplies(daemon, at: moment)
        askForLatecomer(daemon, at: moment)
        if client == nil { try connect(daemon, at: moment) }
        do throws(MQTTClient.Fault) {
            try serve(daemon, at: moment)
        } catch {
            lose(error.reason, at: moment)
        }
        if !isConnected { mirror.outbox.dropEvents() }
        if client == nil {
            // Without a daemon nothing is tried, so there is no time to wait for.
            return daemon.isThere ? max(0, nextTry - moment.steady) : .max
        }
        return inbox.rest(at: moment) ?? .max
    }

    // MARK: The broker

    /// Connects where there is a daemon to carry to: what the broker delivers else waits there.
    private func connect(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) {
        guard daemon.isThere, moment.steady >= nextTry else { return }
        do throws(MQTTClient.Fault) {
            client = try MQTTClient(
                broker, unacknowledgedMax: HouseInbox.unsettledMax,
                will: (topics.availability(ofBridge: broker.identity), "offline"))
        } catch {
            lose(error.reason, at: BridgeShell.moment())
        }
    }

    private func lose(_ reason: String, at moment: Moment) {
        if complaint != reason {
            BridgeLog.printLine("gesturectl: \(broker.url): \(reason); trying again")
            complaint = reason
        }
        client = nil
        (accepted, question, isConnected) = (nil, nil, false)
        mirror.leave()
        inbox.drop()
        (asked, subscribed) = ([:], [:])
        nextTry = moment.steady + pause
        pause = min(2 * pause, Self.pauseMillisecondsMax)
    }

    private func serve(_ daemon: DaemonConnection, at moment: Moment) throws(MQTTClient.Fault) {
        guard let client else { return }
        // Nothing was acknowledged, so the broker delivers to the next connection again.
        if inbox.age(at: moment) > Self.patienceMilliseconds {
            throw MQTTClient.Fault(reason: "left it, since gestured does not answer")
        }
        if !daemon.isThere, inbox.isSettled, isConnected {
            // The will is for the bridge's own topic.
            _ = try client.publish(topics.anyAvailability, Array("offline".utf8))
            if client.wantsWrite { try client.write() }
            throw MQTTClient.Fault(reason: "left it until gestured is there again")
        }
        try client.tick()
        let end = BridgeShell.moment().steady + Self.readMillisecondsMax
        while inbox.hasRoom, isReadable(client), BridgeShell.moment().steady < end {
            var fault: MQTTClient.Fault?
            do throws(MQTTClient.Fault) {
                try client.read()
            } catch {
                fault = error
            }
            // A refusal is read before the connection is closed for it, and says more.
            while let event = client.next() { try take(event, at: moment) }
            if let fault { throw fault }
        }
        do throws(Failure) {
            if !unwritten.isEmpty { try file.append(unwritten, of: ledger) }
            unwritten = []
            for request in inbox.requests(at: moment) {
                asked[try daemon.ask("publish", request.fields)] = request.key
            }
        } catch {
            throw MQTTClient.Fault(reason: "\(error.message ?? "no room")")
        }
        try judgeOthers(client, at: moment)
        try write(client, at: moment)
    }

    private func isReadable(_ client: MQTTClient) -> Bool {
        var place = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&place, 1, 0) > 0
    }

    private func take(
        _ event: MQTTClient.Event, at moment: Moment
    ) throws(MQTTClient.Fault) {
        switch event {
        case .connected(let isSessionPresent, let hasIdentifiers):
            try begin(isSessionPresent, hasIdentifiers: hasIdentifiers)
        case .refused(let reason): throw MQTTClient.Fault(reason: reason)
        case .subscribed(let number, let isAllowed):
            guard let topic = subscribed.removeValue(forKey: number), !isAllowed else { return }
            BridgeLog.printWarning("\(broker.url): does not allow to subscribe to \(topic)")
        case .published(let number, let isAllowed):
            if number == question {
                question = nil
                mirror.hasAsked(at: moment)
            } else {
                mirror.outbox.acknowledge(number, isAllowed: isAllowed)
            }
        case .message(let message): take(message, at: moment)
        }
    }

    private func begin(
        _ isSessionPresent: Bool, hasIdentifiers: Bool
    ) throws(MQTTClient.Fault) {
        if !isSessionPresent {
            ledger.removeAll()
            unwritten = []
            do throws(Failure) {
                try file.replace(by: ledger)
            } catch {
                throw MQTTClient.Fault(reason: "\(error.message ?? "")")
            }
        }
        connections += 1
        accepted = (isSessionPresent: isSessionPresent, hasIdentifiers: hasIdentifiers)
        mirror.ask()
        try subscribe(mirror.bridgeTopics, .values)
        // The other bridges hear that this one is not there yet, and those that are answer.
        question = try client?.publish(
            topics.availability(ofBridge: broker.identity), Array("offline".utf8),
            publisher: broker.identity)
    }

    /// Begins to carry sessions once it is known that no other bridge does. Leaves the broker where
    /// one does, and tries again later: it may be gone then.
    private func judgeOthers(
        _ client: MQTTClient, at moment: Moment
    ) throws(MQTTClient.Fault) {
        switch mirror.standing(at: moment) {
        case .asks: return
        case .carries:
            if !isConnected { try carry(at: moment) }
        case .yields(let other, let sessions):
            // The daemon gets first what was taken.
            guard inbox.isSettled else { return }
            // Else the broker would keep what the other bridge carries out, and deliver it later.
            let shared = Set(topics.subscriptions(sessions: sessions.names))
            let whole = Set(topics.subscriptions(sessions: []))
            for topic in formerTopics.read()
            where sessions.names.isEmpty || shared.contains(topic) || whole.contains(topic) {
                try client.unsubscribe(topic)
            }
            if client.wantsWrite { try client.write() }
            throw MQTTClient.Fault(
                reason: "the bridge \(other) carries \(sessions.words) already; give one of them "
                    + "other sessions by --session, or another --prefix")
        }
    }

    private func carry(at moment: Moment) throws(MQTTClient.Fault) {
        guard let accepted else { return }
        if complaint != nil { BridgeLog.printLine("gesturectl: \(broker.url): connected") }
        (isConnected, complaint, pause) = (true, nil, Self.pauseMillisecondsMin)
        let input = topics.subscriptions(sessions: sessions)
        try subscribe(input, .input)
        try leaveFormer(accepted.isSessionPresent, input)
        // Without identifiers a message that comes by two subscriptions would count twice.
        if !sessions.isEmpty, accepted.hasIdentifiers {
            try subscribe(topics.subscriptions(sessions: []), .others)
        }
        try subscribe(mirror.formerTopics, .values)
        mirror.carry(at: moment)
    }

    private func subscribe(
        _ topics: [String], _ what: MQTTClient.Subscriptions
    ) throws(MQTTClient.Fault) {
        let hasIdentifiers = accepted?.hasIdentifiers ?? false
        for topic in topics {
            guard let number = try client?.subscribe(topic, what, hasIdentifiers: hasIdentifiers)
            else { continue }
            // A broker need not let this bridge see what is sent to others.
            if what != .others { subscribed[number] = topic }
        }
    }

    /// Ends subscriptions of runs with other options. They end behind the new ones, so that nothing
    /// is lost in between.
    private func leaveFormer(
        _ isSessionPresent: Bool, _ input: [String]
    ) throws(MQTTClient.Fault) {
        let former = isSessionPresent ? formerTopics.read() : []
        for topic in former where !input.contains(topic) { try client?.unsubscribe(topic) }
        do throws(Failure) {
            try formerTopics.add(input, to: former)
        } catch {
            throw MQTTClient.Fault(reason: "\(error.message ?? "")")
        }
    }

    private func take(_ message: MQTTClient.Message, at moment: Moment) {
        let isValue = mirror.take(
            value: message.topic, message.payload, of: message.publisher,
            isRetained: message.isRetained)
        if isValue || message.subscriptions == .values { return }
        if message.subscriptions == .others {
            takeStray(message, at: moment)
            return
        }
        inbox.count(.received)
        guard !message.isRetained else {
            inbox.count(.retained)
            return
        }
        do throws(HouseFault) {
            let event = try HouseEvent(topic: message.topic, payload: message.payload, topics)
            let (id, line) = ledger.id(
                of: message.topic, message.payload, number: message.number,
                isRepeated: message.isRepeated, chance: .random(in: 0 ... .max))
            if let line { unwritten.append(line) }
            inbox.take(event, id: id, at: moment)
        } catch {
            inbox.count(.malformed)
            refuse(message.topic, error.rawValue, error.message, at: moment)
        }
    }

    /// Tells of a message for a session that no bridge with this prefix carries.
    private func takeStray(_ message: MQTTClient.Message, at moment: Moment) {
        guard let session = topics.session(ofInput: message.topic), !mirror.carries(session),
            !mirror.isElsewhere(session)
        else { return }
        inbox.count(.received)
        inbox.count(.refused)
        reports.add(
            message.topic, "unknown-session", "--session does not name \(session)", at: moment)
        if strangers.count < Self.strangersMax, strangers.insert(session).inserted {
            BridgeLog.printWarning(
                "\(broker.url): \(message.topic): --session does not name \(session)")
        }
    }

    /// Sends only while everything is settled: acknowledgements would leave, too.
    private func write(_ client: MQTTClient, at moment: Moment) throws(MQTTClient.Fault) {
        guard inbox.isSettled else { return }
        if isConnected {
            while let (topic, value) = mirror.outbox.next() {
                let number = try client.publish(topic, value, publisher: broker.identity)
                mirror.outbox.sent(topic, as: number)
            }
            while let (topic, value) = mirror.outbox.nextEvent() {
                mirror.outbox.sentEvent(
                    as: try client.publish(topic, value, isRetained: false))
            }
            for report in reports.takeAll() {
                _ = try client.publish(topics.rejected, report, isRetained: false)
            }
        }
        if client.wantsWrite { try client.write() }
    }

    /// Settles what was taken, and says farewell, for which the broker publishes the will. Where
    /// that takes too long it does so a little later, and delivers the rest to the next bridge.
    func end(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) {
        let deadline = moment.steady + Self.endMilliseconds
        while !inbox.isSettled, BridgeShell.moment().steady < deadline {
            try takeReplies(daemon, at: BridgeShell.moment())
            usleep(5_000)
        }
        guard let client, isConnected, inbox.isSettled else { return }
        do throws(MQTTClient.Fault) {
            // Nothing is read any more: it would be acknowledged and not carried out. Other bridges
            // say that they are still there.
            _ = try client.publish(topics.anyAvailability, Array("offline".utf8))
            try client.leave()
            while client.descriptor >= 0, client.wantsWrite,
                BridgeShell.moment().steady < deadline
            {
                try client.write()
                usleep(1_000)
            }
        } catch {
            // The broker publishes the will.
        }
        self.client = nil
    }
}
