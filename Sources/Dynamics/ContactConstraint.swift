import Geometry

/// One touching pair while it is solved: friction along, no approach across.
struct ContactConstraint {
    struct Point {
        var leverA = Vector.zero
        var leverB = Vector.zero
        /// What it does in this step, in kg·pt/s.
        var normalImpulse = 0.0
        var tangentImpulse = 0.0
        /// What an impulse of 1 changes of the approach, and its inverse.
        var stiffness = 0.0
        var normalMass = 0.0
        var tangentMass = 0.0
        /// The speed (pt/s) at which it shall leave.
        var bounce = 0.0
    }

    /// By its place in the list.
    let contact: Int32
    let bodyA: Int32
    let bodyB: Int32
    /// How many of the points are solved; where they say the same, one carries both.
    private var count: Int32
    let skinA: Double
    let skinB: Double
    private var normal = Vector.zero
    private let friction: Double
    private var first = Point()
    private var second = Point()
    /// What the points do to each other.
    private var coupling = 0.0
    /// 1 / (k₁₁·k₂₂ − k₁₂²)
    private var inverseDeterminant = 0.0

    init(
        _ number: Int32, of contacts: Contacts, _ movers: [Mover], _ poseA: Pose, _ poseB: Pose,
        isWarm: Bool
    ) {
        let contact = contacts.list[Int(number)]
        self.contact = number
        bodyA = contact.bodyA
        bodyB = contact.bodyB
        count = Int32(contact.manifold.count)
        (skinA, skinB) = contacts.skins(contact)
        let second = contacts.parts[Int(contact.second)]
        let first: (friction: Double, elasticity: Double)
        if contact.isOnGround {
            first = (Tuning.boundaryFriction, Tuning.boundaryElasticity)
        } else {
            let part = contacts.parts[Int(contact.first)]
            first = (part.friction, part.elasticity)
        }
        friction = (first.friction * second.friction).squareRoot()
        let elasticity = max(first.elasticity, second.elasticity)
        prepare(
            contact.manifold, movers[Int(bodyA)], movers[Int(bodyB)], poseA, poseB, elasticity,
            isWarm: isWarm)
    }

    private mutating func prepare(
        _ manifold: Manifold, _ a: Mover, _ b: Mover, _ poseA: Pose, _ poseB: Pose,
        _ elasticity: Double, isWarm: Bool
    ) {
        let seen = manifold.middle(manifold.first.local, poseA, skinA, poseB, skinB)
        normal = seen.normal
        first = point(manifold.first, at: seen.point, a, b, elasticity, isWarm: isWarm)
        guard count > 1 else { return }
        let other = manifold.middle(manifold.second.local, poseA, skinA, poseB, skinB)
        second = point(manifold.second, at: other.point, a, b, elasticity, isWarm: isWarm)
        let coupling = stiffness(normal, first, second, a, b)
        let determinant = first.stiffness * second.stiffness - coupling * coupling
        if first.stiffness * first.stiffness < Tuning.conditionMax * determinant {
            self.coupling = coupling
            inverseDeterminant = 1 / determinant
        } else {
            count = 1
        }
    }

    private func point(
        _ local: ManifoldPoint, at place: Vector, _ a: Mover, _ b: Mover, _ elasticity: Double,
        isWarm: Bool
    ) -> Point {
        var point = Point()
        point.leverA = place - a.center
        point.leverB = place - b.center
        point.stiffness = stiffness(normal, point, point, a, b)
        point.normalMass = point.stiffness > 0 ? 1 / point.stiffness : 0
        let along = stiffness(normal.outward, point, point, a, b)
        point.tangentMass = along > 0 ? 1 / along : 0
        let approach = normal.dot(b.velocity(at: point.leverB) - a.velocity(at: point.leverA))
        point.bounce = approach < -Tuning.bounceSpeed ? -elasticity * approach : 0
        guard isWarm else { return point }
        point.normalImpulse = local.normalImpulse
        point.tangentImpulse = local.tangentImpulse
        return point
    }

    /// What an impulse of 1 at one point changes of the speed at another, in one direction.
    @inline(__always)
    private func stiffness(
        _ axis: Vector, _ p: Point, _ q: Point, _ a: Mover, _ b: Mover
    ) -> Double {
        a.inverseMass + b.inverseMass
            + a.inverseInertia * p.leverA.cross(axis) * q.leverA.cross(axis)
            + b.inverseInertia * p.leverB.cross(axis) * q.leverB.cross(axis)
    }

    // MARK: Impulses

    /// Applies the impulses of the last step.
    func start(_ a: inout Mover, _ b: inout Mover) {
        apply(first.normalImpulse, first.tangentImpulse, first, &a, &b)
        if count > 1 { apply(second.normalImpulse, second.tangentImpulse, second, &a, &b) }
    }

    func store(in contact: inout Contact) {
        contact.manifold.first.normalImpulse = first.normalImpulse
        contact.manifold.first.tangentImpulse = first.tangentImpulse
        guard count > 1 else { return }
        contact.manifold.second.normalImpulse = second.normalImpulse
        contact.manifold.second.tangentImpulse = second.tangentImpulse
    }

    @inline(__always)
    private func apply(
        _ across: Double, _ along: Double, _ point: Point, _ a: inout Mover, _ b: inout Mover
    ) {
        let impulse = across * normal + along * normal.outward
        a.take(-impulse, at: point.leverA)
        b.take(impulse, at: point.leverB)
    }

    @inline(__always)
    private func speed(_ point: Point, _ a: Mover, _ b: Mover) -> Vector {
        b.velocity(at: point.leverB) - a.velocity(at: point.leverA)
    }

    /// Friction first: not to overlap is more important, and has the last word.
    @inline(__always)
    mutating func solve(_ a: inout Mover, _ b: inout Mover) {
        rub(&first, &a, &b)
        if count > 1 {
            rub(&second, &a, &b)
            solveBoth(&a, &b)
        } else {
            let approach = normal.dot(speed(first, a, b)) - first.bounce
            let impulse = max(first.normalImpulse - first.normalMass * approach, 0)
            let change = impulse - first.normalImpulse
            first.normalImpulse = impulse
            apply(change, 0, first, &a, &b)
        }
    }

    @inline(__always)
    private func rub(_ point: inout Point, _ a: inout Mover, _ b: inout Mover) {
        let slip = normal.outward.dot(speed(point, a, b))
        let most = friction * point.normalImpulse
        let impulse = max(-most, min(point.tangentImpulse - point.tangentMass * slip, most))
        let change = impulse - point.tangentImpulse
        point.tangentImpulse = impulse
        apply(0, change, point, &a, &b)
    }

    /// Both points at once: of the four ways in which each holds or leaves, the one that fits.
    ///
    /// Source: the linear complementarity problem of Box2D's block solver, by enumeration.
    @inline(__always)
    private mutating func solveBoth(_ a: inout Mover, _ b: inout Mover) {
        let (k11, k22, k12) = (first.stiffness, second.stiffness, coupling)
        let (a1, a2) = (first.normalImpulse, second.normalImpulse)
        let b1 = normal.dot(speed(first, a, b)) - first.bounce - (k11 * a1 + k12 * a2)
        let b2 = normal.dot(speed(second, a, b)) - second.bounce - (k12 * a1 + k22 * a2)
        let (both1, both2) = (
            -inverseDeterminant * (k22 * b1 - k12 * b2), -inverseDeterminant * (k11 * b2 - k12 * b1)
        )
        let (only1, only2) = (-first.normalMass * b1, -second.normalMass * b2)
        let (x1, x2): (Double, Double)
        if both1 >= 0 && both2 >= 0 {
            (x1, x2) = (both1, both2)
        } else if only1 >= 0 && k12 * only1 + b2 >= 0 {
            (x1, x2) = (only1, 0)
        } else if only2 >= 0 && k12 * only2 + b1 >= 0 {
            (x1, x2) = (0, only2)
        } else if b1 >= 0 && b2 >= 0 {
            (x1, x2) = (0, 0)
        } else {
            return
        }
        first.normalImpulse = x1
        second.normalImpulse = x2
        let (one, two) = ((x1 - a1) * normal, (x2 - a2) * normal)
        a.take(-one, at: first.leverA)
        a.take(-two, at: second.leverA)
        b.take(one, at: first.leverB)
        b.take(two, at: second.leverB)
    }
}
