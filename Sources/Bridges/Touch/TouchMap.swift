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

    /// Points between two places, as they are sent.
    private static let step = 0.001

    /// The point of the viewport under a point of the device; it lies outside where the device goes
    /// on beside the viewport.
    package func point(_ x: Double, _ y: Double, in viewport: Size) -> Vector {
        let place = part(x, y)
        return Vector(
            Self.points(place.x, along: viewport.width),
            Self.points(place.y, along: viewport.height))
    }

    /// The same point as parts of the viewport's sides.
    package func part(_ x: Double, _ y: Double) -> Vector {
        let (u, v) = ((x - left) / (right - left), (y - top) / (bottom - top))
        let (a, b) =
            switch turns & 3 {
            case 1: (v, 1 - u)
            case 2: (1 - u, 1 - v)
            case 3: (1 - v, u)
            default: (u, v)
            }
        return Vector(a, b)
    }

    /// An object's angle on the device as one in the viewport, both in radians clockwise from where
    /// its mark stands upright, in (−π, π]. A mirror turns it about: upright stays upright where
    /// left is right.
    package func angle(_ angle: Double) -> Double {
        var turned = angle
        if right < left { turned = -turned }
        if bottom < top { turned = Double.pi - turned }
        return Angle.wrapped(turned - Double(turns & 3) * Double.pi / 2)
    }

    /// Within the protocol's bound of coordinates. The far edge of the device lies inside, since
    /// that of a viewport is outside, and nothing would be touched.
    private static func points(_ part: Double, along side: Double) -> Double {
        let value = min(max(part * side, -1_000_000), 1_000_000)
        return part <= 1 ? min(value, side - step) : value
    }
}
