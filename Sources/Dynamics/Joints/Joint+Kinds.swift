import Geometry

/// Keeps the anchors together; both bodies may rotate about them.
struct PinJoint: Hashable, Sendable, Codable {
    /// The angle of the second body to the first (rad) when the joint was made.
    let reference: Double
    /// The greatest friction torque, in kg·pt²/s².
    var friction = 0.0
    /// Limits of the angle from `reference`, in radians.
    var range: ClosedRange<Double>?
}

/// Keeps anchors together and the angle as it was.
struct WeldJoint: Hashable, Sendable, Codable {
    let reference: Double
    /// Applies to the angle alone: the anchors are always rigid.
    let spring: Softness
}

/// Lets one anchor move along an axis through the other; the angle stays.
struct SlidingJoint: Hashable, Sendable, Codable {
    let reference: Double
    /// A unit vector in the first body's coordinates.
    let axis: Vector
    /// The axis as the caller gave it, in the world. If a change gives it again, `axis` stays.
    let given: Vector
    /// Limits along the axis, in points.
    let range: ClosedRange<Double>?
}
