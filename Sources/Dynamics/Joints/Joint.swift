import Geometry

/// How soft an equation of a joint is, so that a mass cancels from it.
struct Softness: Hashable, Sendable, Codable {
    /// γ·m of the soft constraint, m the equation's effective mass. 0 is rigid.
    let share: Double
    /// Speed asked for per unit of error. 0 for rigid ones: positions are corrected.
    let biasRate: Double

    static var rigid: Softness { Softness(share: 0, biasRate: 0) }
    var isRigid: Bool { biasRate == 0 }

    private init(share: Double, biasRate: Double) {
        self.share = share
        self.biasRate = biasRate
    }

    /// `frequency` is 0 (rigid) to 10⁶ Hz, `damping` a ratio of at least 0.
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

/// Two ends together, about which the bodies turn.
struct PinJoint: Hashable, Sendable, Codable {
    /// How the second body stood to the first (rad) when it was made.
    let reference: Double
    /// The greatest torque against turning, in kg·pt²/s².
    var friction = 0.0
    /// From where it stood, in radians.
    var range: ClosedRange<Double>?
}

/// Two bodies held as they stood.
struct WeldJoint: Hashable, Sendable, Codable {
    let reference: Double
    /// Against turning only: the ends are always together.
    let spring: Softness
}

/// One end that moves along an axis through the other, without turning.
struct SlidingJoint: Hashable, Sendable, Codable {
    let reference: Double
    /// Of length 1, in the first body's own coordinates.
    let axis: Vector
    /// As it was given, in the world's: a change that gives it again keeps the axis.
    let given: Vector
    /// Along the axis, in points.
    let range: ClosedRange<Double>?
}

/// What a joint did in the last step, with which the next one starts.
struct Memory: Hashable, Sendable {
    /// In the joint's own order; a joint of one equation uses the first.
    var impulse = Triple()
    var friction = 0.0
    var hold = Hold.free
}

extension Memory: Codable {
    private enum CodingKeys: String, CodingKey { case impulse, friction, hold }

    /// What has done nothing yet is left out.
    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        impulse = try table.decodeIfPresent(Triple.self, forKey: .impulse) ?? Triple()
        friction = try table.decodeIfPresent(Double.self, forKey: .friction) ?? 0
        hold = try table.decodeIfPresent(Hold.self, forKey: .hold) ?? .free
    }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        if !impulse.isNothing { try table.encode(impulse, forKey: .impulse) }
        if friction.bitPattern != 0 { try table.encode(friction, forKey: .friction) }
        if hold != .free { try table.encode(hold, forKey: .hold) }
    }
}

/// A joint between two bodies, or one to the ground of a kind that `Joint` is not.
struct Link: Hashable, Sendable, Codable {
    enum Kind: Hashable, Sendable, Codable {
        case distance(length: Double, spring: Softness)
        case pin(PinJoint)
        case weld(WeldJoint)
        case sliding(SlidingJoint)
        /// A distance at most.
        case rope(length: Double)

        /// How the second body stood to the first when it was made, where that matters.
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

        /// Whether an impulse of the one means the same to the other.
        func isAlike(_ other: Kind) -> Bool {
            switch (self, other) {
            case (.distance, .distance), (.pin, .pin), (.weld, .weld), (.sliding, .sliding),
                (.rope, .rope):
                true
            case (.distance, _), (.pin, _), (.weld, _), (.sliding, _), (.rope, _): false
            }
        }
    }

    /// What the first end is on.
    enum First: Hashable, Sendable, Codable {
        case ground
        /// A body by its place in the animator.
        case body(Int32)
    }

    let behavior: BehaviorID
    var kind: Kind
    var first: First
    /// From the first body's center in its own coordinates; a point of the world on the ground.
    var firstOffset: Vector
    /// The item that is attached, by its body's place.
    var second: Int32
    var secondOffset: Vector
    var memory = Memory()

    func ties(_ index: Int) -> Bool { second == Int32(index) || first == .body(Int32(index)) }
}
