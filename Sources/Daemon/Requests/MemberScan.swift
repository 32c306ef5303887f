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
        var scanner = Scanner(text)
        return scanner.value(of: name)
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
        var scanner = Scanner(text)
        var members: [Member] = []
        let isObject = scanner.forEach { if members.count < max { members.append($0) } }
        return isObject ? members : nil
    }

    private struct Scanner {
        let text: [UInt8]
        var at = 0
        /// Whether the last string that was skipped has an escape.
        private var hasEscape = false

        init(_ text: [UInt8]) { self.text = text }

        mutating func value(of name: StaticString) -> Range<Int>? {
            var found: Range<Int>?
            let text = text
            let isObject = forEach { member in
                if Self.isName(name, member, in: text) { found = member.value }
            }
            return isObject ? found : nil
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

        private static func isName(
            _ name: StaticString, _ member: Member, in text: [UInt8]
        ) -> Bool {
            // A key with an escape may be any name.
            if member.hasEscape { return isName(name, escaped: text[member.name]) }
            guard member.name.count == name.utf8CodeUnitCount else { return false }
            let expected = unsafe UnsafeBufferPointer(
                start: name.utf8Start, count: name.utf8CodeUnitCount)
            return unsafe text[member.name].elementsEqual(expected)
        }

        private static func isName(
            _ name: StaticString, escaped key: ArraySlice<UInt8>
        ) -> Bool {
            let list = try? Document.json(Array("[\"".utf8) + key + Array("\"]".utf8))
            return list?.array?.first?.string == name.description
        }

        private mutating func skipSpace() {
            while at < text.count, Self.isSpace(text[at]) { at += 1 }
        }

        private static func isSpace(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
        }

        /// Skips space and then one character; false: it is another one.
        private mutating func skip(_ character: Unicode.Scalar) -> Bool {
            skipSpace()
            guard at < text.count, text[at] == UInt8(ascii: character) else { return false }
            at += 1
            return true
        }

        private mutating func skipString() -> Bool {
            guard at < text.count, text[at] == UInt8(ascii: "\"") else { return false }
            at += 1
            hasEscape = false
            while at < text.count {
                switch text[at] {
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
            guard at < text.count else { return false }
            switch text[at] {
            case UInt8(ascii: "\""): return skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["): return skipContainer()
            default:
                while at < text.count, !Self.endsWord(text[at]) { at += 1 }
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
            while at < text.count {
                switch text[at] {
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
