import Geometry

/// Where a view is, and how it is turned.
struct Pose: Hashable, Sendable, Codable {
    /// In points in the viewport.
    var center: Vector
    /// Radians, not wrapped.
    var rotation: Double
}
