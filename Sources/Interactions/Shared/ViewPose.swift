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

    /// Whether a point lies in a view of this size.
    func contains(_ point: Vector, size: Size) -> Bool {
        let (sine, cosine) = Angle.sineCosine(-rotation)
        let place = (point - center).rotated(sine: sine, cosine: cosine)
        return place.x.magnitude <= size.width / 2 && place.y.magnitude <= size.height / 2
    }

    var isSound: Bool { center.isWithin(1e12) && rotation.magnitude <= 1e12 }
}
