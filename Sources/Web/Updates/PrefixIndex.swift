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

    /// The prefixes of one client.
    private struct Held {
        var all = SortedPrefixes()
        /// Those at which it stands: none of them is the beginning of another one.
        var shortest = SortedPrefixes()
    }

    private var holders: [ByteKey: Holders] = [:]
    private var held: [Client: Held] = [:]
    /// How many prefixes have each length.
    private var lengths: [Int: Int] = [:]

    package init() {}

    /// Returns whether the prefix is new to all.
    package mutating func insert(_ prefix: [UInt8], for client: Client) -> Bool {
        let isNew = holders[ByteKey(prefix)] == nil
        guard held[client, default: Held()].all.insert(prefix) else { return isNew }
        if isNew { lengths[prefix.count, default: 0] += 1 }
        holders[ByteKey(prefix), default: Holders()].count += 1
        cover(prefix, for: client)
        return isNew
    }

    /// Lets the client stand at a new prefix, and not at those that it is shorter than, unless
    /// another one is shorter.
    private mutating func cover(_ prefix: [UInt8], for client: Client) {
        guard held[client]?.shortest.aloneCovers(prefix) == false else { return }
        for other in held[client]?.shortest.removeAll(beginningWith: prefix) ?? [] {
            holders[ByteKey(other)]?.shortest.remove(client)
        }
        stand(client, at: prefix)
    }

    private mutating func stand(_ client: Client, at prefix: [UInt8]) {
        _ = held[client]?.shortest.insert(prefix)
        holders[ByteKey(prefix)]?.shortest.insert(client)
    }

    /// Returns whether no client has the prefix any more.
    package mutating func remove(_ prefix: [UInt8], for client: Client) -> Bool {
        guard held[client]?.all.remove(prefix) == true else { return false }
        if held[client]?.shortest.remove(prefix) == true {
            holders[ByteKey(prefix)]?.shortest.remove(client)
            // It stands at those that the removed one was shorter than.
            for one in held[client]?.all.shortest(beginningWith: prefix) ?? [] {
                stand(client, at: one)
            }
        }
        if held[client]?.all.isEmpty == true { held[client] = nil }
        return drop(prefix)
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
        let gone = held.removeValue(forKey: client)?.all.all ?? []
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
    /// Whether any client has the prefix.
    package func contains(_ prefix: [UInt8]) -> Bool { holders[ByteKey(prefix)] != nil }
    /// How many prefixes a client has.
    package func count(of client: Client) -> Int { held[client]?.all.all.count ?? 0 }
    /// Whether a client has a prefix itself.
    package func contains(_ prefix: [UInt8], of client: Client) -> Bool {
        held[client]?.all.contains(prefix) == true
    }
}
