import Notation
import Protocol

/// Finds where a member's value stands in the text of a JSON object, without reading the value.
///
/// It does not check the text. If the value is JSON, and the text is with `null` in its place, then
/// the whole text is JSON.
enum MemberScan {
    /// Where the value of a member of the outermost object stands; of repeated ones the last. Nil
    /// where there is none, or where the text is no object.
    static func value(of name: StaticString, in text: [UInt8]) -> Range<Int>? {
        var found: Range<Int>?
        let isObject = forEach(in: text) { member in
            if isName(name, member, in: text) { found = member.value }
        }
        return isObject ? found : nil
    }

    /// The same in the beginning of a text, which need not be whole; the first of repeated ones.
    static func value(of name: StaticString, inBeginning text: [UInt8]) -> Range<Int>? {
        var found: Range<Int>?
        _ = forEach(in: text) { member in
            // A value at the end may go on.
            if found == nil, member.value.upperBound < text.count, isName(name, member, in: text) {
                found = member.value
            }
        }
        return found
    }

    /// A member of the outermost object.
    struct Member {
        /// Where its name stands, without quotes.
        var name: Range<Int>
        var hasEscape: Bool
        var value: Range<Int>
    }

    /// The members of the outermost object, at most so many; nil where the text is no object.
    static func members(in text: [UInt8], atMost max: Int) -> [Member]? {
        var members: [Member] = []
        let isObject = forEach(in: text) { if members.count < max { members.append($0) } }
        return isObject ? members : nil
    }

    private static func isName(_ name: StaticString, _ member: Member, in text: [UInt8]) -> Bool {
        // A key with an escape may be any name.
        if member.hasEscape { return isName(name, escaped: text[member.name]) }
        guard member.name.count == name.utf8CodeUnitCount else { return false }
        let expected = unsafe UnsafeBufferPointer(
            start: name.utf8Start, count: name.utf8CodeUnitCount)
        return unsafe text[member.name].elementsEqual(expected)
    }

    private static func isName(_ name: StaticString, escaped key: ArraySlice<UInt8>) -> Bool {
        // No JSON is read for it: a request may have very many names.
        var rest = key
        for expected in name.description.utf8 {
            let sign = rest.popFirst()
            if sign == expected { continue }
            guard sign == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
                rest.count >= 4,
                UInt8(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) == expected
            else { return false }
            rest = rest.dropFirst(4)
        }
        return rest.isEmpty
    }

    /// The name of a member without escapes; nil where it is no JSON.
    static func name(of member: Member, in text: [UInt8]) -> String? {
        member.hasEscape
            ? self.text(escaped: text[member.name])
            : PeerText.text(text[member.name])
    }

    private static func text(escaped key: ArraySlice<UInt8>) -> String? {
        let list = try? Document.json(Array("[\"".utf8) + key + Array("\"]".utf8))
        return list?.array?.first?.string
    }

    /// Returns whether the text is an object.
    private static func forEach(in text: [UInt8], _ body: (Member) -> Void) -> Bool {
        unsafe text.withUnsafeBufferPointer { text in
            var scanner = unsafe Scanner(text)
            return scanner.forEach(body)
        }
    }

    /// Reads from sign to sign in bytes that its maker keeps valid: an array would be checked at
    /// each of a million signs, while the reactor waits.
    @safe private struct Scanner {
        private let text: UnsafeBufferPointer<UInt8>
        private let count: Int
        private var at = 0
        /// Whether the last string that was skipped has an escape.
        private var hasEscape = false

        init(_ text: UnsafeBufferPointer<UInt8>) {
            unsafe self.text = text
            count = text.count
        }

        /// The sign at hand; it must not be at the end.
        private var sign: UInt8 {
            precondition(at < count)
            return unsafe text[at]
        }

        /// Returns whether the text is an object.
        mutating func forEach(_ body: (Member) -> Void) -> Bool {
            guard skip("{") else { return false }
            while true {
                skipSpace()
                let start = at + 1
                guard skipString() else { return false }
                let name = start..<at - 1
                let isEscaped = hasEscape
                guard skip(":") else { return false }
                skipSpace()
                let valueStart = at
                guard skipValue(), at > valueStart else { return false }
                body(Member(name: name, hasEscape: isEscaped, value: valueStart..<at))
                if skip(",") { continue }
                return skip("}")
            }
        }

        private mutating func skipSpace() {
            while at < count, Self.isSpace(sign) { at += 1 }
        }

        private static func isSpace(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
        }

        /// Skips space and then one character; false: it is another one.
        private mutating func skip(_ character: Unicode.Scalar) -> Bool {
            skipSpace()
            guard at < count, sign == UInt8(ascii: character) else { return false }
            at += 1
            return true
        }

        private mutating func skipString() -> Bool {
            guard at < count, sign == UInt8(ascii: "\"") else { return false }
            at += 1
            hasEscape = false
            while at < count {
                switch sign {
                case UInt8(ascii: "\""):
                    at += 1
                    return true
                case UInt8(ascii: "\\"):
                    hasEscape = true
                    at += 2
                default: at += 1
                }
            }
            return false
        }

        private mutating func skipValue() -> Bool {
            guard at < count else { return false }
            switch sign {
            case UInt8(ascii: "\""): return skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["): return skipContainer()
            default:
                while at < count, !Self.endsWord(sign) { at += 1 }
                return true
            }
        }

        private static func endsWord(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
                || isSpace(byte)
        }

        /// Skips to the bracket that closes the one at hand, whichever kind the others are.
        private mutating func skipContainer() -> Bool {
            var depth = 0
            while at < count {
                switch sign {
                case UInt8(ascii: "\""):
                    guard skipString() else { return false }
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
                at += 1
                if depth == 0 { return true }
            }
            return false
        }
    }
}
