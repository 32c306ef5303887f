import Geometry

/// A joint between one body and a fixed point: the common case, with a fast solver of its own.
///
/// Impulses are stored as velocity changes (pt/s): the body's mass cancels from every equation.
struct GroundJoint: Hashable, Sendable, Codable {
    enum Kind: Hashable, Sendable, Codable {
        /// Keeps a distance, softly.
        case spring
        /// Keeps a distance rigidly.
        case rod
        /// Keeps two points together.
        case pin
    }

    let behavior: BehaviorID
    let kind: Kind
    /// The held point from the body's center, in the body's coordinates (points).
    var offset: Vector
    /// The fixed point (pt).
    var ground: Vector
    /// From the behavior's anchor to the fixed point. It moves with the anchor.
    var arm: Vector
    /// The distance at rest (pt).
    let length: Double
    let spring: Softness
    /// The last step's impulse (pt/s): along the axis in x, or a pin's x and y. The next step
    /// starts with it.
    var impulse = Vector.zero

    /// The number of scalar velocity constraints.
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

    /// A frequency of 0 is rigid.
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

    /// Nil for kinds that `Joint` alone supports.
    init?(
        _ kind: Joint.Kind, _ offset: Vector, at ground: Vector, _ behavior: BehaviorID,
        after former: AnyJoint?
    ) {
        switch kind {
        case .distance(let length, let spring):
            self.kind = spring.isRigid ? .rod : .spring
            self.length = length
            self.spring = spring
        case .pin(let pin):
            guard pin.friction == 0, pin.range == nil else { return nil }
            self.kind = .pin
            length = 0
            spring = .rigid
        case .weld, .sliding, .rope: return nil
        }
        self.behavior = behavior
        self.offset = offset
        self.ground = ground
        arm = .zero
        if case .ground(let before) = former, (before.kind == .pin) == (self.kind == .pin) {
            impulse = before.impulse
        }
    }
}
