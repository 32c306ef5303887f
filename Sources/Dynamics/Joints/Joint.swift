import Geometry

/// The softness of one equation of a joint, independent of the mass (Box2D's soft constraints).
struct Softness: Hashable, Sendable, Codable {
    /// γ·m, where m is the effective mass of the equation. 0 is rigid.
    let share: Double
    /// The velocity demanded per unit of error. 0 is rigid: then positions are corrected.
    let biasRate: Double

    static var rigid: Softness { Softness(share: 0, biasRate: 0) }
    var isRigid: Bool { biasRate == 0 }

    private init(share: Double, biasRate: Double) {
        self.share = share
        self.biasRate = biasRate
    }

    /// `frequency` from 0 (rigid) to 10⁶ Hz, `damping` a ratio of at least 0.
    init(frequency: Double, damping: Double) {
        precondition(frequency >= 0 && frequency <= 1e6, "a spring of \(frequency) Hz")
        precondition(damping >= 0, "a damping ratio of \(damping)")
        // γ = 1 / (h·(d + h·k)) with d = 2mζω and k = mω², and bias = C·h·k·γ.
        let omega = 2 * Double.pi * frequency
        let drag = Tuning.step * (2 * min(damping, 1e9) * omega + Tuning.step * omega * omega)
        share = drag > 0 ? 1 / drag : 0
        biasRate = Tuning.step * omega * omega * share
    }
}

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

/// The impulses of the last step, with which the next one starts (warm starting).
struct WarmStart: Hashable, Sendable {
    /// In the joint's own order; a joint with one equation uses x.
    var impulse = Vector3()
    var friction = 0.0
    var limitState = LimitState.free
}

extension WarmStart: Codable {
    private enum CodingKeys: String, CodingKey {
        case impulse, friction
        case limitState = "hold"
    }

    /// Values of 0 are left out of documents.
    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        impulse = try table.decodeIfPresent(Vector3.self, forKey: .impulse) ?? Vector3()
        friction = try table.decodeIfPresent(Double.self, forKey: .friction) ?? 0
        limitState = try table.decodeIfPresent(LimitState.self, forKey: .limitState) ?? .free
    }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        if !impulse.isNothing { try table.encode(impulse, forKey: .impulse) }
        if friction.bitPattern != 0 { try table.encode(friction, forKey: .friction) }
        if limitState != .free { try table.encode(limitState, forKey: .limitState) }
    }
}

/// A joint between two bodies, or to the ground for the kinds that `GroundJoint` has not.
struct Joint: Hashable, Sendable, Codable {
    enum Kind: Hashable, Sendable, Codable {
        case distance(length: Double, spring: Softness)
        case pin(PinJoint)
        case weld(WeldJoint)
        case sliding(SlidingJoint)
        /// Limits the distance.
        case rope(length: Double)

        /// The angle of the second body to the first when the joint was made, for kinds that use
        /// it.
        var reference: Double? {
            switch self {
            case .pin(let joint): joint.reference
            case .weld(let joint): joint.reference
            case .sliding(let joint): joint.reference
            case .distance, .rope: nil
            }
        }

        var length: Double? {
            switch self {
            case .distance(let length, _), .rope(let length): length
            case .pin, .weld, .sliding: nil
            }
        }

        /// Whether impulses of one kind have the same meaning for the other.
        func isAlike(_ other: Kind) -> Bool {
            switch (self, other) {
            case (.distance, .distance), (.pin, .pin), (.weld, .weld), (.sliding, .sliding),
                (.rope, .rope):
                true
            case (.distance, _), (.pin, _), (.weld, _), (.sliding, _), (.rope, _): false
            }
        }
    }

    /// The body or ground at the first anchor.
    enum First: Hashable, Sendable, Codable {
        case ground
        /// A body by its index.
        case body(Int32)
    }

    let behavior: BehaviorID
    var kind: Kind
    var first: First
    /// From the first body's center, in its coordinates; on the ground a point of the world.
    var firstOffset: Vector
    /// The attached item's body by its index.
    var second: Int32
    var secondOffset: Vector
    var warmStart = WarmStart()

    /// The keys are a file format.
    private enum CodingKeys: String, CodingKey {
        case behavior, kind, first, firstOffset, second, secondOffset
        case warmStart = "memory"
    }

    func ties(_ index: Int) -> Bool { second == Int32(index) || first == .body(Int32(index)) }
}
