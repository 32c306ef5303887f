import Notation
import Protocol

/// A publish as most clients write it, found in its text without a tree of its members.
///
/// It is one object of `op`, `topic`, `body` and `id`, each once, with plain strings of ASCII and
/// at most one space between two signs. ``RequestFields`` reads all others and tells what is wrong
/// with them. As there, the body is found and not read.
struct PlainPublish {
    /// Where the two stand in the text.
    let topic: Range<Int>
    let body: Range<Int>
    /// A whole number or a string; nil: there is none.
    let id: Node?

    /// Nil: it is another request, or is written in another way. Unsafe only because the caller
    /// must keep the bytes valid.
    init?(_ text: UnsafeRawBufferPointer) {
        var scan = unsafe Scan(text)
        var topic: Range<Int>?
        var body: Range<Int>?
        var id: Node?
        var isPublish = false
        guard scan.take("{") else { return nil }
        repeat {
            guard let name = scan.string(), scan.take(":") else { return nil }
            if body == nil, scan.isText("body", at: name) {
                body = scan.object()
                guard body != nil else { return nil }
            } else if topic == nil, scan.isText("topic", at: name) {
                topic = scan.string()
                guard topic != nil else { return nil }
            } else if id == nil, scan.isText("id", at: name) {
                id = scan.id()
                guard id != nil else { return nil }
            } else if !isPublish, scan.isText("op", at: name), let operation = scan.string(),
                scan.isText("publish", at: operation)
            {
                isPublish = true
            } else {
                return nil
            }
        } while scan.take(",")
        guard isPublish, let topic, let body, scan.take("}"), scan.isAtEnd else { return nil }
        (self.topic, self.body, self.id) = (topic, body, id)
    }
}

/// Reads the text of a plain publish from sign to sign.
@safe private struct Scan {
    private let text: UnsafeRawBufferPointer
    private let count: Int
    private var at = 0

    init(_ text: UnsafeRawBufferPointer) {
        unsafe self.text = text
        count = text.count
    }

    var isAtEnd: Bool { at == count }

    /// Takes a sign and the space before it, if it is there.
    @inline(__always)
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        let place = placeBehindSpace
        guard place < count, unsafe text[place] == UInt8(ascii: sign) else { return false }
        at = place &+ 1
        return true
    }

    @inline(__always)
    private var placeBehindSpace: Int {
        guard at < count, unsafe text[at] == UInt8(ascii: " ") else { return at }
        return at &+ 1
    }

    /// Takes a string of plain ASCII; returns where it stands between its quotes.
    mutating func string() -> Range<Int>? {
        guard take("\"") else { return nil }
        let start = at
        skipPlain()
        guard at < count, unsafe text[at] == UInt8(ascii: "\"") else { return nil }
        at &+= 1
        return start..<at &- 1
    }

    /// Skips what a plain string may have.
    private mutating func skipPlain() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        while count &- at >= 8 {
            let eight = unsafe text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let (quote, backslash) = (eight ^ (ones &* 0x22), eight ^ (ones &* 0x5C))
            // The lowest of the high bits that this sets is exact.
            let others =
                (eight | (eight &- ones &* 0x20) | ((quote &- ones) & ~quote)
                    | ((backslash &- ones) & ~backslash)) & (ones &* 0x80)
            guard others == 0 else {
                at &+= others.trailingZeroBitCount / 8
                return
            }
            at &+= 8
        }
        while at < count {
            let byte = unsafe text[at]
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""),
                byte != UInt8(ascii: "\\")
            else { return }
            at &+= 1
        }
    }

    /// Takes an object and returns where it stands; it looks at quotes and brackets alone.
    mutating func object() -> Range<Int>? {
        guard take("{") else { return nil }
        let start = at &- 1
        var depth = 1
        while at < count {
            let byte = unsafe text[at]
            at &+= 1
            switch byte {
            case UInt8(ascii: "\""): guard skipStringsRest() else { return nil }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth &-= 1
                if depth == 0 { return start..<at }
            default: break
            }
        }
        return nil
    }

    private mutating func skipStringsRest() -> Bool {
        while true {
            skipPlain()
            guard at < count else { return false }
            let byte = unsafe text[at]
            at &+= byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return true }
        }
    }

    /// Takes the value of `id`, if it is a short whole number or a short string.
    mutating func id() -> Node? {
        let start = placeBehindSpace
        if let place = string() {
            guard place.count + 2 <= Limits.requestIdBytesMax else { return nil }
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[place])
            return Node(.string(unsafe PeerText.text(bytes)))
        }
        at = start
        var whole = 0
        while at < count, at &- start < 18 {
            let digit = Int(unsafe text[at]) &- 0x30
            guard 0..<10 ~= digit else { break }
            whole = 10 &* whole &+ digit
            at &+= 1
        }
        // A number of two digits cannot begin with a zero.
        guard at > start else { return nil }
        let isNumber = unsafe at == start &+ 1 || text[start] != UInt8(ascii: "0")
        return isNumber ? Node(.integer(whole)) : nil
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
