import Notation
import Protocol
import Supervision
import Web
import ZeroMQ

extension Bridge: HTTPHandler {
    func opened(_ number: ConnectionNumber) {
        let now = Clock.monotonic()
        clients[number] = Client(
            share: SubscriptionBudget.Share(at: now),
            messageRate: RateLimit(
                perSecond: Limits.webMessagesPerSecond, burst: 2 * Limits.webMessagesPerSecond,
                at: now),
            // The largest message must fit at once.
            byteRate: RateLimit(
                perSecond: Limits.webBytesPerSecond, burst: 2 * Limits.webMessageBytesMax, at: now),
            patience: RateLimit(
                perSecond: Limits.webFaultsPerSecond, burst: Limits.webFaultsMax, at: now))
        counters.opened += 1
        send(greeting, to: number)
    }

    func closed(_ number: ConnectionNumber) {
        guard let client = clients[number] else { return }
        counters.count(client.queue)
        queueSum.set(0, of: number)
        endSubscriptions(of: number)
        turns.remove(number)
        bound.leave(number, until: seconds(Limits.webBoundSeconds))
        clients[number] = nil
    }

    func broke(_ number: ConnectionNumber, code: Int) {
        clients[number]?.isClosing = true
        clients[number]?.queue.end()
        endSubscriptions(of: number)
        count(number)
        counters.closedBroken += 1
    }

    func holds(_ number: ConnectionNumber, _ count: Int) {
        clients[number]?.arriving = count
        self.count(number)
        makeRoom()
    }

    func refusedConnection() {
        counters.refusedConnections += 1
        tell("a connection: limit_connections \(Limits.webConnectionsMax) are open")
    }

    func cutConnection(_ reason: CutReason) { counters.cut[reason, default: 0] += 1 }

    func writable(_ number: ConnectionNumber) {
        defer { count(number) }
        clients[number]?.leaving = 0
        var room = Limits.webTurnBytesMax
        while let message = clients[number]?.queue.popFirst() {
            counters.sent += 1
            counters.sentBytes += message.count
            guard server?.send(message, to: number) == true else { return }
            room -= message.count
            guard server?.hasRoom(number) == true else {
                clients[number]?.leaving = message.count
                break
            }
            if room <= 0 { break }
        }
        if clients[number]?.queue.isEmpty == false {
            server?.wantWritable(number)
        } else {
            clients[number]?.hasReadAll = true
        }
    }

    /// Closes clients that leave so much unread that it would take the time of others. Every turn
    /// of the loop calls it.
    func closeSlowReaders() {
        let now = Clock.monotonic()
        guard now - readersLook >= Limits.webUnreadLookMilliseconds * 1_000_000 else { return }
        readersLook = now
        var readers: [(client: ConnectionNumber, updates: Int)] = []
        for (number, client) in clients {
            if !client.hasReadAll, !client.isClosing {
                readers.append((number, client.queue.updateCount - client.updatesBefore))
            }
            clients[number]?.updatesBefore = client.queue.updateCount
            clients[number]?.hasReadAll = client.queue.isEmpty
        }
        for number in slowReaders.surplus(readers) {
            closeSlow(number, "limit_unread_updates_per_second", "of all are unread")
        }
    }

    func received(_ message: [UInt8], from number: ConnectionNumber, cost: Int) {
        guard let client = clients[number], !client.isClosing else { return }
        counters.received += 1
        counters.receivedBytes += message.count
        let now = Clock.monotonic()
        guard clients[number]?.messageRate.take(1, at: now) == true,
            clients[number]?.byteRate.take(cost, at: now) == true
        else {
            let fault = ClientFault("busy", "more than limit_messages_per_second or …_bytes_…")
            // It was inflated, and not paid.
            return refuse(fault, number, weight: 1 + cost / Limits.webFaultBytes)
        }
        do throws(ClientFault) {
            try perform(try ClientMessage(message), of: number)
        } catch {
            refuse(error, number, weight: error.weight)
        }
    }

    /// `prefix`: the one that was not subscribed to.
    func refuse(
        _ fault: ClientFault, _ number: ConnectionNumber, weight: Int, prefix: [UInt8]? = nil
    ) {
        counters.refused[fault.code, default: 0] += 1
        send(ServerMessage.error(fault, prefix: prefix), to: number)
        strike(number, weight: weight)
    }

    /// Closes a client whose messages are refused again and again.
    private func strike(_ number: ConnectionNumber, weight: Int) {
        guard clients[number]?.patience.take(weight, at: Clock.monotonic()) == false else { return }
        counters.closedFaults += 1
        close(number, code: 1008, reason: "more than limit_faults messages were refused")
    }

    private func perform(
        _ message: ClientMessage, of number: ConnectionNumber
    ) throws(ClientFault) {
        switch message {
        case .publish(let topic, let body): try publish(topic, body)
        case .subscribe(let prefix): subscribe(prefix, number)
        case .unsubscribe(let prefix):
            unsubscribe(prefix, number)
        case .bind(let name): try bind(name, number)
        case .unbind(let name): bound.unbind(name, from: number)
        case .request(let request): self.request(request, number)
        }
    }

    private func publish(_ topic: [UInt8], _ body: [UInt8]) throws(ClientFault) {
        if settings.isReadOnly {
            throw ClientFault("unauthorized", "this gesture-web is read-only")
        }
        do throws(TopicError) {
            _ = try Topic(topic)
        } catch {
            throw ClientFault("bad-topic", error.message)
        }
        guard (try? daemons.publish(topic: topic, body: body)) == true else {
            throw Self.daemonIsAway
        }
        counters.published += 1
    }

    static let daemonIsAway = ClientFault("unavailable", "the daemon does not answer")

    /// Operations that change nothing, as they are written on the wire.
    private static let readingOperations = Set(
        ["hello", "snapshot", "sessions", "scenes", "scene", "hit", "time", "stats", "export"]
            .map { Array($0.utf8) })

    private func request(_ request: ClientRequest, _ number: ConnectionNumber) {
        if settings.isReadOnly, !Self.readingOperations.contains(request.operation) {
            return refuse(
                request, ClientFault("unauthorized", "this gesture-web is read-only"), number)
        }
        let deadline = seconds(Limits.webRequestSeconds)
        if let bound = turns.add(request, of: number, until: deadline) {
            return refuse(request, ClientFault("busy", "\(bound) are unanswered"), number)
        }
        passOn()
    }

    private func refuse(
        _ request: ClientRequest, _ fault: ClientFault, _ number: ConnectionNumber
    ) {
        counters.refused[fault.code, default: 0] += 1
        send(ServerMessage.refusal(id: request.id, fault), to: number)
        strike(number, weight: fault.weight)
    }

    /// Passes requests on to the daemon that may go there.
    func passOn() {
        while let (next, outstanding) = turns.next() {
            let request = next.request
            let isAsked = ask(
                .client(outstanding, id: request.id), until: next.deadline, about: request.session,
                isRepeated: Self.readingOperations.contains(request.operation)
                    || (daemons.isCluster && request.countsOnce),
                { request.text(number: $0) })
            guard isAsked else {
                turns.answered(outstanding, after: nil)
                // Each of the others would find it away, too, after a search for the next one.
                for waiting in [next] + turns.takeAll() {
                    refuse(waiting.request, Self.daemonIsAway, waiting.client)
                }
                return
            }
            counters.requests += 1
        }
    }

    private func failLateRequests(at now: Int) {
        for (number, request) in pending where request.deadline < now {
            pending[number] = nil
            fail(request)
        }
        for late in turns.expire(at: now) {
            counters.unanswered += 1
            send(ServerMessage.refusal(id: late.request.id, Self.daemonIsAway), to: late.client)
        }
        passOn()
    }

    func ticked() {
        lookForRefusal()
        followMembers()
        logs.sweep()
        let now = Clock.monotonic()
        let patience = Limits.webHeartbeatSeconds * 1_000_000_000
        if let lastBeat, now - lastBeat > patience { setDaemon(isThere: false) }
        if !isDaemonThere, !pending.values.contains(where: { $0.asker.isProbe }) {
            // A heartbeat may be a second away.
            _ = ask(.probe, until: seconds(1)) { Self.question("time", $0) }
        }
        failLateRequests(at: now)
        closeLeftSessions(at: now)
        memory.look(at: now)
        onTick?()
    }

    /// Sees whether keys keep the daemon away.
    private func lookForRefusal() {
        awayTicks = isDaemonThere ? 0 : min(awayTicks + 1, Self.awayTicksMax)
        // A socket that cannot be connected now is tried at the next tick.
        refusal = (try? daemons.mend()) ?? nil
        // The daemon refuses a key by silence.
        if refusal == nil, daemons.hasKeys, awayTicks == Self.awayTicksMax {
            refusal =
                "nothing comes from gestured: it is away, its key is another than the given one, "
                + "or it does not let this key in"
        }
    }

    /// Three seconds of ticks: a connection takes a moment.
    private static let awayTicksMax = 12

    private func fail(_ request: Pending) {
        switch request.asker {
        case .client(let outstanding, let id):
            counters.unanswered += 1
            turns.answered(outstanding, after: Limits.webRequestSeconds * 1_000_000_000)
            send(ServerMessage.refusal(id: id, Self.daemonIsAway), to: outstanding.client)
        case .health: tellHealth(.unhealthy("the control socket does not answer"))
        case .metrics: tellMetrics(from: nil)
        // A session that was not closed has a deadline, at which it is tried again.
        case .probe, .waking, .closing: break
        }
    }
}
