import Notation

/// Passes over the tokens of a JSON text and tells where they stand. It makes nothing of them.
///
/// It checks the grammar, but neither UTF-8 nor the size of numbers. It reads bytes that its maker
/// keeps valid: an array would be checked at each of a million signs, while others wait.
@safe package struct JSONScanner {
    /// Why a text is no JSON, and the byte at which it ceases to be.
    package struct Flaw: Error, Hashable {
        package var message: String
        package var place: Int

        package init(message: String, place: Int) {
            self.message = message
            self.place = place
        }
    }

    /// A member of an object: where its name stands, without quotes, and where its value does.
    package struct Member: Hashable {
        package let name: Range<Int>
        /// Whether the name has an escape, so that it says something else than its bytes.
        package let hasEscape: Bool
        package let value: Range<Int>

        package init(name: Range<Int>, hasEscape: Bool, value: Range<Int>) {
            self.name = name
            self.hasEscape = hasEscape
            self.value = value
        }
    }

    /// Levels of nesting: those of the daemon's own reader, and the envelope's.
    package static let depthMax = 34

    private let text: UnsafeRawBufferPointer
    private let end: Int
    /// The byte that is read next.
    package private(set) var position: Int
    /// Objects and lists around the position.
    private var depth = 0
    /// Whether the last string that was passed has an escape.
    package private(set) var hasEscape = false

    /// Unsafe only because the caller must keep the bytes valid.
    package init(_ text: UnsafeRawBufferPointer, in range: Range<Int>? = nil) {
        unsafe self.text = text
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? text.count
        precondition(position >= 0 && end <= text.count)
    }

    // MARK: Whole texts

    /// Hands on the name of each member of a text that is one object; `take` must pass its value.
    package static func walk(
        _ bytes: [UInt8], in range: Range<Int>? = nil,
        _ take: (Range<Int>, inout JSONScanner) throws(Flaw) -> Void
    ) throws(Flaw) {
        try scan(bytes, in: range) { (scanner) throws(Flaw) in try scanner.walkObject(take) }
    }

    /// The members of a text that is one object, or the first ones where it has more than `max`:
    /// then the rest is not looked at.
    package static func members(
        of bytes: [UInt8], in range: Range<Int>? = nil, atMost max: Int = .max
    ) throws(Flaw) -> [Member] {
        var found: [Member] = []
        do throws(Flaw) {
            try walk(bytes, in: range) { (name, scanner) throws(Flaw) in
                guard found.count < max else { throw scanner.flaw("enough") }
                let hasEscape = scanner.hasEscape
                let value = try scanner.skipValue()
                found.append(Member(name: name, hasEscape: hasEscape, value: value))
            }
        } catch {
            guard found.count == max else { throw error }
        }
        return found
    }

    /// Passes a text that is one value. `take` must pass that.
    package static func scan(
        _ bytes: [UInt8], in range: Range<Int>? = nil,
        _ take: (inout JSONScanner) throws(Flaw) -> Void
    ) throws(Flaw) {
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(Flaw) in
            var scanner = unsafe JSONScanner(UnsafeRawBufferPointer(bytes), in: range)
            scanner.skipSpace()
            try take(&scanner)
            scanner.skipSpace()
            guard scanner.isAtEnd else { throw scanner.flaw("the text goes on after its value") }
        }
    }

    // MARK: Tokens

    package var isAtEnd: Bool { position == end }

    /// The byte at hand; nil at the end.
    @inline(__always)
    package var next: UInt8? { position < end ? unsafe text[position] : nil }

    package func flaw(_ message: String) -> Flaw { Flaw(message: message, place: position) }

    @inline(__always)
    package mutating func skipSpace() {
        while position < end {
            let byte = unsafe text[position]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
            else { return }
            position &+= 1
        }
    }

    /// Takes a sign, if it is at hand.
    @inline(__always)
    package mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard position < end, unsafe text[position] == UInt8(ascii: sign) else { return false }
        position &+= 1
        return true
    }

    /// Takes a string of ASCII without an escape, if it is at hand; returns where it stands between
    /// its quotes.
    package mutating func takePlainString() -> Range<Int>? {
        guard take("\"") else { return nil }
        let start = position
        skipPlain(isASCII: true)
        let end = position
        return take("\"") ? start..<end : nil
    }

    /// Takes digits, if there are any; returns where they stand.
    package mutating func takeDigits() -> Range<Int>? {
        let start = position
        while position < end, unsafe 0x30...0x39 ~= text[position] { position &+= 1 }
        return start < position ? start..<position : nil
    }

    // MARK: Values

    /// Passes one value, and returns where it stands.
    package mutating func skipValue() throws(Flaw) -> Range<Int> {
        let start = position
        switch next {
        case UInt8(ascii: "{"):
            try walkObject { (_, scanner) throws(Flaw) in _ = try scanner.skipValue() }
        case UInt8(ascii: "["):
            try walkList { (scanner) throws(Flaw) in _ = try scanner.skipValue() }
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try skip(word: "true")
        case UInt8(ascii: "f"): try skip(word: "false")
        case UInt8(ascii: "n"): try skip(word: "null")
        default: try skipNumber()
        }
        return start..<position
    }

    /// Passes one value by its quotes and brackets alone, and returns where it stands. Another
    /// reader checks it.
    package mutating func skipUnchecked() throws(Flaw) -> Range<Int> {
        let start = position
        switch next {
        case UInt8(ascii: "\""):
            position &+= 1
            try skipRestOfString()
        case UInt8(ascii: "{"), UInt8(ascii: "["): try skipBrackets()
        default:
            while let byte = next, !Self.endsWord(byte) { position &+= 1 }
            guard position > start else { throw flaw("a value is missing or malformed") }
        }
        return start..<position
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: true
        default: false
        }
    }

    /// Passes up to the bracket that closes the one at hand, whichever kind the others are.
    private mutating func skipBrackets() throws(Flaw) {
        var depth = 0
        while position < end {
            let byte = unsafe text[position]
            position &+= 1
            switch byte {
            case UInt8(ascii: "\""): try skipRestOfString()
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth &-= 1
                if depth == 0 { return }
            default: break
            }
        }
        throw flaw("a bracket is not closed")
    }

    /// Hands on the name of each member of an object that begins here; `take` must pass its value.
    package mutating func walkObject(
        _ take: (Range<Int>, inout JSONScanner) throws(Flaw) -> Void
    ) throws(Flaw) {
        guard next == UInt8(ascii: "{") else { throw flaw("not an object") }
        try enter()
        defer { depth -= 1 }
        if self.take("}") { return }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else {
                throw flaw("a name in quotes is missing or malformed")
            }
            let start = position + 1
            try skipString()
            let name = start..<(position - 1)
            skipSpace()
            guard self.take(":") else { throw flaw("a colon is missing after the name") }
            skipSpace()
            try take(name, &self)
            skipSpace()
            if self.take("}") { return }
            guard self.take(",") else { throw flaw("a comma or } is missing") }
        }
    }

    /// Calls `take` at each element of a list that begins here; it must pass the element.
    package mutating func walkList(
        _ take: (inout JSONScanner) throws(Flaw) -> Void
    ) throws(Flaw) {
        guard next == UInt8(ascii: "[") else { throw flaw("not a list") }
        try enter()
        defer { depth -= 1 }
        if self.take("]") { return }
        if isAtEnd { throw flaw("a value or ] is missing") }
        while true {
            skipSpace()
            try take(&self)
            skipSpace()
            if self.take("]") { return }
            guard self.take(",") else { throw flaw("a comma or ] is missing") }
        }
    }

    private mutating func enter() throws(Flaw) {
        depth += 1
        guard depth <= Self.depthMax else { throw flaw("nested too deep") }
        position += 1
        skipSpace()
    }

    // MARK: Strings, words and numbers

    private mutating func skipString() throws(Flaw) {
        position += 1
        hasEscape = false
        skipPlain(isASCII: false)
        while let byte = next {
            if byte < 0x20 { throw flaw("a control character in a text") }
            position += 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\") { try skipEscaped() }
            skipPlain(isASCII: false)
        }
        throw flaw("a text does not end")
    }

    /// Passes what is left of a string, without a look at its escapes.
    private mutating func skipRestOfString() throws(Flaw) {
        while true {
            skipPlain(isASCII: false)
            guard position < end else { throw flaw("a text does not end") }
            let byte = unsafe text[position]
            position &+= byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
    }

    /// Passes what stands for itself in a string: most of a large one, and so eight bytes at once.
    @inline(__always)
    private mutating func skipPlain(isASCII: Bool) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs = ones &* 0x80
        while end &- position >= 8 {
            let eight = unsafe text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let (quote, backslash) = (eight ^ (ones &* 0x22), eight ^ (ones &* 0x5C))
            // The lowest of the high bits that this sets is exact.
            var others =
                ((eight &- ones &* 0x20) & ~eight) | ((quote &- ones) & ~quote)
                | ((backslash &- ones) & ~backslash)
            if isASCII { others |= eight }
            others &= highs
            guard others == 0 else {
                position &+= others.trailingZeroBitCount / 8
                return
            }
            position &+= 8
        }
        while position < end {
            let byte = unsafe text[position]
            guard byte >= 0x20, byte < 0x80 || !isASCII, byte != UInt8(ascii: "\""),
                byte != UInt8(ascii: "\\")
            else { return }
            position &+= 1
        }
    }

    private mutating func skipEscaped() throws(Flaw) {
        hasEscape = true
        guard let byte = next else { throw flaw("a text does not end") }
        position += 1
        if "\"\\/bfnrt".utf8.contains(byte) { return }
        guard byte == UInt8(ascii: "u") else { throw flaw("an unknown escape") }
        for _ in 0..<4 {
            guard let digit = next, Self.isHexadecimal(digit) else { throw flaw("a bad escape") }
            position += 1
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private mutating func skip(word: StaticString) throws(Flaw) {
        let start = position
        for byte in word.description.utf8 {
            guard next == byte else {
                position = start
                throw flaw("a value is missing or malformed")
            }
            position += 1
        }
    }

    private mutating func skipNumber() throws(Flaw) {
        let start = position
        _ = take("-")
        var isGood = take("0") || takeDigits() != nil
        if isGood, take(".") { isGood = takeDigits() != nil }
        if isGood, take("e") || take("E") {
            _ = take("+") || take("-")
            isGood = takeDigits() != nil
        }
        guard isGood else {
            position = start
            throw flaw("a value is missing or malformed")
        }
    }
}
