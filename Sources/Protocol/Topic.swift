package import Geometry
import Notation

/// Why bytes are not a topic: one sentence for a person. Its code on the wire is `bad-topic`.
package struct TopicError: Error, Hashable, Sendable {
    package let message: String

    init(_ message: String) { self.message = message }
}

/// The address of an event: the first frame of its message.
package enum Topic: Hashable, Sendable {
    /// Without a component, the session finds out which one is meant.
    case gesture(session: String, component: String?)
    case notification(session: String)
    /// Without a component, the command is for the session.
    case command(session: String, component: String?)

    package var session: String {
        switch self {
        case .gesture(let session, _), .notification(let session), .command(let session, _):
            session
        }
    }

    /// Unsafe only because the caller must keep the bytes valid.
    package init(_ bytes: UnsafeRawBufferPointer) throws(TopicError) {
        let parts = try unsafe TopicParts(bytes)
        self = unsafe parts.topic(bytes, session: nil, component: nil)
    }

    package init(_ bytes: RawSpan) throws(TopicError) {
        self = try unsafe bytes.withUnsafeBytes { (raw) throws(TopicError) in
            try unsafe Topic(raw)
        }
    }

    package init(_ bytes: [UInt8]) throws(TopicError) {
        self = try unsafe bytes.span.withUnsafeBytes { (raw) throws(TopicError) in
            try unsafe Topic(raw)
        }
    }

    package init(_ text: String) throws(TopicError) { try self.init(Array(text.utf8)) }

    fileprivate static var malformed: TopicError {
        TopicError(
            "a topic is gesture/<session>, gesture/<session>/<component>, "
                + "notification/<session>, command/<session>/<component> or command/<session>, "
                + "of names of 1 to "
                + "\(Name.bytesMax) bytes of A-Z a-z 0-9 . _ ~ -")
    }

    package static func isName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count >= 1 && bytes.count <= Name.bytesMax else { return false }
        for index in 0..<bytes.count where unsafe !Name.contains(bytes[index]) {
            return false
        }
        return true
    }

    /// The range of the session's name in any topic, and the hash by which its lane finds it; nil
    /// if there is none. It checks nothing else.
    package static func session(
        in bytes: UnsafeRawBufferPointer
    ) -> (range: Range<Int>, hash: StableHash)? {
        let slash = UInt8(ascii: "/")
        var start = 0
        if unsafe beginsAsGesture(bytes) {
            start = gestureWord.utf8CodeUnitCount
        } else {
            while unsafe start < bytes.count && bytes[start] != slash { start &+= 1 }
            start &+= 1
        }
        var hash = StableHash()
        var end = start
        while unsafe end < bytes.count && bytes[end] != slash {
            unsafe hash.combine(bytes[end])
            end &+= 1
        }
        return end > start ? (start..<end, hash) : nil
    }

    /// The ranges of the names in a gesture's topic with a component; nil: it is no such topic. It
    /// checks no name: one that is compared with a valid name needs no check.
    package static func namesOfGesture(
        _ bytes: UnsafeRawBufferPointer
    ) -> (session: Range<Int>, component: Range<Int>)? {
        guard unsafe beginsAsGesture(bytes) else { return nil }
        let start = gestureWord.utf8CodeUnitCount
        var slash = start
        while unsafe bytes[slash] != UInt8(ascii: "/") {
            slash &+= 1
            guard slash < bytes.count else { return nil }
        }
        return (start..<slash, slash &+ 1..<bytes.count)
    }

    /// Whether it is a command for a whole session: `command/<session>`. It checks no name.
    package static func isOfWholeSession(command bytes: UnsafeRawBufferPointer) -> Bool {
        let word = commandWord
        guard bytes.count > word.utf8CodeUnitCount,
            unsafe bytes.loadUnaligned(as: UInt64.self)
                == UnsafeRawPointer(word.utf8Start).loadUnaligned(as: UInt64.self)
        else { return false }
        return unsafe !bytes[word.utf8CodeUnitCount...].contains(UInt8(ascii: "/"))
    }

    private static var commandWord: StaticString { "command/" }

    /// Eight bytes, which are compared at once.
    private static var gestureWord: StaticString { "gesture/" }

    /// Whether it is a gesture's topic, and something follows.
    @inline(__always)
    private static func beginsAsGesture(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > gestureWord.utf8CodeUnitCount else { return false }
        return unsafe bytes.loadUnaligned(as: UInt64.self)
            == UnsafeRawPointer(gestureWord.utf8Start).loadUnaligned(as: UInt64.self)
    }

    package static func session(in bytes: RawSpan) -> (range: Range<Int>, hash: StableHash)? {
        unsafe bytes.withUnsafeBytes { unsafe session(in: $0) }
    }
}

/// The ranges of a valid topic's parts in its bytes; it copies no bytes.
package struct TopicParts: Sendable {
    fileprivate enum Word {
        case gesture, notification, command
    }

    private let word: Word
    package let session: Range<Int>
    /// Empty if the topic names none.
    package let component: Range<Int>

    /// Unsafe only because the caller must keep the bytes valid.
    package init(_ bytes: UnsafeRawBufferPointer) throws(TopicError) {
        guard bytes.count <= Name.topicBytesMax else {
            throw TopicError("a topic has at most \(Name.topicBytesMax) bytes")
        }
        guard let parts = unsafe Segments(bytes) else { throw Topic.malformed }
        switch unsafe (Word(bytes, parts.first), parts.third.isEmpty) {
        case (.gesture, false): word = .gesture
        case (.notification, true): word = .notification
        case (.command, _): word = .command
        case (.gesture, true): word = .gesture
        case (.notification, false), (nil, _): throw Topic.malformed
        }
        session = parts.second
        component = parts.third
        guard unsafe session.count > 1 || bytes[session.lowerBound] != UInt8(ascii: "-") else {
            throw TopicError("no session has the name -: rejections without a session stand there")
        }
    }

    /// The topic of these bytes. If the caller already has a name as a `String` of the same bytes,
    /// the topic shares it, which saves an allocation.
    package func topic(
        _ bytes: UnsafeRawBufferPointer, session known: String?, component: String?
    ) -> Topic {
        let session = unsafe known ?? name(bytes, self.session)
        switch word {
        case .gesture:
            if self.component.isEmpty { return .gesture(session: session, component: nil) }
            return unsafe .gesture(
                session: session, component: component ?? name(bytes, self.component))
        case .notification: return .notification(session: session)
        case .command:
            if self.component.isEmpty { return .command(session: session, component: nil) }
            return unsafe .command(
                session: session, component: component ?? name(bytes, self.component))
        }
    }
}

extension TopicParts.Word {
    @inline(__always)
    fileprivate init?(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
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

/// The parts of a topic between its slashes; the second and third are names.
private struct Segments {
    var first: Range<Int>
    var second: Range<Int>
    /// Empty if there is none.
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
        // Not in the condition: behind && it is a closure, which calls instead of inlining.
        while end < bytes.count {
            guard unsafe Name.contains(bytes[end]) else { break }
            end &+= 1
        }
        let length = end &- start
        return length >= 1 && length <= Name.bytesMax ? start..<end : nil
    }
}

@inline(__always)
private func name(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
    unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
}
