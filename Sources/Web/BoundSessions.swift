import Notation

/// The sessions that live as long as a page: once no connection binds one any more, and none has
/// come back in time, it is to be closed.
package struct BoundSessions<Client: Hashable & Sendable>: Sendable {
    /// The clients that bind each session; none: the last one has gone.
    private var owners: [String: Set<Client>] = [:]
    /// When the sessions that no client binds are to be closed, in nanoseconds.
    private var deadlines: [String: Int] = [:]
    private var names: [Client: Set<String>] = [:]

    package init() {}

    /// How many sessions are bound, with those that wait to be closed.
    package var count: Int { owners.count }

    /// Whether a client binds it.
    package func isHeld(_ name: String) -> Bool { owners[name]?.isEmpty == false }

    /// Returns the bound that stands against it; nil: it is bound.
    package mutating func bind(_ name: String, to client: Client) -> String? {
        if names[client]?.contains(name) == true { return nil }
        guard (names[client]?.count ?? 0) < Limits.webBoundSessionsMax else {
            return "a client binds at most limit_bound_sessions \(Limits.webBoundSessionsMax)"
        }
        names[client, default: []].insert(name)
        owners[name, default: []].insert(client)
        deadlines[name] = nil
        return nil
    }

    /// The client gives the session up: it stays for as long as others want it, or for ever.
    package mutating func unbind(_ name: String, from client: Client) {
        guard names[client]?.remove(name) != nil else { return }
        owners[name]?.remove(client)
        forget(name)
    }

    /// The client is gone. Its sessions wait until the deadline for another one that binds them.
    package mutating func leave(_ client: Client, until deadline: Int) {
        for name in names.removeValue(forKey: client) ?? [] {
            owners[name]?.remove(client)
            wait(for: name, until: deadline)
        }
        if deadlines.count > Limits.webLeftSessionsMax { forgetOldest() }
    }

    /// Forgets the sessions that have waited longest, so that those who come and go without end
    /// leave room to others. They are not closed, and stay as sessions that nobody binds.
    private mutating func forgetOldest() {
        // Some more than must be, so that they are seldom put in order.
        let count = deadlines.count - Limits.webLeftSessionsMax * 7 / 8
        for (name, _) in deadlines.sorted(by: { $0.value < $1.value }).prefix(count) {
            forget(name)
        }
    }

    /// The sessions whose time is over.
    package func late(at now: Int) -> [String] {
        deadlines.filter { $0.value <= now }.map(\.key)
    }

    /// Gives a session that no client binds another deadline.
    package mutating func wait(for name: String, until deadline: Int) {
        if owners[name]?.isEmpty == true { deadlines[name] = deadline }
    }

    /// The session is not to be closed any more, unless a client binds it again.
    package mutating func forget(_ name: String) {
        guard owners[name]?.isEmpty == true else { return }
        owners[name] = nil
        deadlines[name] = nil
    }
}
