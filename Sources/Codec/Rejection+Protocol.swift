package import Interactions
package import Notation
package import Protocol
import Sessions

extension Rejection {
    package init(_ error: TopicError) { self.init(.badTopic, error.message) }
}

extension Reply {
    package static func failure(
        id: Node?, _ rejection: Rejection, into buffer: inout ByteBuffer
    ) {
        failure(
            id: id, code: rejection.code.rawValue, message: rejection.message, into: &buffer)
    }
}

extension Update {
    /// Topic and body as they came, of any length and content; they are shortened and repaired.
    package static func rejected(
        _ head: UpdateHead, _ rejection: Rejection, topic: RawSpan, body: RawSpan,
        into buffer: inout ByteBuffer
    ) {
        rejected(
            head, code: rejection.code.rawValue, message: rejection.message,
            topic: excerpt(of: topic, bytesMax: Limits.topicBytesMax),
            excerpt: excerpt(of: body, bytesMax: Limits.excerptBytesMax), into: &buffer)
    }
}
