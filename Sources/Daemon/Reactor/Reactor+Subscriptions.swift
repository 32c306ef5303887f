import Geometry
import Sessions
import ZeroMQ

extension Reactor {
    /// Takes one subscription or its end, and tells the lanes what is wanted from now on.
    func subscription(_ prefix: String, isNew: Bool) throws(ZeroMQError) {
        let interest = SubscriptionBook.interest(of: prefix)
        let broadBefore = book.broadChannels
        if isNew {
            if !book.insert(prefix, interest) { counters.add(.subscriptionsUntracked) }
        } else {
            book.remove(prefix, interest)
        }
        warnOfMany(book.count)
        switch interest {
        case .sync(let nonce):
            if isNew { try publishSync(nonce) }
        case .session(let session, _, let topic):
            let lane = lane(for: StableHash(session))
            add(.interest(session: session, book.channels(of: session)), to: lane)
            if isNew { add(.answer(session: session, prefix: topic), to: lane) }
        case .broad, .other: break
        }
        let broad = book.broadChannels
        guard broad != broadBefore else { return }
        for lane in lanes.indices { add(.broadInterest(broad), to: lane) }
    }

    /// A subscriber can ask for any number of things, and each costs memory.
    private func warnOfMany(_ count: Int) {
        guard count >= subscriptionsWarning else { return }
        subscriptionsWarning *= 2
        operations.log.tell(
            .subscriptionsMany, "\(count) subscriptions; memory grows with their number")
    }
}
