import Interactions
import Membership
import Notation
import Protocol

/// `locate`: the member of the cluster at which a session lives, or would.
struct LocateRequest: ControlRequest {
    static let operation = "locate"

    let session: String

    var right: RequestRight { .locating(session) }

    /// A client asks for `-` where it has an event whose topic names no session.
    init(_ fields: RequestFields) throws(Rejection) {
        session = try fields.session(mayBeFormer: true)
    }

    func submit(_ envelope: Envelope, to reactor: Reactor) {
        reactor.answer(envelope) { reply(to: envelope.client, from: reactor, into: &$0) }
    }

    private func reply(to client: Int, from reactor: Reactor, into buffer: inout ByteBuffer) {
        let map = reactor.clusterMap(for: client)
        let shard = reactor.shard(of: session)
        buffer.key("session")
        buffer.json(session)
        buffer.key("shard")
        buffer.json(shard)
        buffer.key("version")
        buffer.json(map.version)
        buffer.key("here")
        buffer.json(map.isMine(shard))
        buffer.key("owner")
        buffer.json(map.owner(of: shard))
    }
}
