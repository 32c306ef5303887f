import Geometry

/// One joint between a body and a fixed point.
///
/// Impulses are kept as velocity changes (pt/s): between one body and the fixed world the
/// body's mass cancels from every equation.
struct Joint: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// Keeps a distance, softly.
        case spring
        /// Keeps a distance.
        case rod
        /// Keeps two points together.
        case pin
    }

    let behavior: BehaviorID
    let kind: Kind
    /// The held point from the body's center, in the body's own coordinates (points).
    let offset: Vector
    /// The fixed point.
    var ground: Vector
    /// Where it is from the behavior's anchor, with which it moves.
    let arm: Vector
    /// The distance at rest (pt).
    let length: Double
    /// γ·m of the soft constraint, m the joint's effective mass: m cancels. 0 is rigid.
    let softness: Double
    /// Speed (pt/s) asked for per point of stretch. 0 for rigid ones: positions are corrected.
    let biasRate: Double
    /// What the joint did in the last step: along its axis in x, or a pin's x and y (pt/s).
    var impulse = Vector.zero

    /// How many scalar velocity constraints it makes.
    var rowCount: Int { kind == .pin ? 2 : 1 }

    init(pinning offset: Vector, to ground: Vector, behavior: BehaviorID) {
        kind = .pin
        self.behavior = behavior
        self.offset = offset
        self.ground = ground
        arm = .zero
        length = 0
        softness = 0
        biasRate = 0
    }

    /// `frequency` is 0 (rigid) to 10⁶ Hz, `damping` a ratio of at least 0.
    init(
        holding offset: Vector, at length: Double, from anchor: Vector, arm: Vector = .zero,
        frequency: Double, damping: Double, behavior: BehaviorID
    ) {
        precondition(frequency >= 0 && frequency <= 1e6, "a spring of \(frequency) Hz")
        precondition(damping >= 0, "a damping ratio of \(damping)")
        kind = frequency > 0 ? .spring : .rod
        self.behavior = behavior
        self.offset = offset
        self.arm = arm
        ground = anchor + arm
        self.length = length
        // γ = 1 / (h·(d + h·k)) with d = 2mζω and k = mω², and bias = C·h·k·γ.
        let omega = 2 * Double.pi * frequency
        let drag = Tuning.step * (2 * min(damping, 1e9) * omega + Tuning.step * omega * omega)
        softness = drag > 0 ? 1 / drag : 0
        biasRate = Tuning.step * omega * omega * softness
    }
}
