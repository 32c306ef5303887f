import Geometry

/// One joint between a body and a fixed point.
///
/// Impulses are kept as velocity changes (pt/s): between one body and the fixed world the
/// body's mass cancels from every equation.
struct Joint: Hashable, Sendable, Codable {
    enum Kind: Hashable, Sendable, Codable {
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
    var offset: Vector
    /// The fixed point.
    var ground: Vector
    /// Where it is from the behavior's anchor, with which it moves.
    var arm: Vector
    /// The distance at rest (pt).
    let length: Double
    let spring: Softness
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
        spring = .rigid
    }

    /// Frequency 0 is rigid.
    init(
        holding offset: Vector, at length: Double, from anchor: Vector, arm: Vector = .zero,
        frequency: Double, damping: Double, behavior: BehaviorID
    ) {
        kind = frequency > 0 ? .spring : .rod
        self.behavior = behavior
        self.offset = offset
        self.arm = arm
        ground = anchor + arm
        self.length = length
        spring = Softness(frequency: frequency, damping: damping)
    }

    /// A link to the ground of a kind that is one of these; nil for the others.
    init?(
        _ kind: Link.Kind, _ offset: Vector, at ground: Vector, _ behavior: BehaviorID,
        after former: Bond?
    ) {
        switch kind {
        case .distance(let length, let spring):
            self.kind = spring.isRigid ? .rod : .spring
            self.length = length
            self.spring = spring
        case .pin(let joint):
            guard joint.friction == 0, joint.range == nil else { return nil }
            self.kind = .pin
            length = 0
            spring = .rigid
        case .weld, .sliding, .rope: return nil
        }
        self.behavior = behavior
        self.offset = offset
        self.ground = ground
        arm = .zero
        if case .joint(let before) = former, (before.kind == .pin) == (self.kind == .pin) {
            impulse = before.impulse
        }
    }
}
