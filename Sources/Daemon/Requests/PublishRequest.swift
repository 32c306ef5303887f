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

    private let topic: [UInt8]
    private let body: ArraySlice<UInt8>

    var right: RequestRight {
        unsafe topic.withUnsafeBytes { unsafe Self.right(for: $0) }
    }

    /// The right to publish on a topic. One without a session is refused for that.
    static func right(for topic: UnsafeRawBufferPointer) -> RequestRight {
        (try? unsafe Topic(topic)).map { .publishing($0.session) } ?? .general
    }

    init(_ fields: RequestFields) throws(Rejection) {
        topic = Array(try fields.string("topic").utf8)
        guard let body = fields.body else {
            throw .absent("body")
        }
        self.body = body
    }

    func submit(_ envelope: Envelope, to reactor: Reactor) throws(Rejection) {
        try unsafe topic.span.withUnsafeBytes { (topic) throws(Rejection) in
            try unsafe body.span.withUnsafeBytes { (body) throws(Rejection) in
                try unsafe reactor.publish(topic, body, answering: envelope)
            }
        }
    }
}
