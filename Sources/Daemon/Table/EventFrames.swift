import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Sessions

/// An event's two frames where they were received; valid while the batch is performed.
@safe
struct EventFrames: ReceivedEvent {
    let topic: UnsafeRawBufferPointer
    let body: UnsafeRawBufferPointer
    /// The hash of the topic's session.
    let hash: StableHash
    /// The number of its client; 0: unknown.
    let publisher: UInt32

    init(
        topic: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, hash: StableHash,
        publisher: UInt32
    ) {
        unsafe self.topic = topic
        unsafe self.body = body
        self.hash = hash
        self.publisher = publisher
    }

    /// Where the topic names a session, even if the topic is wrong otherwise.
    var name: Range<Int>? { unsafe Topic.session(in: topic)?.range }

    /// Keeps it for those who tap.
    func tap(_ outcome: TapLog.Outcome, to log: TapLog) {
        unsafe log.record(topic, body, outcome)
    }

    func report(_ rejection: Rejection) -> RejectionReport {
        let topic = unsafe UpdateBody.excerpt(
            of: RawSpan(_unsafeBytes: topic), bytesMax: Name.topicBytesMax)
        let excerpt = unsafe UpdateBody.excerpt(
            of: RawSpan(_unsafeBytes: body), bytesMax: Limits.excerptBytesMax)
        return RejectionReport(rejection, topic: topic, excerpt: excerpt)
    }
}

/// The answer to a publisher that asked for one.
enum EventReceipt {
    case applied
    /// Applied, on the session's own topic; with the hit, nil for none.
    case hit(NamedHit?)
    case duplicate
    /// Applied, and it opened its session by the session's name.
    indirect case opening(EventReceipt)
    case refused(Rejection)
}

extension TapLog.Outcome {
    init(_ reception: Session.Reception) {
        switch reception {
        case .applied: self = .applied
        case .duplicate: self = .duplicate
        case .refused(let rejection), .suppressed(let rejection): self = .refused(rejection)
        }
    }
}

extension ByteBuffer {
    /// The member `hit`: null where nothing is hit.
    mutating func write(_ hit: NamedHit?) {
        key("hit")
        guard let hit else { return append("null") }
        append("{\"component\":")
        json(hit.component)
        key("view")
        json(hit.view)
        append("}")
    }
}
