/// Splits a text into lines of bounded length. A line may end with LF, CR LF, CR, or the CR CR LF
/// that some terminals make of it.
struct Lines {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private let bytesMax: Int
    /// The number of the last returned line, from 1.
    private(set) var number = 0

    /// Whether blanks around a line are kept, as a table with tabs needs.
    private let keepsBlanks: Bool

    init(of bytes: [UInt8], bytesMax: Int, keepsBlanks: Bool = false) {
        self.keepsBlanks = keepsBlanks
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        self.bytesMax = bytesMax
        position = self.bytes.startIndex
    }

    /// Whether the last returned line has no line end.
    private(set) var isCutShort = false

    /// The next line that is not blank; nil after the last.
    mutating func next(
        _ diagnostics: inout Diagnostics
    ) throws(RecordingError) -> ArraySlice<UInt8>? {
        while position < bytes.endIndex {
            let end = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D }
            var line = bytes[position..<(end ?? bytes.endIndex)]
            position = end.map(afterEnd) ?? bytes.endIndex
            isCutShort = end == nil
            number += 1
            let trimmed = line.trimmed
            if trimmed.isEmpty { continue }
            if !keepsBlanks { line = trimmed }
            if line.count <= bytesMax { return line }
            try diagnostics.skipLine(
                diagnostics.error(number, "a line of \(line.count) bytes; at most \(bytesMax)"))
        }
        return nil
    }

    private func afterEnd(_ place: Int) -> Int {
        let rest = bytes[place...]
        if rest.starts(with: [0x0D, 0x0D, 0x0A]) { return place + 3 }
        return place + (rest.starts(with: [0x0D, 0x0A]) ? 2 : 1)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}

extension [UInt8] {
    /// The text with blanks for the comments before its first other line. Every format may begin
    /// with comments. Lines keep their numbers.
    var withoutHeadComments: [UInt8] {
        var bare = self
        var place = starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var isInComment = false
        while place < bare.count {
            let byte = bare[place]
            if byte == 0x0A || byte == 0x0D {
                isInComment = false
            } else if isInComment || byte == UInt8(ascii: "#") {
                isInComment = true
                bare[place] = 0x20
            } else if !Lines.isBlank(byte) {
                break
            }
            place += 1
        }
        return bare
    }
}

extension ArraySlice<UInt8> {
    /// The words between blanks.
    var words: [ArraySlice<UInt8>] { split(whereSeparator: Lines.isBlank) }

    func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        var start = startIndex
        while let next = self[start...].firstIndex(of: wanted[0]) {
            if self[next...].starts(with: wanted) { return true }
            start = next + 1
        }
        return false
    }

    func begins(with text: String) -> Bool { starts(with: text.utf8) }

    func equals(_ text: String) -> Bool { elementsEqual(text.utf8) }

    /// Without the blanks around it.
    var trimmed: ArraySlice<UInt8> {
        var rest = self
        while let first = rest.first, Lines.isBlank(first) { rest.removeFirst() }
        while let last = rest.last, Lines.isBlank(last) { rest.removeLast() }
        return rest
    }

    /// A whole number in decimal, of at most 18 digits.
    var decimal: Int? {
        let isNegative = first == UInt8(ascii: "-")
        let digits = isNegative ? dropFirst() : self
        guard (1...18).contains(digits.count) else { return nil }
        var value = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return isNegative ? -value : value
    }

    /// An unsigned number in hexadecimal, of at most 8 digits.
    var hexadecimal: Int? {
        guard (1...8).contains(count) else { return nil }
        var value = 0
        for byte in self {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value * 16 + digit
        }
        return value
    }

    /// Seconds with at most six decimals, as microseconds.
    var microseconds: Int? {
        let parts = split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let seconds = parts[0].decimal, (0...9_000_000_000).contains(seconds) else {
            return nil
        }
        guard parts.count > 1 else { return seconds * 1_000_000 }
        guard parts[1].count <= 6, let fraction = parts[1].decimal, fraction >= 0 else {
            return nil
        }
        let unit = [1, 100_000, 10_000, 1_000, 100, 10, 1][parts[1].count]
        return seconds * 1_000_000 + fraction * unit
    }

    /// A finite number in decimal, as programs write it.
    var number: Double? {
        // `Double` reads hexadecimal too.
        guard (1...64).contains(count), !contains(where: { $0 | 0x20 == UInt8(ascii: "x") }),
            let value = Double(String(decoding: self, as: UTF8.self)),
            value.isFinite
        else { return nil }
        return value
    }

    /// The beginning of a text, without characters that would command a terminal.
    var excerpt: String {
        let shown = prefix(40).map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: shown, as: UTF8.self) + (count > 40 ? "…" : "")
    }
}
