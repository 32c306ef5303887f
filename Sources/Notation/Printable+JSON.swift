extension Printable {
    /// Valid JSON of the same value, in one line and without any character that `line` shows by its
    /// number: such characters can stand in strings only, where JSON has escapes for them.
    ///
    /// With `keepsLineEnds` the text is several values, one a line.
    package static func json(_ bytes: [UInt8], keepsLineEnds: Bool = false) -> [UInt8] {
        let lineEnd = UInt8(ascii: "\n")
        guard
            let start = bytes.firstIndex(where: {
                !(0x20..<0x7F).contains($0) && !(keepsLineEnds && $0 == lineEnd)
            })
        else { return bytes }
        var shown = Array(bytes[..<start])
        shown.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes[start...], as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\n" where keepsLineEnds: shown.append(lineEnd)
            // Space between values: a string holds none of these.
            case "\n", "\r", "\t": shown.append(UInt8(ascii: " "))
            case _ where isHidden(scalar):
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                    let digits = String(unit, radix: 16)
                    shown += Array("\\u".utf8)
                    shown += Array(repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
                    shown += digits.utf8
                }
            case _: shown += UTF8.encode(scalar).map(Array.init) ?? []
            }
        }
        return shown
    }
}
