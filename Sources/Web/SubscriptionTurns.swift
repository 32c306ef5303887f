/// The prefixes that clients want and the daemon has not been told of, since all clients together
/// may begin only so many in a time.
///
/// Each client's wait in their order, and clients take turns: whatever others begin and end, a
/// newcomer has its next prefix after one of each of them. So many begin at a time that the owner
/// can do something else between.
package struct SubscriptionTurns<Client: Hashable & Sendable>: Sendable {
    /// How the turn of a prefix ended.
    package enum Outcome: Sendable {
        /// It is in force, or refused.
        case done
        /// Its client has had its part for now.
        case waits
        /// All clients together have.
        case allWait
    }

    private var lines: [Client: [[UInt8]]] = [:]
    /// Those with prefixes that wait; the first one is next.
    private var order: [Client] = []

    package init() {}

    package var isEmpty: Bool { order.isEmpty }
    package var count: Int { lines.values.reduce(0) { $0 + $1.count } }
    package func count(of client: Client) -> Int { lines[client]?.count ?? 0 }

    package func contains(_ prefix: [UInt8], of client: Client) -> Bool {
        lines[client]?.contains(prefix) == true
    }

    package mutating func add(_ prefix: [UInt8], of client: Client) {
        if lines[client] == nil { order.append(client) }
        lines[client, default: []].append(prefix)
    }

    /// Forgets a prefix that its client does not want any more. Returns whether it waited.
    package mutating func remove(_ prefix: [UInt8], of client: Client) -> Bool {
        guard let place = lines[client]?.firstIndex(of: prefix) else { return false }
        lines[client]?.remove(at: place)
        if lines[client]?.isEmpty == true { removeAll(of: client) }
        return true
    }

    package mutating func removeAll(of client: Client) {
        guard lines.removeValue(forKey: client) != nil else { return }
        order.removeAll { $0 == client }
    }

    /// Tries prefixes by turns, until so many have ended, all have to wait or none is left. Returns
    /// whether the rest has to wait, too; false: it may go on at once.
    package mutating func advance(
        atMost max: Int = .max, _ begin: (Client, [UInt8]) -> Outcome
    ) -> Bool {
        // Clients in a row that had their part.
        var waiting = 0
        var ended = 0
        while waiting < order.count {
            let client = order[0]
            guard ended < max else { return false }
            guard let prefix = lines[client]?.first else { return true }
            switch begin(client, prefix) {
            case .allWait: return true
            case .waits: waiting += 1
            case .done:
                waiting = 0
                ended += 1
                lines[client]?.removeFirst()
            }
            order.removeFirst()
            if lines[client]?.isEmpty == true { lines[client] = nil } else { order.append(client) }
        }
        return true
    }
}
