import Interactions
import Membership
import Notation
import Protocol

/// `members`: the daemons of the cluster, as this one knows them.
struct MembersRequest: ControlRequest {
    static let operation = "members"

    var right: RequestRight { .general }

    init(_ fields: RequestFields) {}

    func submit(_ envelope: Envelope, to reactor: Reactor) {
        reactor.answer(envelope) { reply(to: envelope.client, from: reactor, into: &$0) }
    }

    private func reply(to client: Int, from reactor: Reactor, into buffer: inout ByteBuffer) {
        let map = reactor.clusterMap(for: client)
        var owned: [Int: Int] = [:]
        for case let owner? in map.owners { owned[owner, default: 0] += 1 }
        buffer.key("cluster")
        buffer.json(reactor.clusterTag)
        buffer.key("shards")
        buffer.json(map.owners.count)
        buffer.key("version")
        buffer.json(map.version)
        buffer.key("members")
        buffer.append("[")
        for (index, member) in map.members.enumerated() {
            if index > 0 { buffer.append(",") }
            buffer.beginMember(member)
            buffer.key("state")
            buffer.json(member.state.rawValue)
            buffer.key("weight")
            buffer.json(member.weight)
            buffer.key("shards")
            buffer.json(owned[member.id] ?? 0)
            buffer.append("}")
        }
        buffer.append("]")
    }
}
