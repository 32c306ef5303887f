import Geometry

/// One touching pair while it is solved: friction along, no approach across.
struct ContactConstraint {
    struct Point {
        /// How a spin of either moves the point: apart, and along.
        var apartA = 0.0
        var apartB = 0.0
        var alongA = 0.0
        var alongB = 0.0
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
        bodyA = Int32(contact.bodyA)
        bodyB = Int32(contact.bodyB)
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
        let coupling = stiffness(first, second, a, b)
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
        point.apartA = leverA.cross(normal)
        point.apartB = leverB.cross(normal)
        point.alongA = leverA.cross(normal.outward)
        point.alongB = leverB.cross(normal.outward)
        point.stiffness = stiffness(point, point, a, b)
        point.normalMass = point.stiffness > 0 ? 1 / point.stiffness : 0
        let along =
            a.inverseMass + b.inverseMass + a.inverseInertia * point.alongA * point.alongA
            + b.inverseInertia * point.alongB * point.alongB
        point.tangentMass = along > 0 ? 1 / along : 0
        let approach = normal.dot(b.velocity(at: leverB) - a.velocity(at: leverA))
        point.bounce = approach < -Tuning.bounceSpeed ? -elasticity * approach : 0
        guard isWarm else { return point }
        point.normalImpulse = Double(local.normalImpulse)
        point.tangentImpulse = Double(local.tangentImpulse)
        return point
    }

    /// What an impulse of 1 at one point changes of the speed apart at another.
    @inline(__always)
    private func stiffness(_ p: Point, _ q: Point, _ a: Mover, _ b: Mover) -> Double {
        a.inverseMass + b.inverseMass + a.inverseInertia * p.apartA * q.apartA
            + b.inverseInertia * p.apartB * q.apartB
    }

    // MARK: Impulses

    /// Applies the impulses of the last step.
    func start(_ a: inout Mover, _ b: inout Mover) {
        var relation = Relation(a, b, normal)
        relation.push(first.normalImpulse, first)
        relation.rub(first.tangentImpulse, first)
        if count > 1 {
            relation.push(second.normalImpulse, second)
            relation.rub(second.tangentImpulse, second)
        }
        relation.apply(to: &a, &b, normal)
    }

    func store(in contact: inout Contact) {
        contact.manifold.first.normalImpulse = Float(first.normalImpulse)
        contact.manifold.first.tangentImpulse = Float(first.tangentImpulse)
        guard count > 1 else { return }
        contact.manifold.second.normalImpulse = Float(second.normalImpulse)
        contact.manifold.second.tangentImpulse = Float(second.tangentImpulse)
    }

    /// Friction first: not to overlap is more important, and has the last word.
    @inline(__always)
    mutating func solve(_ a: inout Mover, _ b: inout Mover) {
        var relation = Relation(a, b, normal)
        rub(&first, &relation)
        if count > 1 {
            rub(&second, &relation)
            solveBoth(&relation)
        } else {
            let approach = relation.speedApart(at: first) - first.bounce
            let impulse = max(first.normalImpulse - first.normalMass * approach, 0)
            relation.push(impulse - first.normalImpulse, first)
            first.normalImpulse = impulse
        }
        relation.apply(to: &a, &b, normal)
    }

    @inline(__always)
    private func rub(_ point: inout Point, _ relation: inout Relation) {
        let most = friction * point.normalImpulse
        let wanted = point.tangentImpulse - point.tangentMass * relation.speedAlong(at: point)
        // Not by `min` and `max`, which are more than an instruction each.
        let held = wanted < most ? wanted : most
        let impulse = -most > held ? -most : held
        relation.rub(impulse - point.tangentImpulse, point)
        point.tangentImpulse = impulse
    }

    /// Both points at once: of the four ways in which each holds or leaves, the one that fits.
    ///
    /// Source: the linear complementarity problem of Box2D's block solver, by enumeration.
    @inline(__always)
    private mutating func solveBoth(_ relation: inout Relation) {
        let (k11, k22, k12) = (first.stiffness, second.stiffness, coupling)
        let (a1, a2) = (first.normalImpulse, second.normalImpulse)
        let b1 = relation.speedApart(at: first) - (first.bounce + (k11 * a1 + k12 * a2))
        let b2 = relation.speedApart(at: second) - (second.bounce + (k12 * a1 + k22 * a2))
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
        relation.push(x1 - a1, first)
        relation.push(x2 - a2, second)
    }
}

/// How the two of a contact move to each other while it is solved.
///
/// Counted apart (along the normal) and along (across it), where an impulse in one does nothing
/// in the other: what the next impulse waits for is half as long as with both velocities.
private struct Relation {
    private var apart: Double
    private var along: Double
    private var spinA: Double
    private var spinB: Double
    /// The impulses so far.
    private var pushed = 0.0
    private var rubbed = 0.0
    /// What an impulse of 1 changes.
    private let inverseMass: Double
    private let inverseInertiaA: Double
    private let inverseInertiaB: Double

    @inline(__always)
    init(_ a: Mover, _ b: Mover, _ normal: Vector) {
        let velocity = b.velocity - a.velocity
        apart = velocity.dot(normal)
        along = velocity.dot(normal.outward)
        (spinA, spinB) = (a.spin, b.spin)
        inverseMass = a.inverseMass + b.inverseMass
        (inverseInertiaA, inverseInertiaB) = (a.inverseInertia, b.inverseInertia)
    }

    @inline(__always)
    func apply(to a: inout Mover, _ b: inout Mover, _ normal: Vector) {
        let impulse = pushed * normal + rubbed * normal.outward
        a.velocity -= impulse * a.inverseMass
        b.velocity += impulse * b.inverseMass
        (a.spin, b.spin) = (spinA, spinB)
    }

    /// How fast the second leaves the first at a point.
    @inline(__always)
    func speedApart(at point: ContactConstraint.Point) -> Double {
        apart + (spinB * point.apartB - spinA * point.apartA)
    }

    /// How fast the second slips along the first at a point.
    @inline(__always)
    func speedAlong(at point: ContactConstraint.Point) -> Double {
        along + (spinB * point.alongB - spinA * point.alongA)
    }

    /// Takes an impulse (kg·pt/s) along the normal at a point, the first its opposite.
    @inline(__always)
    mutating func push(_ impulse: Double, _ point: ContactConstraint.Point) {
        pushed += impulse
        apart += impulse * inverseMass
        spinA -= impulse * (point.apartA * inverseInertiaA)
        spinB += impulse * (point.apartB * inverseInertiaB)
    }

    /// The same across it.
    @inline(__always)
    mutating func rub(_ impulse: Double, _ point: ContactConstraint.Point) {
        rubbed += impulse
        along += impulse * inverseMass
        spinA -= impulse * (point.alongA * inverseInertiaA)
        spinB += impulse * (point.alongB * inverseInertiaB)
    }
}
