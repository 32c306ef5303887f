import Interactions
import Membership
import Protocol

extension Reactor {
    /// The cluster's name for itself; nil: there is none.
    var clusterTag: String? { work.cluster?.tag }

    /// The shard in which a session stands.
    func shard(of session: String) -> Int { work.cluster?.shard(of: session) ?? 0 }

    /// Members and owners. A daemon by itself is one of one member with one shard, and tells each
    /// client the endpoints that `hello` does.
    func clusterMap(for client: Int) -> ClusterMap {
        if let cluster = work.cluster { return cluster.map }
        let alone = MemberRow(
            id: 0, instance: "", name: operations.configuration.memberName,
            daemon: operations.settings.epoch,
            endpoints: MemberEndpoints(
                events: sockets.eventsEndpoints, push: sockets.pushEndpoints,
                updates: updatesEndpoints(of: client), control: sockets.controlEndpoints),
            weight: 1, state: .live, isLate: false)
        return ClusterMap(member: alone.id, version: 0, members: [alone], owners: [alone.id])
    }
}

extension Rejection {
    /// The refusal of a request whose session is at another member; nil: it is at nobody now.
    static func moved(_ session: String, _ owner: MemberRow?) -> Rejection {
        .moved(
            owner.map { "\(session) is at \($0.name)" }
                ?? "\(session) is at no member at this moment",
            owner: owner.json)
    }
}

extension MemberRow? {
    /// The `owner` of replies and updates.
    var json: [UInt8] {
        var buffer = ByteBuffer(capacity: 256)
        buffer.json(self)
        return buffer.array()
    }
}

extension ByteBuffer {
    /// A member as `owner` has it; null: there is none.
    mutating func json(_ member: MemberRow?) {
        guard let member else { return append("null") }
        beginMember(member)
        append("}")
    }

    /// The description of a member, to the end of what it always has.
    mutating func beginMember(_ member: MemberRow) {
        append("{\"name\":")
        json(member.name)
        key("daemon")
        json(member.daemon)
        key("events")
        json(member.endpoints.events)
        key("push")
        json(member.endpoints.push)
        key("updates")
        json(member.endpoints.updates)
        key("control")
        json(member.endpoints.control)
    }
}
