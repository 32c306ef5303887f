/// The clients that belong: each with its name, its key and its grant.
package struct AccessList: Equatable, Sendable {
    package struct Client: Hashable, Sendable {
        /// The name of its certificate's file, without the ending.
        package let name: String
        package let key: CurveKey
        package let grant: Grant

        package init(name: String, key: CurveKey, grant: Grant) {
            self.name = name
            self.key = key
            self.grant = grant
        }
    }

    /// By their names, in order.
    package let clients: [Client]

    /// Nobody.
    package static let empty = AccessList([])

    /// Names and keys are different.
    package init(_ clients: [Client]) { self.clients = clients.sorted { $0.name < $1.name } }

    /// The groups of those that may not read everything, each once, in order.
    package var groups: [ReaderGroupKey] {
        var found: [ReaderGroupKey] = []
        for client in clients {
            guard let key = ReaderGroupKey(client.grant), !found.contains(key) else { continue }
            found.append(key)
        }
        return found
    }

    /// The clients of this list whose keys another list has too.
    package func keeping(keysOf other: AccessList) -> AccessList {
        let keys = Set(other.clients.map(\.key))
        return AccessList(clients.filter { keys.contains($0.key) })
    }

    /// Whether a client of another list is not here, or with another key or grant.
    package func lacksSome(of other: AccessList) -> Bool {
        !Set(clients).isSuperset(of: other.clients)
    }
}

/// The common property of clients that share an endpoint of updates: ZeroMQ cannot filter
/// subscriptions by client, so those that may read the same sessions read at a socket of their own.
package struct ReaderGroupKey: Hashable, Sendable {
    package let read: SessionPatterns
    /// Whether they may know the contacts that are down.
    package let touches: Bool
    /// Empty: the system chooses a port.
    package let endpoints: [String]

    /// Nil where it may read everything, or nothing.
    package init?(_ grant: Grant) {
        guard !grant.readsEverything, !grant.read.isEmpty else { return nil }
        read = grant.read
        touches = grant.touches
        endpoints = grant.updates
    }
}
