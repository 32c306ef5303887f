import CPictures

/// Words with their font. Pango lays them out, in any script.
package struct Text: Hashable, Sendable {
    package enum Alignment: Int32, Hashable, Sendable {
        case left, center, right
    }

    /// The first of these that the system has.
    private static let family = "Inter,Roboto,Noto Sans,DejaVu Sans,sans-serif"
    /// Bytes that are laid out; nobody can read more in one picture.
    private static let bytesMax = 4_096
    /// Points; a larger letter would be a wall.
    private static let sizeMax = 1_000.0
    /// Points of a line; pango counts 1,024ths of a point in 32 bits.
    private static let widthMax = 100_000.0

    package var words: String
    /// Points, from 1 on.
    package var size: Double
    /// 100 to 900; 400 is regular, 700 bold.
    package var weight: Int
    /// The width at which lines are broken; nil: they are not.
    package var width: Double?
    /// Lines shown; the last one ends in an ellipsis where there are more.
    package var lines: Int
    package var alignment: Alignment
    /// From line to line, in line heights; 0: the font's.
    package var spacing: Double

    package init(
        _ words: String, size: Double, weight: Int = 400, width: Double? = nil, lines: Int = 1,
        alignment: Alignment = .left, spacing: Double = 0
    ) {
        self.words = words
        self.size = size
        self.weight = weight
        self.width = width
        self.lines = lines
        self.alignment = alignment
        self.spacing = spacing
    }

    func withC<Result>(_ body: (inout gp_text) -> Result) -> Result {
        let bytes = words.utf8.prefix(Self.bytesMax).map { byte in
            // Pango refuses a text with a zero byte, and draws boxes for other controls.
            byte < 0x20 && byte != UInt8(ascii: "\n") ? UInt8(ascii: " ") : byte
        }
        let words = String(decoding: bytes, as: UTF8.self)
        return unsafe Self.family.withCString { family in
            unsafe words.withCString { text in
                var value = unsafe gp_text(
                    text: text, bytes: words.utf8.count, family: family,
                    size: min(max(size.isFinite ? size : 1, 1), Self.sizeMax),
                    weight: Int32(weight),
                    wrap: width.map { max($0.bounded(by: Self.widthMax), 1) } ?? -1,
                    lines: width == nil ? 0 : Int32(lines), alignment: alignment.rawValue,
                    spacing: spacing)
                return unsafe body(&value)
            }
        }
    }
}
