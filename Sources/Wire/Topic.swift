package import Geometry
package import Interactions
import Notation
import Sessions

/// What an event is about: the first frame of its message.
package enum Topic: Hashable, Sendable {
    case gesture(session: String, component: String)
    case notification(session: String)
    /// Without a component it is for the session itself.
    case command(session: String, component: String?)

    package var session: String {
        switch self {
        case .gesture(let session, _), .notification(let session), .command(let session, _):
            session
        }
    }

    /// Throws `bad-topic`. Unsafe only in that the caller vouches for the bytes.
    package init(_ bytes: UnsafeRawBufferPointer) throws(Rejection) {
        guard bytes.count <= Limits.topicBytesMax else {
            throw Rejection(.badTopic, "a topic has at most \(Limits.topicBytesMax) bytes")
        }
        guard let parts = unsafe Segments(bytes) else { throw Self.malformed }
        switch unsafe (TopicWord(bytes, parts.first), parts.third.isEmpty) {
        case (.gesture, false):
            self = unsafe .gesture(
                session: name(bytes, parts.second), component: name(bytes, parts.third))
        case (.notification, true):
            self = unsafe .notification(session: name(bytes, parts.second))
        case (.command, true):
            self = unsafe .command(session: name(bytes, parts.second), component: nil)
        case (.command, false):
            self = unsafe .command(
                session: name(bytes, parts.second), component: name(bytes, parts.third))
        case (.gesture, true), (.notification, false), (nil, _):
            throw Self.malformed
        }
    }

    package init(_ bytes: RawSpan) throws(Rejection) {
        self = try unsafe bytes.withUnsafeBytes { (raw) throws(Rejection) in
            try unsafe Topic(raw)
        }
    }

    package init(_ bytes: [UInt8]) throws(Rejection) {
        self = try unsafe bytes.span.withUnsafeBytes { (raw) throws(Rejection) in
            try unsafe Topic(raw)
        }
    }

    package init(_ text: String) throws(Rejection) { try self.init(Array(text.utf8)) }

    private static var malformed: Rejection {
        Rejection(
            .badTopic,
            "a topic is gesture/<session>/<component>, notification/<session>, "
                + "command/<session>/<component> or command/<session>, of names of 1 to "
                + "\(Limits.nameBytesMax) bytes of A-Z a-z 0-9 . _ ~ -")
    }

    static func isName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count >= 1 && bytes.count <= Limits.nameBytesMax else { return false }
        for index in 0..<bytes.count where unsafe !Name.contains(bytes[index]) {
            return false
        }
        return true
    }

    /// Where the session stands in any topic, its hash for choosing a lane; nothing is checked but
    /// that it is there. Nil: no session in it.
    package static func session(
        in bytes: UnsafeRawBufferPointer
    ) -> (range: Range<Int>, hash: StableHash)? {
        let slash = UInt8(ascii: "/")
        var start = 0
        while unsafe start < bytes.count && bytes[start] != slash { start &+= 1 }
        start &+= 1
        var hash = StableHash()
        var end = start
        while unsafe end < bytes.count && bytes[end] != slash {
            unsafe hash.combine(bytes[end])
            end &+= 1
        }
        return end > start ? (start..<end, hash) : nil
    }

    package static func session(in bytes: RawSpan) -> (range: Range<Int>, hash: StableHash)? {
        unsafe bytes.withUnsafeBytes { unsafe session(in: $0) }
    }
}

/// The first segment of an event's topic.
private enum TopicWord {
    case gesture, notification, command

    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        if unsafe Self.matches(bytes, range, "gesture") {
            self = .gesture
        } else if unsafe Self.matches(bytes, range, "command") {
            self = .command
        } else if unsafe Self.matches(bytes, range, "notification") {
            self = .notification
        } else {
            return nil
        }
    }

    @inline(__always)
    private static func matches(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ word: StaticString
    ) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        let expected = unsafe word.utf8Start
        for index in 0..<range.count where unsafe bytes[index] != expected[index] {
            return false
        }
        return true
    }
}

/// The parts of a topic between its slashes, the second and third being names.
private struct Segments {
    var first: Range<Int>
    var second: Range<Int>
    /// Empty where there is none.
    var third: Range<Int>

    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer) {
        let count = bytes.count
        let slash = UInt8(ascii: "/")
        var at = 0
        while unsafe at < count && bytes[at] != slash { at &+= 1 }
        guard at < count else { return nil }
        first = 0..<at
        guard let second = unsafe Self.name(bytes, from: at &+ 1) else { return nil }
        self.second = second
        at = second.upperBound
        third = at..<at
        guard at < count else { return }
        guard unsafe bytes[at] == slash,
            let third = unsafe Self.name(bytes, from: at &+ 1), third.upperBound == count
        else { return nil }
        self.third = third
    }

    @inline(__always)
    private static func name(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        var end = start
        while unsafe end < bytes.count && Name.contains(bytes[end]) { end &+= 1 }
        let length = end &- start
        return length >= 1 && length <= Limits.nameBytesMax ? start..<end : nil
    }
}

@inline(__always)
private func name(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
    unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
}
