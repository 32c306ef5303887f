import Interactions
import Protocol
import Sessions

/// A request whose change is not durable yet, and what its publisher is told once it is.
struct PendingReply: Sendable {
    enum Answer: Sendable {
        case done
        case duplicate
        case opened(isNew: Bool, epoch: String)
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
            case .opened(let isNew, let epoch):
                buffer.key("created")
                buffer.json(isNew)
                buffer.key("epoch")
                buffer.json(epoch)
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
