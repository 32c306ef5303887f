package import Geometry

/// A text that was drawn upright, with its place in pixels: a terminal shows it by its letters.
package struct PlacedText: Hashable, Sendable {
    /// A transform's columns, in pixels for a point.
    struct Transform {
        var across: Vector
        var down: Vector
        var origin: Vector
    }

    /// Radians that a text may be turned by and still stand on a line.
    private static let turnMax = 0.12
    /// Texts of one picture; no screen has as many.
    static let countMax = 1_000

    package let words: String
    package let lines: Int
    package let alignment: Text.Alignment
    package let color: Color
    /// The letters that were drawn.
    package let frame: Rect
    /// From where to where a line may go.
    package let left: Double
    package let right: Double

    /// Nil where letters of one cell each cannot show it.
    init?(_ text: Text, at point: Vector, _ size: Size, _ transform: Transform, _ color: Color) {
        let scale = transform.across.length
        let turn = abs(transform.across.y)
        guard scale > 0, transform.across.x > 0, transform.down.y > 0,
            turn <= scale * Self.turnMax, !text.words.isEmpty,
            text.words.unicodeScalars.allSatisfy(Self.isOfOneCell)
        else { return nil }
        let corner =
            transform.origin + transform.across * point.x + transform.down * point.y
        words = text.words
        lines = text.width == nil ? 1 : max(text.lines, 1)
        alignment = text.width == nil ? .left : text.alignment
        self.color = color
        let (width, height) = (size.width * scale, size.height * transform.down.length)
        let room = text.width.map { $0.bounded(by: 100_000) * scale } ?? width
        left = corner.x
        right = corner.x + max(room, width)
        let shift: Double =
            switch alignment {
            case .left: 0
            case .center: (room - width) / 2
            case .right: room - width
            }
        frame = Rect(corner.x + max(shift, 0), corner.y, max(width, 1), max(height, 1))
    }

    /// Letters of Latin, Greek and Cyrillic, and the signs of a sentence.
    private static func isOfOneCell(_ letter: Unicode.Scalar) -> Bool {
        switch letter.value {
        case 0x20...0x7E, 0x0A, 0xA1...0x2FF, 0x370...0x52F, 0x2010...0x2027, 0x20AC: true
        default: false
        }
    }
}
