import Notation
import Protocol
import ZeroMQ

/// Gives the current state, then every change, and says when updates were missed.
///
/// It follows the protocol's join rule: it subscribes, to `sync/<nonce>` last, waits for the one
/// message there, asks for snapshots, and then gives the updates that are newer. For one thread.
public final class Subscriber {
    /// Something that ``next(withinMilliseconds:)`` returns.
    public enum Event: Hashable, Sendable {
        /// A new update, from a snapshot or as it was published.
        case update(ReceivedUpdate)
        /// The number of updates of a topic that were missed. The update after them follows, then a
        /// snapshot of the session if it has one.
        case gap(topic: String, missed: Int)
        /// The daemon, or the topic's session, restarted: its epoch is another. The update that
        /// shows it follows, then snapshots.
        case restarted(topic: String, from: String, to: String)
    }

    /// Updates kept while it waits for the sync: about a second of a busy daemon. Further ones are
    /// dropped, and show as a gap.
    private static let waitingMax = 10_000
    /// A daemon that is near answers within this time; else it is asked for the endpoint.
    private static let firstMilliseconds = 300
    /// A daemon that is there sends a heartbeat each second. Nothing says that the endpoint of a
    /// group is gone.
    private static let momentMilliseconds = 1_000
    private static let silence = Duration.seconds(3)
    /// Every subscriber watches the heartbeat, to notice a daemon that restarted.
    private static let heartbeat = "heartbeat"

    private var link: Link
    private var lastHeard = ContinuousClock.now
    private let control: Control
    private let timeoutMilliseconds: Int
    private let prefixes: [String]
    private let scopes: Set<SnapshotScope>
    private var filter = UpdateFilter()
    /// Events that `next` gives before it reads on.
    private var ready: [Event] = []
    private var readyTaken = 0
    /// Updates that were received before the sync or before a snapshot, and are judged after it.
    private var waiting: [ReceivedUpdate] = []
    private var waitingTaken = 0
    /// The sessions to join before anything else is read.
    private var due: Due?

    private enum Due {
        case everything
        case sessions(Set<String>)
    }

    init(_ connection: Connection, prefixes: [String]) throws(ClientError) {
        self.prefixes = prefixes
        scopes = Set(prefixes.map(SnapshotScope.init(prefix:)))
        timeoutMilliseconds = connection.timeoutMilliseconds
        control = try connection.control()
        do throws(ZeroMQError) {
            // Connected before it subscribes: only then do subscriptions leave in their order.
            link = try Link(
                .sub, in: connection.context, to: connection.endpoints.updates,
                keys: connection.keys?.options ?? [], .lingerMilliseconds(0),
                .messageBytesMax(messageBytesMax), .receiveHighWaterMark(Self.waitingMax),
                .reconnectMillisecondsMax(reconnectMillisecondsMax))
            for prefix in prefixes + [Self.heartbeat] {
                try link.socket.set(.subscribe(Array(prefix.utf8)))
            }
        } catch {
            throw ClientError(error)
        }
        due = .everything
    }

    /// The next event; nil if none came within this many milliseconds. −1 waits for ever.
    ///
    /// The first call joins, which may take up to the connection's timeout. Throws
    /// ``ClientError/noAnswer(endpoint:milliseconds:)`` if the daemon does not answer; the next
    /// call tries again.
    public func next(withinMilliseconds limit: Int = -1) throws(ClientError) -> Event? {
        let deadline = limit < 0 ? nil : Deadline(milliseconds: limit)
        while true {
            if let event = takeReady() { return event }
            if let due { try join(due) }
            if waitingTaken < waiting.count {
                waitingTaken += 1
                take(waiting[waitingTaken - 1])
                continue
            }
            waiting.removeAll(keepingCapacity: true)
            waitingTaken = 0
            if !ready.isEmpty { continue }
            if let update = try receiveOrRejoin(before: deadline) {
                take(update)
            } else if due == nil {
                return nil
            }
        }
    }

    /// The next update; nil where none came in time, or where it has to join again first: the
    /// daemon may let it in no more, or at another endpoint.
    private func receiveOrRejoin(
        before deadline: Deadline?
    ) throws(ClientError) -> ReceivedUpdate? {
        while true {
            let isLast =
                !link.hasKeys
                || deadline.map { $0.milliseconds <= Self.momentMilliseconds } == true
            let moment = Deadline(milliseconds: Self.momentMilliseconds)
            do throws(ClientError) {
                let update = try receive(before: isLast ? deadline : moment)
                // Updates in between are lost, and a session that rests shows no gap.
                if link.takeReturn() { due = .everything }
                if update != nil || due != nil { return update }
            } catch {
                guard case .handshake = error else { throw error }
                due = .everything
                return nil
            }
            if link.hasKeys, .now - lastHeard > Self.silence {
                lastHeard = .now
                due = .everything
                return nil
            }
            if isLast { return nil }
        }
    }

    /// Waits until every update that was published before has arrived; `next` gives them.
    package func synchronize() throws(ClientError) { try waitForSync() }

    private func takeReady() -> Event? {
        guard readyTaken < ready.count else {
            ready.removeAll(keepingCapacity: true)
            readyTaken = 0
            return nil
        }
        readyTaken += 1
        return ready[readyTaken - 1]
    }

    /// Judges one update and queues the events that follow from it.
    private func take(_ update: ReceivedUpdate) {
        switch filter.judge(update) {
        case .apply:
            give(update)
            forgetIfEnded(update)
        case .stale:
            break
        case .gap(let missed):
            ready.append(.gap(topic: update.topic, missed: missed))
            giveAtBreak(update)
        case .restarted(let former):
            ready.append(.restarted(topic: update.topic, from: former, to: update.epoch))
            let isDaemons = update.session == nil
            if isDaemons || daemonEpoch(ofSession: former) != daemonEpoch(ofSession: update.epoch) {
                due = .everything
            }
            giveAtBreak(update)
        }
    }

    /// At a gap or a restart: the update, and then the snapshot of its session.
    private func giveAtBreak(_ update: ReceivedUpdate) {
        filter.show(update)
        give(update)
        forgetIfEnded(update)
        guard let session = update.session, scopes.contains(where: { $0 != .none }) else { return }
        switch due {
        case .everything: break
        case .sessions(let others): due = .sessions(others.union([session]))
        case nil: due = .sessions([session])
        }
    }

    private func give(_ update: ReceivedUpdate) {
        if prefixes.contains(where: { update.topic.hasPrefix($0) }) {
            ready.append(.update(update))
        }
    }

    private func forgetIfEnded(_ update: ReceivedUpdate) {
        guard update.topic.hasPrefix("session/"), let session = update.session,
            let event = update.content["event"]?.string
        else { return }
        if ["closed", "parked", "expired"].contains(event) { filter.forget(session: session) }
    }
}

extension Subscriber {
    /// Waits until the subscriptions are in force, then gives the snapshots of the sessions due.
    private func join(_ due: Due) throws(ClientError) {
        try waitForSync()
        var sessions: Set<String> = []
        switch due {
        case .sessions(let named):
            sessions = named
        case .everything:
            for case .session(let name) in scopes { sessions.insert(name) }
            if scopes.contains(.all) { sessions.formUnion(try control.sessions()) }
        }
        let names = sessions.sorted()
        var snapshots: [Int: Result<Node, ClientError>] = [:]
        try control.pipeline(
            "snapshot", names.map { [Node.Member("session", Node(.string($0)))] }
        ) { place, result in snapshots[place] = result }
        for (place, name) in names.enumerated() {
            switch snapshots[place] {
            case .success(let reply): show(reply)
            case .failure(.refused(code: "unknown-session", message: _)):
                filter.forget(session: name)
            case .failure(let error): throw error
            case nil: break
            }
        }
        self.due = nil
    }

    private func show(_ snapshot: Node) {
        for entry in snapshot["updates"]?.array ?? [] {
            guard let topic = entry["topic"]?.string, let content = entry["body"],
                prefixes.contains(where: { topic.hasPrefix($0) }),
                let update = ReceivedUpdate(topic: topic, content: content, body: content.json())
            else { continue }
            if filter.takeSnapshot(update) { ready.append(.update(update)) }
        }
    }

    /// The daemon answers a subscription to `sync/<nonce>` once all subscriptions before it are in
    /// force.
    private func waitForSync() throws(ClientError) {
        // A new connection sends its subscriptions in no order: the sync must follow it.
        try transport { () throws(ZeroMQError) in try link.revive() }
        guard link.hasKeys else {
            return try waitForSync(withinMilliseconds: timeoutMilliseconds)
        }
        // A client that may not read everything has an endpoint of its own, and a daemon refuses it
        // elsewhere without a word.
        do throws(ClientError) {
            return try waitForSync(
                withinMilliseconds: min(timeoutMilliseconds, Self.firstMilliseconds))
        } catch {
            guard error.isAbsence else { throw error }
        }
        let given = link.endpoint
        let hasMoved = try moveToOwnEndpoint()
        do throws(ClientError) {
            try waitForSync(withinMilliseconds: timeoutMilliseconds)
        } catch {
            // The ports that the daemon names may be others than those that are reached from here.
            if hasMoved { try transport { () throws(ZeroMQError) in try link.move(to: given) } }
            throw error
        }
    }

    private func waitForSync(withinMilliseconds limit: Int) throws(ClientError) {
        let topic = "sync/\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        try subscribe(topic)
        do throws(ClientError) {
            try waitForSync(topic, before: Deadline(milliseconds: limit))
        } catch {
            try unsubscribe(topic)
            throw error
        }
        try unsubscribe(topic)
    }

    private func waitForSync(
        _ topic: String, before deadline: Deadline
    ) throws(ClientError) {
        while true {
            guard let update = try receive(before: deadline) else {
                throw .noAnswer(endpoint: link.endpoint, milliseconds: timeoutMilliseconds)
            }
            if update.topic == topic {
                dropWaiting(beforeRun: update)
                break
            }
            if waiting.count - waitingTaken < Self.waitingMax {
                waiting.append(update)
            }
        }
    }

    /// Drops the updates that wait from a run that had ended before this sync.
    private func dropWaiting(beforeRun sync: ReceivedUpdate) {
        filter.begin(sync.epoch, of: nil)
        waiting = waiting[waitingTaken...].filter(filter.isOfNewestRun)
        waitingTaken = 0
    }

    private func subscribe(_ topic: String) throws(ClientError) {
        try transport { () throws(ZeroMQError) in
            try link.socket.set(.subscribe(Array(topic.utf8)))
        }
    }

    private func unsubscribe(_ topic: String) throws(ClientError) {
        try transport { () throws(ZeroMQError) in
            try link.socket.set(.unsubscribe(Array(topic.utf8)))
        }
    }

    /// The next message that is an update; nil if there is none before the deadline.
    private func receive(before deadline: Deadline?) throws(ClientError) -> ReceivedUpdate? {
        var poller = Poller()
        link.watch(in: &poller)
        let fault: HandshakeFault
        do throws(ZeroMQError) {
            while true {
                while let frames = try link.receiveMessage() {
                    lastHeard = .now
                    if frames.count == 2,
                        let update = ReceivedUpdate(topic: frames[0], body: frames[1])
                    {
                        return update
                    }
                }
                if let found = try link.check() {
                    fault = found
                    break
                }
                let rest = deadline?.milliseconds ?? -1
                if rest == 0 { return nil }
                try poller.wait(milliseconds: rest)
            }
        } catch {
            throw ClientError(error)
        }
        throw ClientError(fault, of: link)
    }

    /// Connects to the endpoint of updates that the daemon has for this client; returns whether it
    /// is another one than before.
    ///
    /// The daemon may be bound to all of its addresses, so the host stays and the port changes.
    private func moveToOwnEndpoint() throws(ClientError) -> Bool {
        let hello = try control.request("hello")
        let own = (hello["endpoints"]?["updates"]?.array ?? []).compactMap(\.string)
        let ports = own.compactMap(Endpoint.tcpPort(of:))
        guard let port = ports.first, let colon = link.endpoint.lastIndex(of: ":"),
            !ports.contains(where: { Endpoint.tcpPort(of: link.endpoint) == $0 })
        else { return false }
        let endpoint = "\(link.endpoint[...colon])\(port)"
        try transport { () throws(ZeroMQError) in try link.move(to: endpoint) }
        return true
    }
}
