import Geometry

/// Where a view is, and how it is turned.
struct Pose: Hashable, Sendable, Codable {
    /// In points in the viewport.
    var center: Vector
    /// Radians, not wrapped.
    var rotation: Double
}

extension Pose {
    var isSound: Bool { center.isWithin(1e12) && rotation.magnitude <= 1e12 }
}
