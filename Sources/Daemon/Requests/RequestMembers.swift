import Notation
import Protocol

/// Finds where the members of a request stand in its text, without reading their values.
///
/// It does not check the values. If a value is JSON, and the text is with `null` in its place, then
/// the whole text is JSON.
enum RequestMembers {
    /// Where the value of a member of the outermost object stands; of repeated ones the last. Nil
    /// where there is none, or where the text is no object.
    static func value(of name: StaticString, in text: [UInt8]) -> Range<Int>? {
        var found: Range<Int>?
        let isObject = forEach(in: text) { if isName(name, $0, in: text) { found = $0.value } }
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

    /// The members of the outermost object, at most so many; nil where the text is no object.
    static func all(in text: [UInt8], atMost max: Int) -> [JSONScanner.Member]? {
        var members: [JSONScanner.Member] = []
        let isObject = forEach(in: text) { if members.count < max { members.append($0) } }
        return isObject ? members : nil
    }

    /// The name of a member without escapes; nil where it is no JSON.
    static func name(of member: JSONScanner.Member, in text: [UInt8]) -> String? {
        member.hasEscape
            ? self.text(escaped: text[member.name])
            : PeerText.text(text[member.name])
    }

    /// Returns whether the text is an object.
    private static func forEach(
        in text: [UInt8], _ body: (JSONScanner.Member) -> Void
    ) -> Bool {
        do throws(JSONScanner.Flaw) {
            try JSONScanner.walk(text) { (name, scanner) throws(JSONScanner.Flaw) in
                let hasEscape = scanner.hasEscape
                let value = try scanner.skipUnchecked()
                body(JSONScanner.Member(name: name, hasEscape: hasEscape, value: value))
            }
            return true
        } catch {
            return false
        }
    }

    private static func isName(
        _ name: StaticString, _ member: JSONScanner.Member, in text: [UInt8]
    ) -> Bool {
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

    private static func text(escaped key: ArraySlice<UInt8>) -> String? {
        let list = try? Document.json(Array("[\"".utf8) + key + Array("\"]".utf8))
        return list?.array?.first?.string
    }
}
