import Interactions
import Protocol
import Sessions

/// A request whose change is not durable yet, and what its publisher is told once it is.
struct PendingReply: Sendable {
    enum Answer: Sendable {
        case done
        case duplicate
        case hit(HitAnswer?)
        /// `scene` is the scene's text as JSON, if it was asked for.
        case opened(isNew: Bool, epoch: String, scene: [UInt8]? = nil)
    }

    var envelope: Envelope
    var answer: Answer

    static let notKnownDurable = Rejection(
        .internal, "it is not known to be durable; send it again")
}

extension Chunk {
    func reply(to envelope: Envelope, _ answer: PendingReply.Answer) {
        reply(to: envelope) { buffer in
            switch answer {
            case .done: break
            case .duplicate:
                buffer.key("duplicate")
                buffer.json(true)
            case .hit(let hit): buffer.write(hit)
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

    /// Answers what waited for one commit.
    func reply(to replies: [PendingReply], _ outcome: CommitOutcome) {
        for pending in replies {
            switch outcome {
            case .durable: reply(to: pending.envelope, pending.answer)
            case .failed, .notOwner: refuse(pending.envelope, PendingReply.notKnownDurable)
            }
        }
    }
}
