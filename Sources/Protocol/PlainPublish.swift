package import Notation

/// A publish as most clients write it, found in its text without a tree of its members.
///
/// It is one object of `op`, `topic`, `body` and `id`, each once, with plain strings of ASCII.
/// Another reader takes all others, and says what is wrong with them. The body is found and not
/// read.
package struct PlainPublish {
    /// Where the two stand in the text.
    package let topic: Range<Int>
    package let body: Range<Int>
    /// A whole number or a string; nil: there is none.
    package let id: Node?

    /// Nil: it is another request, or is written in another way. Unsafe only because the caller
    /// must keep the bytes valid.
    package init?(_ text: UnsafeRawBufferPointer) {
        var reader = unsafe Reader(text)
        var topic: Range<Int>?
        var body: Range<Int>?
        var id: Node?
        var isPublish = false
        guard reader.take("{") else { return nil }
        repeat {
            guard let name = reader.string(), reader.take(":") else { return nil }
            if body == nil, reader.isText("body", at: name) {
                body = reader.object()
                guard body != nil else { return nil }
            } else if topic == nil, reader.isText("topic", at: name) {
                topic = reader.string()
                guard topic != nil else { return nil }
            } else if id == nil, reader.isText("id", at: name) {
                id = reader.id()
                guard id != nil else { return nil }
            } else if !isPublish, reader.isText("op", at: name), let operation = reader.string(),
                reader.isText("publish", at: operation)
            {
                isPublish = true
            } else {
                return nil
            }
        } while reader.take(",")
        guard isPublish, let topic, let body, reader.take("}"), reader.isAtEnd else { return nil }
        (self.topic, self.body, self.id) = (topic, body, id)
    }
}

/// Reads the parts of a plain publish.
@safe private struct Reader {
    private let text: UnsafeRawBufferPointer
    private var scanner: JSONScanner

    init(_ text: UnsafeRawBufferPointer) {
        unsafe self.text = text
        scanner = unsafe JSONScanner(text)
    }

    var isAtEnd: Bool { scanner.isAtEnd }

    /// Takes a sign and the space before it, if it is there.
    @inline(__always)
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        scanner.skipSpace()
        return scanner.take(sign)
    }

    mutating func string() -> Range<Int>? {
        scanner.skipSpace()
        return scanner.takePlainString()
    }

    mutating func object() -> Range<Int>? {
        scanner.skipSpace()
        guard scanner.next == UInt8(ascii: "{") else { return nil }
        return try? scanner.skipUnchecked()
    }

    /// Takes the value of `id`, if it is a short whole number or a short string.
    mutating func id() -> Node? {
        scanner.skipSpace()
        if let place = scanner.takePlainString() {
            guard place.count + 2 <= Limits.requestIdBytesMax else { return nil }
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[place])
            return Node(.string(unsafe PeerText.text(bytes)))
        }
        guard let digits = scanner.takeDigits(), digits.count <= 18,
            // A number of two digits cannot begin with a zero.
            unsafe digits.count == 1 || text[digits.lowerBound] != UInt8(ascii: "0")
        else { return nil }
        var whole = 0
        for place in digits { whole = unsafe 10 &* whole &+ Int(text[place]) &- 0x30 }
        return Node(.integer(whole))
    }

    func isText(_ text: StaticString, at place: Range<Int>) -> Bool {
        guard place.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<place.count
        where unsafe self.text[place.lowerBound &+ index] != text.utf8Start[index] {
            return false
        }
        return true
    }
}
