import Geometry

/// One touching pair while it is solved: friction along, no approach across.
struct ContactConstraint {
    struct Point {
        /// The levers from both centers, a quarter turn on: how a spin moves the point.
        var acrossA = SIMD2<Double>.zero
        var acrossB = SIMD2<Double>.zero
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
        let (leverA, leverB) = (place - a.center, place - b.center)
        point.acrossA = SIMD2(-leverA.y, leverA.x)
        point.acrossB = SIMD2(-leverB.y, leverB.x)
        point.stiffness = stiffness(normal, point, point, a, b)
        point.normalMass = point.stiffness > 0 ? 1 / point.stiffness : 0
        let along = stiffness(normal.outward, point, point, a, b)
        point.tangentMass = along > 0 ? 1 / along : 0
        let approach = normal.dot(b.velocity(at: leverB) - a.velocity(at: leverA))
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
            + a.inverseInertia * turn(p.acrossA, axis) * turn(q.acrossA, axis)
            + b.inverseInertia * turn(p.acrossB, axis) * turn(q.acrossB, axis)
    }

    @inline(__always)
    private func turn(_ across: SIMD2<Double>, _ axis: Vector) -> Double {
        across.x * axis.x + across.y * axis.y
    }

    // MARK: Impulses

    /// Applies the impulses of the last step.
    func start(_ a: inout Mover, _ b: inout Mover) {
        var motion = Motions(a, b)
        let normal = SIMD2(self.normal.x, self.normal.y)
        let tangent = SIMD2(normal.y, -normal.x)
        motion.take(first.normalImpulse * normal + first.tangentImpulse * tangent, at: first)
        if count > 1 {
            motion.take(
                second.normalImpulse * normal + second.tangentImpulse * tangent, at: second)
        }
        motion.store(&a, &b)
    }

    func store(in contact: inout Contact) {
        contact.manifold.first.normalImpulse = first.normalImpulse
        contact.manifold.first.tangentImpulse = first.tangentImpulse
        guard count > 1 else { return }
        contact.manifold.second.normalImpulse = second.normalImpulse
        contact.manifold.second.tangentImpulse = second.tangentImpulse
    }

    /// Friction first: not to overlap is more important, and has the last word.
    @inline(__always)
    mutating func solve(_ a: inout Mover, _ b: inout Mover) {
        var motion = Motions(a, b)
        let normal = SIMD2(self.normal.x, self.normal.y)
        let tangent = SIMD2(normal.y, -normal.x)
        rub(&first, tangent, &motion)
        if count > 1 {
            rub(&second, tangent, &motion)
            solveBoth(normal, &motion)
        } else {
            let approach = motion.speed(of: first, along: normal) - first.bounce
            let impulse = max(first.normalImpulse - first.normalMass * approach, 0)
            let change = impulse - first.normalImpulse
            first.normalImpulse = impulse
            motion.take(change * normal, at: first)
        }
        motion.store(&a, &b)
    }

    @inline(__always)
    private func rub(_ point: inout Point, _ tangent: SIMD2<Double>, _ motion: inout Motions) {
        let slip = motion.speed(of: point, along: tangent)
        let most = friction * point.normalImpulse
        let wanted = point.tangentImpulse - point.tangentMass * slip
        // Not by `min` and `max`, which are more than an instruction each.
        let held = wanted < most ? wanted : most
        let impulse = -most > held ? -most : held
        let change = impulse - point.tangentImpulse
        point.tangentImpulse = impulse
        motion.take(change * tangent, at: point)
    }

    /// Both points at once: of the four ways in which each holds or leaves, the one that fits.
    ///
    /// Source: the linear complementarity problem of Box2D's block solver, by enumeration.
    @inline(__always)
    private mutating func solveBoth(_ normal: SIMD2<Double>, _ motion: inout Motions) {
        let (k11, k22, k12) = (first.stiffness, second.stiffness, coupling)
        let (a1, a2) = (first.normalImpulse, second.normalImpulse)
        let b1 = motion.speed(of: first, along: normal) - first.bounce - (k11 * a1 + k12 * a2)
        let b2 = motion.speed(of: second, along: normal) - second.bounce - (k12 * a1 + k22 * a2)
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
        motion.take((x1 - a1) * normal, at: first)
        motion.take((x2 - a2) * normal, at: second)
    }
}

/// How the two of a contact move while it is solved, in registers, both axes at once.
private struct Motions {
    var velocityA: SIMD2<Double>
    var velocityB: SIMD2<Double>
    var spinA: Double
    var spinB: Double
    let inverseMassA: Double
    let inverseMassB: Double
    let inverseInertiaA: Double
    let inverseInertiaB: Double

    @inline(__always)
    init(_ a: Mover, _ b: Mover) {
        velocityA = SIMD2(a.velocity.x, a.velocity.y)
        velocityB = SIMD2(b.velocity.x, b.velocity.y)
        (spinA, spinB) = (a.spin, b.spin)
        (inverseMassA, inverseMassB) = (a.inverseMass, b.inverseMass)
        (inverseInertiaA, inverseInertiaB) = (a.inverseInertia, b.inverseInertia)
    }

    @inline(__always)
    func store(_ a: inout Mover, _ b: inout Mover) {
        a.velocity = Vector(velocityA.x, velocityA.y)
        a.spin = spinA
        b.velocity = Vector(velocityB.x, velocityB.y)
        b.spin = spinB
    }

    /// How fast the second leaves the first at a point.
    @inline(__always)
    func speed(of point: ContactConstraint.Point, along axis: SIMD2<Double>) -> Double {
        let apart =
            (velocityB + spinB * point.acrossB) - (velocityA + spinA * point.acrossA)
        let share = apart * axis
        return share.x + share.y
    }

    /// Takes an impulse (kg·pt/s) at a point, the first its opposite.
    @inline(__always)
    mutating func take(_ impulse: SIMD2<Double>, at point: ContactConstraint.Point) {
        let (turnA, turnB) = (point.acrossA * impulse, point.acrossB * impulse)
        velocityA -= impulse * inverseMassA
        spinA -= (turnA.x + turnA.y) * inverseInertiaA
        velocityB += impulse * inverseMassB
        spinB += (turnB.x + turnB.y) * inverseInertiaB
    }
}
