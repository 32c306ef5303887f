/// One line of evemu, as far as the bridge and the reader of files need it.
package enum EvemuLine: Hashable, Sendable {
    /// An absolute axis of the device, with its range.
    case axis(code: Int, from: Int, to: Int)
    /// The next bytes of the codes of a type that the device can send, the lowest bit first.
    case bits(type: Int, bytes: [UInt8])
    case event(microseconds: Int, type: Int, code: Int, value: Int)
    /// The device's name and the like.
    case other

    /// Bytes of a list of bits in one line; evemu writes 8.
    private static let bitBytesMax = 128

    /// Reads a line of a stream; nil for a blank line or a comment. Throws where it is of no evemu.
    package init?(_ line: [UInt8], number: Int, file: String) throws(RecordingError) {
        let diagnostics = Diagnostics(file: file, keepsGoing: true)
        guard line.count <= Evemu.lineBytesMax else {
            throw diagnostics.error(
                number, "a line of \(line.count) bytes; at most \(Evemu.lineBytesMax)")
        }
        let trimmed = line[...].trimmed
        let text =
            trimmed.begins(with: "N:") ? trimmed : trimmed.prefix { $0 != UInt8(ascii: "#") }
        if text.isEmpty { return nil }
        try self.init(text, number, diagnostics)
    }

    init(
        _ line: ArraySlice<UInt8>, _ number: Int, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        guard Evemu.isLine(line) else {
            throw diagnostics.error(number, "not a line of evemu: '\(line.excerpt)'")
        }
        let words = line.dropFirst(2).words
        switch line.first {
        case UInt8(ascii: "E"): self = try Self.event(words, number, diagnostics)
        case UInt8(ascii: "A"):
            guard words.count >= 3, let axis = words[0].hexadecimal, let from = words[1].decimal,
                let to = words[2].decimal
            else {
                throw diagnostics.error(number, "not an axis: '\(line.excerpt)'")
            }
            self = .axis(code: axis, from: from, to: to)
        case UInt8(ascii: "B"):
            // Files are read without these, so a bad one is no reason to refuse a file.
            let bytes = words.dropFirst().prefix(Self.bitBytesMax).map { $0.hexadecimal ?? 0 }
            self = .bits(
                type: words.first?.hexadecimal ?? 0,
                bytes: bytes.map { UInt8(truncatingIfNeeded: $0) })
        default: self = .other
        }
    }

    private static func event(
        _ words: [ArraySlice<UInt8>], _ number: Int, _ diagnostics: Diagnostics
    ) throws(RecordingError) -> EvemuLine {
        guard words.count == 4 else {
            throw diagnostics.error(
                number, "an event needs time, type, code and value, not \(words.count) words")
        }
        guard let time = words[0].microseconds else {
            throw diagnostics.error(number, "the time is '\(words[0].excerpt)', not seconds")
        }
        guard let type = words[1].hexadecimal, let code = words[2].hexadecimal else {
            throw diagnostics.error(
                number,
                "type and code are '\(words[1].excerpt) \(words[2].excerpt)', "
                    + "not hexadecimal")
        }
        guard let value = words[3].decimal, Int32(exactly: value) != nil else {
            throw diagnostics.error(
                number, "the value is '\(words[3].excerpt)', not a whole number of 32 bits")
        }
        return .event(microseconds: time, type: type, code: code, value: value)
    }
}
