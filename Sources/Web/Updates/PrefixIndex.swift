/// The subscriptions of all clients: who gets a topic, and which prefixes the daemon must send.
///
/// A topic is looked up once for each length that a prefix has, however many clients there are. A
/// client stands at the shortest of its prefixes of a topic alone, so that it is found once.
package struct PrefixIndex<Client: Hashable & Sendable>: Sendable {
    private struct Holders {
        /// Clients that have the prefix.
        var count = 0
        /// Those of them that have no shorter one of it.
        var shortest: Set<Client> = []
    }

    private var holders: [ByteKey: Holders] = [:]
    private var held: [Client: Set<[UInt8]>] = [:]
    /// How many prefixes have each length.
    private var lengths: [Int: Int] = [:]

    package init() {}

    /// Returns whether the prefix is new to all.
    package mutating func insert(_ prefix: [UInt8], for client: Client) -> Bool {
        let isNew = holders[ByteKey(prefix)] == nil
        if held[client]?.contains(prefix) == true { return isNew }
        if isNew { lengths[prefix.count, default: 0] += 1 }
        holders[ByteKey(prefix), default: Holders()].count += 1
        cover(prefix, for: client)
        held[client, default: []].insert(prefix)
        return isNew
    }

    /// Lets the client stand at a new prefix, and not at those that it is shorter than, unless
    /// another one is shorter.
    private mutating func cover(_ prefix: [UInt8], for client: Client) {
        let others = held[client] ?? []
        if Self.covers(others, prefix) { return }
        for other in others where Self.covers(prefix, other) {
            holders[ByteKey(other)]?.shortest.remove(client)
        }
        holders[ByteKey(prefix)]?.shortest.insert(client)
    }

    private static func covers(_ shorter: [UInt8], _ longer: [UInt8]) -> Bool {
        shorter.count < longer.count && longer.starts(with: shorter)
    }

    private static func covers(_ some: some Sequence<[UInt8]>, _ longer: [UInt8]) -> Bool {
        some.contains { covers($0, longer) }
    }

    /// Returns whether no client has the prefix any more.
    package mutating func remove(_ prefix: [UInt8], for client: Client) -> Bool {
        guard held[client]?.remove(prefix) != nil else { return false }
        if holders[ByteKey(prefix)]?.shortest.remove(client) != nil { uncover(prefix, for: client) }
        if held[client]?.isEmpty == true { held[client] = nil }
        return drop(prefix)
    }

    /// Lets the client stand at those of its prefixes that a removed one was shorter than.
    private mutating func uncover(_ prefix: [UInt8], for client: Client) {
        var shortest: [[UInt8]] = []
        let longer = (held[client] ?? []).filter { Self.covers(prefix, $0) }
        for one in longer.sorted(by: { $0.count < $1.count }) where !Self.covers(shortest, one) {
            shortest.append(one)
            holders[ByteKey(one)]?.shortest.insert(client)
        }
    }

    /// Counts one holder less. Returns whether that was the last one.
    private mutating func drop(_ prefix: [UInt8]) -> Bool {
        holders[ByteKey(prefix)]?.count -= 1
        guard holders[ByteKey(prefix)]?.count == 0 else { return false }
        holders[ByteKey(prefix)] = nil
        lengths[prefix.count, default: 1] -= 1
        if lengths[prefix.count] == 0 { lengths[prefix.count] = nil }
        return true
    }

    /// Removes all prefixes of a client. Returns them, and of each whether no client has it any
    /// more.
    package mutating func removeAll(of client: Client) -> [(prefix: [UInt8], isLast: Bool)] {
        let gone = held.removeValue(forKey: client) ?? []
        return gone.map { prefix in
            holders[ByteKey(prefix)]?.shortest.remove(client)
            return (prefix, drop(prefix))
        }
    }

    /// The clients with a prefix of the topic, each in one of the sets.
    package func clients(of topic: [UInt8]) -> [Set<Client>] {
        var found: [Set<Client>] = []
        for length in lengths.keys where length <= topic.count {
            if let some = holders[ByteKey(Array(topic.prefix(length)))]?.shortest, !some.isEmpty {
                found.append(some)
            }
        }
        return found
    }

    package var count: Int { holders.count }
    /// The sessions that a prefix names.
    package var sessions: Set<[UInt8]> {
        Set(holders.keys.compactMap { SessionTopic.name(in: $0.bytes) })
    }
    /// Whether a client has the prefix.
    package func contains(_ prefix: [UInt8]) -> Bool { holders[ByteKey(prefix)] != nil }
    /// The prefixes of a client.
    package func prefixes(of client: Client) -> Set<[UInt8]> { held[client] ?? [] }
}
