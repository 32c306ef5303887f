package import Notation

extension Document {
    /// Reads JSON that a person wrote: as in TOML, errors and values carry their lines.
    ///
    /// It passes over the text twice, so it is for files and not for events.
    package static func jsonFile(_ bytes: [UInt8]) throws(DocumentError) -> Node {
        var walk = JSONWalk(bytes: bytes)
        do throws(DocumentError) {
            let node = try json(bytes)
            _ = walk.fault()
            var lines = walk.valueLines[...]
            return node.withLines(&lines)
        } catch {
            let line = walk.fault()
            let reason = line == nil ? "" : ": \(walk.lack)"
            throw DocumentError(message: error.message + reason, line: line)
        }
    }
}

extension Node {
    /// The tree with the line of each value, in the order of the text.
    fileprivate func withLines(_ lines: inout ArraySlice<Int>) -> Node {
        let line = lines.popFirst()
        switch value {
        case .null, .bool, .integer, .unsigned, .number, .string: return Node(value, line: line)
        case .array(let elements):
            return Node(.array(elements.map { $0.withLines(&lines) }), line: line)
        case .object(let members):
            return Node(
                .object(members.map { Member($0.name, $0.value.withLines(&lines)) }), line: line)
        }
    }
}

/// Walks over the tokens of a JSON text and notes their lines, which simdjson does not tell.
///
/// It knows the grammar, but not encoding, depth and the size of numbers.
struct JSONWalk {
    /// The tokens that may come next.
    private enum Expected {
        /// Can become: `element`, `name`, `separator`, `end`.
        case value
        /// A value or the list's end. Can become: `element`, `name`, `separator`, `end`.
        case element
        /// A member's name, or the object's end where it has none yet. Can become: `colon`,
        /// `separator`, `end`.
        case name(mayEnd: Bool)
        /// Can become: `value`.
        case colon
        /// A comma, or what ends the innermost list or object. Can become: `value`, `name`,
        /// `separator`, `end`.
        case separator
        /// Nothing more. Can become nothing else.
        case end
    }

    /// The line of each value, from 1, in the order of the text; a member's is that of its name.
    private(set) var valueLines: [Int] = []

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var expected = Expected.value
    /// The line of a member's name, until its value is taken.
    private var nameLine: Int?
    /// The closing brackets of the open lists and objects, the innermost last.
    private var ends: [UInt8] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Walks to the end, or to the first token that the grammar does not allow; returns the line of
    /// that token, from 1, or nil if there is none.
    mutating func fault() -> Int? {
        // The line of the last token: a text that ends too early lacks something there.
        var last = line
        while true {
            while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
                if bytes[position] == UInt8(ascii: "\n") { line += 1 }
                position += 1
            }
            guard position < bytes.count else {
                if case .end = expected { return nil }
                return last
            }
            last = line
            let wanted = expected
            guard takeToken() else {
                expected = wanted
                return line
            }
        }
    }

    /// The token that the text lacks where the walk ended, for a person.
    var lack: String {
        switch expected {
        case .value: "a value is missing or malformed"
        case .element: "a value or ] is missing or malformed"
        case .name: "a name in quotes is missing or malformed"
        case .colon: "a colon is missing after the name"
        case .separator: "a comma or \(Character(Unicode.Scalar(ends.last ?? 0))) is missing"
        case .end: "the text goes on after its value"
        }
    }

    private mutating func takeToken() -> Bool {
        let byte = bytes[position]
        switch expected {
        case .value: return takeValue()
        case .element: return byte == UInt8(ascii: "]") ? takeEnd() : takeValue()
        case .name(let mayEnd):
            if mayEnd && byte == UInt8(ascii: "}") { return takeEnd() }
            expected = .colon
            nameLine = line
            return takeText()
        case .colon:
            expected = .value
            return take(":")
        case .separator:
            if byte == ends.last { return takeEnd() }
            expected = ends.last == UInt8(ascii: "}") ? .name(mayEnd: false) : .value
            return take(",")
        case .end: return false
        }
    }

    private mutating func takeEnd() -> Bool {
        position += 1
        ends.removeLast()
        expected = ends.isEmpty ? .end : .separator
        return true
    }

    private mutating func takeValue() -> Bool {
        valueLines.append(nameLine ?? line)
        nameLine = nil
        if take("[") {
            ends.append(UInt8(ascii: "]"))
            expected = .element
            return true
        }
        if take("{") {
            ends.append(UInt8(ascii: "}"))
            expected = .name(mayEnd: true)
            return true
        }
        expected = ends.isEmpty ? .end : .separator
        if bytes[position] == UInt8(ascii: "\"") { return takeText() }
        return take(word: "true") || take(word: "false") || take(word: "null") || takeNumber()
    }

    private mutating func takeText() -> Bool {
        guard take("\"") else { return false }
        while position < bytes.count, bytes[position] >= 0x20 {
            if take("\"") { return true }
            if take("\\") {
                guard takeEscaped() else { return false }
            } else {
                position += 1
            }
        }
        return false
    }

    private mutating func takeEscaped() -> Bool {
        guard position < bytes.count else { return false }
        position += 1
        guard bytes[position - 1] == UInt8(ascii: "u") else {
            return "\"\\/bfnrt".utf8.contains(bytes[position - 1])
        }
        let digits = bytes[position...].prefix(4)
        position += digits.count
        return digits.count == 4
            && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    private mutating func takeNumber() -> Bool {
        _ = take("-")
        guard take("0") || takeDigits() else { return false }
        if take("."), !takeDigits() { return false }
        guard take("e") || take("E") else { return true }
        _ = take("+") || take("-")
        return takeDigits()
    }

    private mutating func takeDigits() -> Bool {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func take(word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }
}
