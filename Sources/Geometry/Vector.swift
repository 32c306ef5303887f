// Geometry: the values that every other module uses, and arithmetic that gives the same bits on
// every machine. It depends on nothing.
//
// Points, sizes, frames and view states are plain structs. `Step` is the grid of 1/120 s on
// which everything moves; `Instant` is a time on the wire. `Angle` and `Exponential` replace the
// C library's functions, whose last bit may differ. `SplitMix64` is the only source of chance.
//
// You may add values and functions here. A change of arithmetic changes every golden.

/// A point or a displacement in points, x to the right, y down.
///
/// This module holds the values that all others use: vectors and angles, steps and instants, seeded
/// numbers and hashes, and elementary functions with the same bits on every machine. Nothing here
/// knows the rest of the program. A change of the arithmetic in `Angle` or `Exponential` changes
/// every golden; encodings (`Coding`) are a file format.
package struct Vector: Hashable, Sendable {
    package var x: Double
    package var y: Double

    @inlinable
    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    package static var zero: Vector { Vector(0, 0) }

    @inlinable package var lengthSquared: Double { x * x + y * y }
    @inlinable @inline(__always) package var length: Double { lengthSquared.squareRoot() }
    @inlinable package var isFinite: Bool { x.isFinite && y.isFinite }

    /// The vector rotated by an angle, given by its sine and cosine.
    @inlinable
    package func rotated(sine: Double, cosine: Double) -> Vector {
        Vector(x * cosine - y * sine, x * sine + y * cosine)
    }

    @inlinable
    package func dot(_ other: Vector) -> Double { x * other.x + y * other.y }

    /// The z component of the three-dimensional cross product.
    @inlinable
    package func cross(_ other: Vector) -> Double { x * other.y - y * other.x }

    @inlinable
    package static func + (a: Vector, b: Vector) -> Vector { Vector(a.x + b.x, a.y + b.y) }
    @inlinable
    package static func - (a: Vector, b: Vector) -> Vector { Vector(a.x - b.x, a.y - b.y) }
    @inlinable
    package static prefix func - (a: Vector) -> Vector { Vector(-a.x, -a.y) }
    @inlinable
    package static func * (a: Vector, k: Double) -> Vector { Vector(a.x * k, a.y * k) }
    @inlinable
    package static func * (k: Double, a: Vector) -> Vector { a * k }
    @inlinable
    package static func / (a: Vector, k: Double) -> Vector { Vector(a.x / k, a.y / k) }
    @inlinable
    package static func += (a: inout Vector, b: Vector) { a = a + b }
    @inlinable
    package static func -= (a: inout Vector, b: Vector) { a = a - b }
}
