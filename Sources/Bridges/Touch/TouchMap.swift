package import Geometry

/// Carries a device's coordinates, 0 … 1 from its top left corner, into a viewport.
package struct TouchMap: Hashable, Sendable {
    /// The part of the device that lies under the viewport. A right edge that is less than the left
    /// one mirrors it; so do top and bottom.
    package var left = 0.0
    package var top = 0.0
    package var right = 1.0
    package var bottom = 1.0
    /// Quarter turns, clockwise, of the picture on the device.
    package var turns = 0

    package init() {}

    /// Nil where the area has no width or height, or a number beyond ±1,000.
    package init?(left: Double, top: Double, right: Double, bottom: Double) {
        let isSound = [left, top, right, bottom].allSatisfy { abs($0) <= 1_000 }
        guard isSound, abs(right - left) >= 1e-6, abs(bottom - top) >= 1e-6 else { return nil }
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    /// The point of the viewport under a point of the device; it may lie outside.
    package func point(_ x: Double, _ y: Double, in viewport: Size) -> Vector {
        let (u, v) = ((x - left) / (right - left), (y - top) / (bottom - top))
        let (a, b) =
            switch turns & 3 {
            case 1: (v, 1 - u)
            case 2: (1 - u, 1 - v)
            case 3: (1 - v, u)
            default: (u, v)
            }
        return Vector(Self.bounded(a * viewport.width), Self.bounded(b * viewport.height))
    }

    /// The protocol's bound of coordinates.
    private static func bounded(_ value: Double) -> Double {
        min(max(value, -1_000_000), 1_000_000)
    }
}
