import Dynamics
import Geometry

/// A view's place and rotation.
struct ViewPose: Hashable, Sendable, Codable {
    /// In points in the viewport.
    var center: Vector
    /// Radians, not wrapped.
    var rotation: Double
}

extension ViewPose {
    /// The pose of a body's view.
    init(_ motion: Motion) { self.init(center: motion.center, rotation: motion.rotation) }

    var isSound: Bool { center.isWithin(1e12) && rotation.magnitude <= 1e12 }
}
