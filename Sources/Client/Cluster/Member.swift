package import Notation
import Protocol

/// One daemon of a cluster, with the addresses at which clients reach it.
public struct Member: Hashable, Sendable {
    /// Its name in the configuration; empty for a daemon that is in no cluster.
    public var name: String
    /// The epoch of its run: daemon-wide updates carry it.
    public var daemon: String
    /// The addresses of its sockets.
    public var endpoints: Endpoints

    /// Members that a client connects to; more are left out. Each takes a few sockets.
    package static let membersMax = 64

    package init(name: String, daemon: String, endpoints: Endpoints) {
        self.name = name
        self.daemon = daemon
        self.endpoints = endpoints
    }

    /// Nil where the object lacks the epoch or an address. `seed` is the address that named it.
    package init?(_ node: Node?, seed: String) {
        func address(_ key: String) -> String? {
            let all = (node?[key]?.array ?? []).compactMap(\.string)
            guard let found = all.first(where: { $0.hasPrefix("tcp://") }) ?? all.first
            else { return nil }
            return Self.reachable(found, seed: seed)
        }
        guard let daemon = node?["daemon"]?.string, let events = address("events"),
            let updates = address("updates"), let control = address("control")
        else { return nil }
        name = node?["name"]?.string ?? ""
        self.daemon = daemon
        endpoints = Endpoints(
            events: events, updates: updates, control: control, push: address("push"))
    }

    /// The members in an answer of `members` that serve sessions, or may soon.
    package static func list(_ reply: Node, seed: String) -> [Member] {
        let entries = (reply["members"]?.array ?? []).filter { $0["state"]?.string != "gone" }
        return Array(entries.compactMap { Member($0, seed: seed) }.prefix(membersMax))
    }

    /// Whether an answer of `locate` or `members` is of a cluster: its map has a version above 0.
    package static func isCluster(_ reply: Node) -> Bool { reply["version"]?.int ?? 0 > 0 }

    /// The address of a daemon that is bound to all of its own: the host that was reached.
    private static func reachable(_ address: String, seed: String) -> String {
        let isBoundToAll = ["tcp://*:", "tcp://0.0.0.0:", "tcp://[::]:"]
            .contains(where: address.hasPrefix)
        guard isBoundToAll, let colon = address.lastIndex(of: ":") else { return address }
        let host =
            seed.hasPrefix("tcp://") ? seed.lastIndex(of: ":").map { seed[..<$0] } : nil
        return "\(host ?? "tcp://127.0.0.1")\(address[colon...])"
    }
}

/// Where a session is, as a daemon says.
public struct Location: Hashable, Sendable {
    /// The daemon that has the session; nil: nobody has it yet. Ask again after 100 ms.
    public var owner: Member?
    /// Whether the daemon that was asked has it.
    public var isHere: Bool
    /// The part of the cluster's sessions that it is of; 0 without a cluster.
    public var shard: Int
    /// The version of the cluster's map, which only grows; 0 without a cluster.
    public var version: Int
}

extension Control {
    /// The daemon that has a session. Throws as ``request(_:fields:)-(_,[UInt8])`` does.
    public func locate(_ session: String) throws(ClientError) -> Location {
        let reply = try request(
            "locate", [Node.Member("session", Node(.string(session)))], tries: Self.triesMax)
        return Location(
            owner: Member(reply["owner"], seed: seed), isHere: reply["here"]?.bool ?? false,
            shard: reply["shard"]?.int ?? 0, version: reply["version"]?.int ?? 0)
    }

    /// The daemons of the cluster, or the only one. Throws as ``request(_:fields:)-(_,[UInt8])``
    /// does.
    public func members() throws(ClientError) -> [Member] {
        Member.list(try request("members", tries: Self.triesMax), seed: seed)
    }
}
