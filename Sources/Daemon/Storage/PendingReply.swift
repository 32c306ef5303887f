import Interactions
import Membership
import Protocol
import Sessions

/// A request whose change is not durable yet, and what its publisher is told once it is.
enum PendingReply: Sendable {
    case peer(Envelope, Answer)
    /// A part of the daemon waits: it is told whether the commit is durable.
    case daemon(@Sendable (Bool) -> Void)

    enum Answer: Sendable {
        case done
        case duplicate
        /// The request did nothing, because of something that had to be durable first.
        case refused(Rejection)
        case hit(NamedHit?)
        /// The event opened its session.
        indirect case opening(Answer)
        /// `scene` is the scene's text as JSON, if it was asked for.
        case opened(isNew: Bool, epoch: String, scene: [UInt8]? = nil)

        /// The answer to an event.
        init(_ receipt: EventReceipt) {
            switch receipt {
            case .applied: self = .done
            case .hit(let hit): self = .hit(hit)
            case .duplicate: self = .duplicate
            case .opening(let inner): self = .opening(Self(inner))
            case .refused(let rejection): self = .refused(rejection)
            }
        }

        func write(into buffer: inout ByteBuffer) {
            switch self {
            case .done, .refused: break
            case .duplicate:
                buffer.key("duplicate")
                buffer.json(true)
            case .hit(let hit): buffer.write(hit)
            case .opening(let inner):
                inner.write(into: &buffer)
                buffer.key("created")
                buffer.json(true)
            case .opened(let isNew, let epoch, let scene):
                buffer.key("created")
                buffer.json(isNew)
                buffer.key("epoch")
                buffer.json(epoch)
                if let scene {
                    buffer.key("scene")
                    buffer.append(scene)
                }
            }
        }
    }

    static let moved = Rejection.moved(
        "another member of the cluster has taken the session over",
        owner: MemberRow?.none.json)
    static let notKnownDurable = Rejection(
        .internal, "it is not known to be durable; send it again")
}

extension Chunk {
    func reply(to envelope: Envelope, _ answer: PendingReply.Answer) {
        if case .refused(let rejection) = answer { return refuse(envelope, rejection) }
        reply(to: envelope) { answer.write(into: &$0) }
    }

    /// Answers what waited for one commit.
    func reply(to replies: [PendingReply], _ outcome: CommitOutcome) {
        for pending in replies {
            switch (pending, outcome) {
            case (.peer(let envelope, let answer), .durable): reply(to: envelope, answer)
            case (.peer(let envelope, _), .failed):
                refuse(envelope, PendingReply.notKnownDurable)
            case (.peer(let envelope, _), .notOwner): refuse(envelope, PendingReply.moved)
            case (.daemon(let take), _): take(outcome == .durable)
            }
        }
    }
}
