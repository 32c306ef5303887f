import CPictures

/// A color as red, green, blue and alpha, each 0 … 1.
package struct Color: Hashable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double
    package var alpha: Double

    package init(_ red: Double, _ green: Double, _ blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// 24 bits, as `0xff8000`.
    package init(_ hex: Int, alpha: Double = 1) {
        self.init(
            Double(hex >> 16 & 255) / 255, Double(hex >> 8 & 255) / 255, Double(hex & 255) / 255,
            alpha: alpha)
    }

    package static let white = Color(0xffffff)
    package static let black = Color(0x000000)

    /// How light it looks, 0 … 1.
    package var lightness: Double { 0.299 * red + 0.587 * green + 0.114 * blue }
    package var isDark: Bool { lightness < 0.55 }
    /// The one of black and white that can be read on it.
    package var ink: Color { isDark ? .white : Color(0x1c1c1e) }

    package func opacity(_ alpha: Double) -> Color {
        Color(red, green, blue, alpha: self.alpha * alpha)
    }

    /// A color between this one and another, which is reached at 1.
    package func mixed(with other: Color, _ part: Double) -> Color {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * part }
        return Color(
            mix(red, other.red), mix(green, other.green), mix(blue, other.blue),
            alpha: mix(alpha, other.alpha))
    }

    package func lighter(_ part: Double) -> Color {
        mixed(with: Color(1, 1, 1, alpha: alpha), part)
    }
    package func darker(_ part: Double) -> Color { mixed(with: Color(0, 0, 0, alpha: alpha), part) }

    /// Colors that go with one another, for things without a color of their own.
    package static let palette = [
        0x5856d6, 0xff9500, 0x34c759, 0xff2d55, 0x007aff, 0xaf52de, 0x30b0c7, 0xffcc00, 0xa2845e,
    ].map { Color($0) }

    /// The color that a name keeps.
    package static func of(_ name: String) -> Color {
        palette[name.utf8.reduce(5_381) { ($0 &* 33 ^ Int($1)) & 0xff_ffff } % palette.count]
    }

    var c: gp_color { gp_color(red: red, green: green, blue: blue, alpha: alpha) }
}
