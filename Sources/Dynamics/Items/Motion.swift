package import Geometry

/// Position and velocity of an item.
package struct Motion: Hashable, Sendable {
    /// In points.
    package var center: Vector
    /// Radians, continuous over whole turns (not wrapped).
    package var rotation: Double
    /// In points per second.
    package var velocity: Vector
    /// In radians per second.
    package var angularVelocity: Double
}
