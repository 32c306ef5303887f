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
            id: id, code: rejection.code.rawValue, message: rejection.message,
            owner: rejection.owner, into: &buffer)
    }
}

extension UpdateBody {
    /// `topic` and `body` as they came, of any length and content: this shortens and repairs them.
    /// `reaction` is the index of a scene's reaction that sent it.
    package static func rejected(
        _ head: UpdateHead, _ rejection: Rejection, topic: RawSpan, body: RawSpan,
        reaction: Int? = nil, into buffer: inout ByteBuffer
    ) {
        rejected(
            head, code: rejection.code.rawValue, message: rejection.message,
            topic: excerpt(of: topic, bytesMax: Name.topicBytesMax),
            excerpt: excerpt(of: body, bytesMax: Limits.excerptBytesMax),
            reaction: reaction, into: &buffer)
    }
}

extension Limits {
    /// Bytes of a rejected body that are sent back.
    package static let excerptBytesMax = 120
}
