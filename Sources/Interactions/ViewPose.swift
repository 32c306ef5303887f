import Geometry

/// Where a view is, and how it is turned.
struct ViewPose: Hashable, Sendable, Codable {
    /// In points in the viewport.
    var center: Vector
    /// Radians, not wrapped.
    var rotation: Double
}

extension ViewPose {
    var isSound: Bool { center.isWithin(1e12) && rotation.magnitude <= 1e12 }
}
