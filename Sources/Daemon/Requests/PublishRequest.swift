import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Sessions

/// `publish`: one event, answered once it is applied and stored.
///
/// The lane receives it as any other event, by its bytes.
struct PublishRequest: ControlRequest {
    static let operation = "publish"

    private let topic: String
    private let body: ArraySlice<UInt8>

    /// A topic without a session is refused for that.
    var right: RequestRight {
        (try? Topic(topic)).map { .publishing($0.session) } ?? .general
    }

    init(_ fields: RequestFields) throws(Rejection) {
        topic = try fields.string("topic")
        guard let body = fields.body else {
            throw Rejection(.missingField, "publish needs body")
        }
        self.body = body
    }

    func submit(_ envelope: Envelope, to reactor: Reactor) throws(Rejection) {
        let session: String
        do throws(TopicError) {
            session = try Topic(topic).session
        } catch {
            // No lane is its own: it counts here as there.
            reactor.counters.add(.events)
            reactor.counters.add(.rejected)
            throw Rejection(error)
        }
        try reactor.unanswered.addPublish(of: session)
        var envelope = envelope
        envelope.publishes = session
        reactor.counters.add(.events)
        if let lane = reactor.work.ownLane(of: session) {
            reactor.work.add(topic: topic, body: body, answering: envelope, to: lane)
        } else {
            reactor.place(.publish(envelope, topic: topic, body: body), of: session)
        }
    }
}
