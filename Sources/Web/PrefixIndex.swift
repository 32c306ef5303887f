/// The subscriptions of all clients: who gets a topic, and which prefixes the daemon must send.
///
/// A topic is looked up once for each length that a prefix has, however many clients there are.
package struct PrefixIndex<Client: Hashable & Sendable>: Sendable {
    private var clients: [[UInt8]: Set<Client>] = [:]
    /// How many prefixes have each length.
    private var lengths: [Int: Int] = [:]

    package init() {}

    /// Returns whether the prefix is new to all.
    package mutating func insert(_ prefix: [UInt8], for client: Client) -> Bool {
        let isNew = clients[prefix] == nil
        clients[prefix, default: []].insert(client)
        if isNew { lengths[prefix.count, default: 0] += 1 }
        return isNew
    }

    /// Returns whether nobody has the prefix any more.
    package mutating func remove(_ prefix: [UInt8], for client: Client) -> Bool {
        guard clients[prefix]?.remove(client) != nil, clients[prefix]?.isEmpty == true else {
            return false
        }
        clients[prefix] = nil
        lengths[prefix.count, default: 1] -= 1
        if lengths[prefix.count] == 0 { lengths[prefix.count] = nil }
        return true
    }

    /// The clients with a prefix of the topic, each once.
    package func clients(of topic: [UInt8]) -> Set<Client> {
        var found: Set<Client> = []
        for length in lengths.keys where length <= topic.count {
            guard let some = clients[Array(topic.prefix(length))] else { continue }
            if found.isEmpty { found = some } else { found.formUnion(some) }
        }
        return found
    }

    package var count: Int { clients.count }
    /// The sessions that a prefix names.
    package var sessions: Set<[UInt8]> { Set(clients.keys.compactMap(SessionTopic.name(in:))) }
    /// Whether somebody has the prefix.
    package func contains(_ prefix: [UInt8]) -> Bool { clients[prefix] != nil }
}
