/// Text that a peer wrote, in Unicode's Stream-Safe Text Format (UAX #15, section 13).
///
/// Swift compares and hashes texts by their normal form, for which it sorts the combining marks
/// behind a letter. The time for that grows with the square of their number: one member name of
/// 60 KB takes seconds. So a text gets a U+034F, which shows nothing and ends the sorting, behind
/// each 30th mark in a row. No language has as many.
package enum PeerText {
    /// Combining marks in a row: the bound of the format.
    static let marksMax = 30

    /// Also repairs invalid UTF-8.
    @inlinable
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        streamSafe(String(decoding: bytes, as: UTF8.self))
    }

    @usableFromInline
    package static func streamSafe(_ text: String) -> String {
        // A mark has two bytes or more, and the first of them is U+0300.
        guard text.utf8.count > 2 * marksMax, text.utf8.contains(where: { $0 >= 0xCC }),
            hasLongRun(text)
        else { return text }
        var safe = ""
        safe.reserveCapacity(text.utf8.count + text.utf8.count / marksMax)
        // Whole pieces: one by one, appending would take longer than looking the marks up.
        var pieceStart = text.startIndex
        var marks = 0
        for (index, scalar) in zip(text.unicodeScalars.indices, text.unicodeScalars) {
            marks = isMark(scalar) ? marks + 1 : 0
            guard marks > marksMax else { continue }
            safe += text[pieceStart..<index]
            safe.unicodeScalars.append("\u{034F}")
            pieceStart = index
            marks = 1
        }
        safe += text[pieceStart...]
        return safe
    }

    private static func hasLongRun(_ text: String) -> Bool {
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = isMark(scalar) ? marks + 1 : 0
            if marks > marksMax { return true }
        }
        return false
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Most texts beyond ASCII: Latin, Han, Hangul. The table is asked for the others.
        case ..<0x300, 0x3400...0x9FFF, 0xAC00...0xD7A3: false
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
