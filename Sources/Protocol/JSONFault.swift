extension Document {
    /// The line, from 1, on which a text stops being JSON; nil where it is JSON as far as this
    /// knows, which is all but encoding, depth and the size of numbers.
    ///
    /// The reader does not tell it. Whoever must mend a file of many lines is told it.
    package static func faultLine(inJSON bytes: [UInt8]) -> Int? {
        var walk = JSONWalk(bytes: bytes)
        return walk.fault()
    }
}

/// Walks over the tokens of a text to the first that cannot stand where it does.
private struct JSONWalk {
    /// What may come next.
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

    let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var expected = Expected.value
    /// What ends the lists and objects around, the innermost last.
    private var ends: [UInt8] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func fault() -> Int? {
        // Of the last token: what is missing at the end is missing there.
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
            guard takeToken() else { return line }
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
        return take("true") || take("false") || take("null") || takeNumber()
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

    private mutating func take(_ text: String) -> Bool {
        guard position <= bytes.count, bytes[position...].starts(with: text.utf8) else {
            return false
        }
        position += text.utf8.count
        return true
    }
}
