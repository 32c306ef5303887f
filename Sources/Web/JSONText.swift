/// Finds the parts of a JSON text without reading them, so that they can go on unchanged.
///
/// It checks the whole grammar but not UTF-8, which the transport checks.
struct JSONText {
    /// Why a text is no JSON, and the byte at which it ceases to be.
    struct Flaw: Error, Hashable {
        var message: String
        var place: Int
    }

    /// A member of an object: the ranges of its name, without quotes, and of its value.
    struct Member: Hashable {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// Levels of nesting: those of the daemon's own reader, and the envelope's.
    static let depthMax = 34

    private let bytes: [UInt8]
    private var place: Int
    private let end: Int
    /// Objects and lists around the place.
    private var depth = 0

    /// The byte that is read next.
    var position: Int { place }

    init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
        self.bytes = bytes
        place = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
    }

    /// The members of a text that is one object, or the first ones where it has more than `max`:
    /// then the rest is not looked at.
    static func members(
        of bytes: [UInt8], in range: Range<Int>? = nil, atMost max: Int = .max
    ) throws(Flaw) -> [Member] {
        var found: [Member] = []
        do throws(Flaw) {
            try walk(bytes, in: range) { (name, text) throws(Flaw) in
                guard found.count < max else { throw text.flaw("enough") }
                found.append(Member(name: name, value: try text.skipValue()))
            }
        } catch {
            guard found.count == max else { throw error }
        }
        return found
    }

    /// Hands on the name of each member of a text that is one object; `take` must pass its value.
    static func walk(
        _ bytes: [UInt8], in range: Range<Int>? = nil,
        _ take: (Range<Int>, inout JSONText) throws(Flaw) -> Void
    ) throws(Flaw) {
        var text = JSONText(bytes, in: range)
        text.skipSpace()
        try text.walkObject(take)
        try text.expectEnd()
    }

    /// The elements of a text that is one list.
    static func elements(
        of bytes: [UInt8], in range: Range<Int>? = nil
    ) throws(Flaw) -> [Range<Int>] {
        var text = JSONText(bytes, in: range)
        text.skipSpace()
        var found: [Range<Int>] = []
        try text.walkList { (text) throws(Flaw) in found.append(try text.skipValue()) }
        try text.expectEnd()
        return found
    }

    private func flaw(_ message: String) -> Flaw { Flaw(message: message, place: place) }

    private var next: UInt8? { place < end ? bytes[place] : nil }

    private mutating func expectEnd() throws(Flaw) {
        skipSpace()
        guard place == end else { throw flaw("text behind the value") }
    }

    private mutating func skipSpace() {
        while place < end {
            let byte = bytes[place]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            place += 1
        }
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        place += 1
        return true
    }

    /// Passes one value, and returns where it stands.
    mutating func skipValue() throws(Flaw) -> Range<Int> {
        let start = place
        switch next {
        case UInt8(ascii: "{"):
            try walkObject { (_, text) throws(Flaw) in _ = try text.skipValue() }
        case UInt8(ascii: "["): try walkList { (text) throws(Flaw) in _ = try text.skipValue() }
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try skip(word: "true")
        case UInt8(ascii: "f"): try skip(word: "false")
        case UInt8(ascii: "n"): try skip(word: "null")
        default: try skipNumber()
        }
        return start..<place
    }

    /// Hands on the name of each member of an object that begins here; `take` must pass its value.
    mutating func walkObject(
        _ take: (Range<Int>, inout JSONText) throws(Flaw) -> Void
    ) throws(Flaw) {
        guard next == UInt8(ascii: "{") else { throw flaw("not an object") }
        try enter()
        defer { depth -= 1 }
        if self.take("}") { return }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw flaw("a name in quotes is missing") }
            let start = place + 1
            try skipString()
            let name = start..<(place - 1)
            skipSpace()
            guard self.take(":") else { throw flaw("a colon is missing") }
            skipSpace()
            try take(name, &self)
            skipSpace()
            if self.take("}") { return }
            guard self.take(",") else { throw flaw("a comma or } is missing") }
        }
    }

    /// Calls `take` at each element of a list that begins here; it must pass the element.
    mutating func walkList(_ take: (inout JSONText) throws(Flaw) -> Void) throws(Flaw) {
        guard next == UInt8(ascii: "[") else { throw flaw("not a list") }
        try enter()
        defer { depth -= 1 }
        if self.take("]") { return }
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
        place += 1
        skipSpace()
    }

    private mutating func skipString() throws(Flaw) {
        place += 1
        skipPlain()
        while let byte = next {
            if byte < 0x20 { throw flaw("a control character in a text") }
            place += 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\") { try skipEscaped() }
            skipPlain()
        }
        throw flaw("a text does not end")
    }

    /// Passes what stands for itself in a text: most of a large one, and so in a loop of its own.
    private mutating func skipPlain() { place = Self.endOfPlain(bytes, from: place, to: end) }

    private static func endOfPlain(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        let span = bytes.span
        var place = start
        while place < end {
            let byte = span[place]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            place += 1
        }
        return place
    }

    private mutating func skipEscaped() throws(Flaw) {
        guard let byte = next else { throw flaw("a text does not end") }
        place += 1
        if "\"\\/bfnrt".utf8.contains(byte) { return }
        guard byte == UInt8(ascii: "u") else { throw flaw("an unknown escape") }
        for _ in 0..<4 {
            guard let digit = next, Self.isHexadecimal(digit) else { throw flaw("a bad escape") }
            place += 1
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
        let start = place
        for byte in word.description.utf8 {
            guard next == byte else {
                place = start
                throw flaw("a value is missing or malformed")
            }
            place += 1
        }
    }

    private mutating func skipNumber() throws(Flaw) {
        let start = place
        _ = take("-")
        var isGood = take("0") || skipDigits()
        if isGood, take(".") { isGood = skipDigits() }
        if isGood, take("e") || take("E") {
            _ = take("+") || take("-")
            isGood = skipDigits()
        }
        guard isGood else {
            place = start
            throw flaw("a value is missing or malformed")
        }
    }

    private mutating func skipDigits() -> Bool {
        let start = place
        while let byte = next, (0x30...0x39).contains(byte) { place += 1 }
        return place > start
    }
}
