import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Sessions

/// Reads events out of a batch: the decoder, and the bounds of reports.
struct EventIntake {
    let decoder = EventDecoder()
    var reporter: RejectionReporter

    /// An event's two frames where they were received; valid while the batch is performed.
    @safe
    struct Frames: ReceivedEvent {
        let topic: UnsafeRawBufferPointer
        let body: UnsafeRawBufferPointer
        /// The hash of the topic's session.
        let hash: StableHash

        init(
            topic: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, hash: StableHash? = nil
        ) {
            unsafe self.topic = topic
            unsafe self.body = body
            self.hash = unsafe hash ?? Topic.session(in: topic)?.hash ?? StableHash()
        }

        /// The session that the topic names, even if the topic is wrong otherwise.
        var session: StableHash? { unsafe Topic.session(in: topic)?.hash }

        func report(_ rejection: Rejection) -> RejectionReport {
            let topic = unsafe UpdateBody.excerpt(
                of: RawSpan(_unsafeBytes: topic), bytesMax: Name.topicBytesMax)
            let excerpt = unsafe UpdateBody.excerpt(
                of: RawSpan(_unsafeBytes: body), bytesMax: Limits.excerptBytesMax)
            return RejectionReport(rejection, topic: topic, excerpt: excerpt)
        }
    }

    /// The answer to a publisher that asked for one.
    enum Receipt {
        case applied
        case duplicate
        case refused(Rejection)
    }
}

extension Scene {
    /// The id of a component that these bytes spell, if it is too long for a string's own storage:
    /// a new string would allocate.
    func longID(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count > 15 else { return nil }
        return components.first { unsafe $0.id.isMade(of: bytes) }?.id
    }
}
