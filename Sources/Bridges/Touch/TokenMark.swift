/// The mark of an object on a table, as a device sees it.
package struct TokenMark: Hashable, Sendable {
    /// Its number, from 0 to 2³¹ − 1.
    package var symbol: Int
    /// Radians clockwise from where it stands upright.
    package var angle: Double

    package init(symbol: Int, angle: Double) {
        self.symbol = symbol
        self.angle = angle
    }
}
