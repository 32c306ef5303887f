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

    /// A daemon that is there sends a heartbeat each second. Nothing says that the endpoint of a
    /// group is gone.
    private static let momentMilliseconds = 1_000
    private static let silence = Duration.seconds(3)
    /// Every subscriber watches the heartbeat, to notice a daemon that restarted.
    private static let heartbeat = "heartbeat"
    /// Sessions whose snapshots are asked for and kept at once. The user has them before the next
    /// ones are asked for.
    private static let snapshotsAtOnceMax = 64

    /// The updates of one daemon, or of all members of a cluster.
    private let updateSocket: UpdateSocket?
    private let memberSockets: MemberUpdateSockets?
    private let control: Control
    private let timeoutMilliseconds: Int
    private let prefixes: [String]
    private let scopes: Set<SnapshotScope>
    private var filter = UpdateFilter()
    /// Events that `next` gives before it reads on.
    private var ready: [Event] = []
    private var readyTaken = 0
    /// Updates that were received before the sync or before a snapshot.
    private var waiting = WaitingUpdates()
    /// The sessions to join before anything else is read.
    private var due: Due?
    /// The sessions of the join under way whose snapshots are still to be asked for, the next one
    /// last.
    private var unjoined: [String] = []

    private enum Due {
        case everything
        case sessions(Set<String>)
    }

    init(_ connection: Connection, prefixes: [String]) throws(ClientError) {
        self.prefixes = prefixes
        scopes = Set(prefixes.map(SnapshotScope.init(prefix:)))
        timeoutMilliseconds = connection.timeoutMilliseconds
        control = try connection.control()
        var topics = prefixes + [Self.heartbeat]
        // The end of a session comes there, and in a cluster the event `moved`.
        topics += scopes.compactMap(\.sessionTopic).filter { topic in
            !topics.contains { topic.hasPrefix($0) }
        }
        if connection.endpoints.seeds.isEmpty {
            updateSocket = try UpdateSocket(connection, topics: topics)
            memberSockets = nil
        } else {
            updateSocket = nil
            memberSockets = MemberUpdateSockets(connection, control, topics: topics)
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
            if due != nil { try join() }
            if !unjoined.isEmpty {
                try joinNext()
                continue
            }
            if let update = waiting.takeFirst() {
                take(update)
                continue
            }
            if !ready.isEmpty { continue }
            if let update = try receiveOrRejoin(before: deadline) {
                take(update)
            } else if due == nil {
                return nil
            }
        }
    }

    /// The next update; nil where none came in time, or where it has to join again first: the
    /// daemon may let it in no more, or at another endpoint; or a member came or went.
    private func receiveOrRejoin(
        before deadline: Deadline?
    ) throws(ClientError) -> ReceivedUpdate? {
        if let memberSockets { return try receive(of: memberSockets, before: deadline) }
        guard let updateSocket else { return nil }
        while true {
            let isLast =
                !updateSocket.hasKeys
                || deadline.map { $0.milliseconds <= Self.momentMilliseconds } == true
            let moment = Deadline(milliseconds: Self.momentMilliseconds)
            do throws(ClientError) {
                let update = try updateSocket.receive(before: isLast ? deadline : moment)
                // Updates in between are lost, and a session that rests shows no gap.
                if updateSocket.takeReturn() { due = .everything }
                if update != nil || due != nil { return update }
            } catch {
                guard case .handshake = error else { throw error }
                due = .everything
                return nil
            }
            if updateSocket.hasKeys, .now - updateSocket.lastHeard > Self.silence {
                updateSocket.lastHeard = .now
                due = .everything
                return nil
            }
            if isLast { return nil }
        }
    }

    private func receive(
        of memberSockets: MemberUpdateSockets, before deadline: Deadline?
    ) throws(ClientError) -> ReceivedUpdate? {
        let update = try memberSockets.receive(before: deadline)
        switch memberSockets.takeNews() {
        case .everything: due = .everything
        case .sessions(let sessions) where scopes.contains(where: { $0 != .none }):
            add(due: sessions)
        case .sessions, nil: break
        }
        return update
    }

    /// Whether it has joined, and given everything that the join and the daemon's updates have told
    /// so far.
    package var isCaughtUp: Bool {
        due == nil && unjoined.isEmpty && readyTaken >= ready.count && waiting.isEmpty
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
        add(due: [session])
    }

    private func add(due sessions: Set<String>) {
        switch due {
        case .everything: break
        case .sessions(let others): due = .sessions(others.union(sessions))
        case nil: due = .sessions(sessions)
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
    /// Waits until the subscriptions are in force, then notes the sessions due.
    private func join() throws(ClientError) {
        if let memberSockets, case .everything = due {
            try memberSockets.refresh()
            filter.isOfCluster = memberSockets.isCluster
        }
        try waitForSync()
        var sessions: Set<String> = []
        switch due {
        case .sessions(let named):
            sessions = named
        case .everything:
            for case .session(let name) in scopes { sessions.insert(name) }
            if scopes.contains(.all) { sessions.formUnion(try control.sessions()) }
        case nil: break
        }
        unjoined = sessions.union(unjoined).sorted().reversed()
        due = nil
    }

    /// Gives the snapshots of the next sessions of the join under way.
    ///
    /// Only a session that was named makes the join fail where it cannot be read: another one may
    /// be one of very many.
    private func joinNext() throws(ClientError) {
        let names = Array(unjoined.suffix(Self.snapshotsAtOnceMax).reversed())
        var snapshots: [Int: Result<Node, ClientError>] = [:]
        try control.pipeline(
            "snapshot", names.map { [Node.Member("session", Node(.string($0)))] }
        ) { place, result in snapshots[place] = result }
        for (place, name) in names.enumerated() {
            switch snapshots[place] {
            case .success(let reply): show(reply)
            case .failure(.refused(code: "unknown-session", message: _)):
                filter.forget(session: name)
            case .failure(.refused(let code, message: _))
            where code != "busy" && !scopes.contains(.session(name)): break
            case .failure(let error): throw error
            case nil: break
            }
        }
        unjoined.removeLast(names.count)
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
        if let memberSockets {
            try memberSockets.synchronize(keeping: &waiting)
        } else if let updateSocket {
            let sync = try updateSocket.synchronize(control, keeping: &waiting)
            // Noticed only now: the join under way makes it good, so no second one need follow.
            if sync.hasReturned { due = .everything }
            dropWaiting(beforeRun: sync.update)
        }
    }

    /// Drops the updates that wait from a run that had ended before this sync.
    private func dropWaiting(beforeRun sync: ReceivedUpdate) {
        filter.begin(sync.epoch, of: nil)
        waiting.keepOnly(filter.isOfNewestRun)
    }
}
