import Geometry
import Notation
import Synchronization
import ZeroMQ

/// Subscriptions from the updates socket to the book, and from there to the lanes.
extension Reactor {
    /// Drains the subscriptions: their queue in the socket has no bound of its own.
    ///
    /// Under a flood the rest waits for the next round. The join rule holds all the same, since a
    /// subscriber asks only after the answer to the last of its subscriptions.
    func readSubscriptions() throws(ZeroMQError) {
        var isEmpty = false
        while !isEmpty, subscriptions.mayReadOne() {
            isEmpty = try !sockets.updates.receive(into: &frames.frame)
            if !isEmpty { try takeSubscription(of: nil) }
        }
        for group in sockets.groups {
            let areOthersEmpty = isEmpty
            isEmpty = false
            while !isEmpty, subscriptions.mayReadOne() {
                isEmpty = try !group.socket.receive(into: &frames.frame)
                if !isEmpty { try takeSubscription(of: group) }
            }
            isEmpty = isEmpty && areOthersEmpty
        }
        tellCounts()
        if isEmpty { traffic.connections.subscriptionsEmptied.wrappingAdd(1, ordering: .relaxed) }
        subscriptions.samples.set(
            subscribers: subscriptions.holders.connectionCount,
            mark: operations.configuration.sendHighWaterMark)
    }

    /// Takes the message that was received from the socket of a group; nil: the updates socket.
    private func takeSubscription(of group: ReaderGroup?) throws(ZeroMQError) {
        let bytes = frames.frame.bytes
        traffic.connections.accounted.add(
            traffic.bytes(of: frames.frame) + Limits.subscriptionFramingBytes,
            on: frames.frame.descriptor)
        guard !frames.frame.hasMore, let first = bytes.first, first <= 1 else {
            return noteSurplus(1)
        }
        let prefix = SubscriptionBook.key(bytes.dropFirst())
        let interest = SubscriptionBook.interest(of: prefix)
        let sender = frames.frame.sender
        guard let group else {
            return try apply(prefix, interest, isNew: first == 1, by: sender, of: nil)
        }
        let isAuthorized = group.mayRead(interest)
        // libzmq holds it all the same, so it counts; nothing is ever sent for it.
        if first == 1, !isAuthorized { countUnauthorized(sender?.client ?? -1) }
        let key = SubscriptionBook.key(prefix, group: group.number, isAuthorized: isAuthorized)
        try apply(
            key, isAuthorized ? interest : .other, isNew: first == 1, by: sender, of: group)
    }

    func countUnauthorized(_ client: Int) {
        counters.add(.unauthorized)
        clients.countUnauthorized(client)
    }

    /// Forgets the subscriptions of groups that end, as if each of their connections had.
    func forget(_ groups: [ReaderGroup]) {
        for group in groups {
            for key in subscriptions.close(group: group.number) {
                let interest = SubscriptionBook.interest(ofTagged: key)
                guard case .session(let session, _, _) = interest else { continue }
                noteInterest(in: session, isBeginning: interest.isBeginning)
            }
        }
        work.addToAll(.task(BroadInterestTask(channels: subscriptions.book.broadChannels)))
        tellCounts()
    }

    /// Tells lanes of sessions that have very many subscribers, or have them no more.
    private func tellCounts() {
        for task in subscriptions.takeCountChanges() { work.addToAll(.task(task)) }
    }

    /// Applies one subscription or its end, and tells the lanes what is wanted from now on.
    private func apply(
        _ key: String, _ interest: SubscriptionBook.Interest, isNew: Bool, by sender: Sender?,
        of group: ReaderGroup?
    ) throws(ZeroMQError) {
        let broadBefore = subscriptions.book.broadChannels
        let isChanged = subscriptions.apply(
            key, interest, isNew: isNew, by: sender, group: group?.number ?? 0)
        if let sender, subscriptions.isFlood(from: sender, at: Clock.monotonic()) {
            cut(sender, .tooManySubscriptionsSent)
        }
        if isNew, let excessive = subscriptions.nextToCut(after: sender) {
            cut(excessive, .tooManySubscriptionsHeld)
        }
        if isNew, let count = subscriptions.countToWarnOf() {
            operations.log.write(
                .subscriptionsMany, "\(count) subscriptions; memory grows with their number")
        }
        let isAnswered = isNew && !subscriptions.holders.isCut(sender)
        switch interest {
        case .sync(let nonce):
            if isAnswered { try ownUpdates.sendSync(nonce, counters, to: sockets, group: group) }
        case .session(let session, _, let topic):
            if isChanged { noteInterest(in: session, isBeginning: interest.isBeginning) }
            // A group may read some session whose name begins so, and not the one of that name.
            if isAnswered, group?.mayRead(session) ?? true {
                place(.answer(prefix: topic), of: session)
            }
        case .broad, .other: break
        }
        let broad = subscriptions.book.broadChannels
        if broad != broadBefore { work.addToAll(.task(BroadInterestTask(channels: broad))) }
    }

    /// Tells what is wanted of a session from now on: its lane, or in a cluster every lane, for the
    /// session may come to any of them. The beginning of names concerns every lane, too.
    private func noteInterest(in session: String, isBeginning: Bool) {
        let interest = LaneWork.task(
            SessionInterestTask(
                session: session, channels: subscriptions.book.channels(of: session),
                ofBeginning: subscriptions.book.channels(ofBeginning: session)))
        if work.cluster == nil, !isBeginning {
            work.add(interest, to: work.choice.lane(of: session))
        } else {
            work.addToAll(interest)
        }
    }

    private func cut(_ sender: Sender, _ reason: ConnectionCutter.Reason) {
        cut(sender.descriptor, at: sockets.updatesPorts, reason)
    }
}
