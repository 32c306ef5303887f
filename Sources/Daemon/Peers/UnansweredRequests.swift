import Interactions
import Notation

/// The requests that were read and whose replies have not left yet.
struct UnansweredRequests {
    private(set) var count = 0
    var replies = WaitingReplies()
    var paced = PacedReplies()
    var peers = KeptPeers()
    /// Those of them that are publishes, by session.
    private var publishes: [NameKey: Int] = [:]

    /// Whether more requests may be read.
    var haveRoom: Bool { count < Limits.requestsUnansweredMax }

    mutating func addRequest() { count += 1 }

    /// Counts a publish of a session; throws `busy` where too many are unanswered.
    mutating func addPublish(of session: NameKey) throws(Rejection) {
        guard publishes[session, default: 0] < Limits.publishesUnansweredMax else {
            throw Rejection(
                .busy,
                "\(Limits.publishesUnansweredMax) publishes of this session are unanswered")
        }
        publishes[session, default: 0] += 1
    }

    /// The reply to a request leaves.
    mutating func remove(_ envelope: borrowing Envelope) {
        count -= 1
        guard let session = envelope.publishes, let count = publishes[session] else { return }
        publishes[session] = count > 1 ? count - 1 : nil
    }
}

extension Limits {
    /// Requests that wait for lanes' answers; beyond it no requests are read.
    static let requestsUnansweredMax = 8_192
    /// Unanswered `publish` requests of one session.
    static let publishesUnansweredMax = 512
}
