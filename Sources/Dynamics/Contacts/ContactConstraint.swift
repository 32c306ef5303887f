import Geometry

/// One touching pair during solving: friction along the surface, no approach across it.
struct ContactConstraint {
    struct Point {
        /// Lever arms of normal impulses (apart) and of tangential ones (along).
        var apartA = 0.0
        var apartB = 0.0
        var alongA = 0.0
        var alongB = 0.0
        /// Accumulated in this step, in kg·pt/s.
        var normalImpulse = 0.0
        var tangentImpulse = 0.0
        /// The change of the normal velocity by an impulse of 1, and its inverse.
        var stiffness = 0.0
        var normalMass = 0.0
        var tangentMass = 0.0
        /// The separation speed (pt/s) that restitution demands.
        var bounce = 0.0
    }

    /// The contact's index in the manager's list.
    let contact: Int32
    let bodyA: Int32
    let bodyB: Int32
    /// The number of points to solve. Redundant points are solved as one.
    private var count: Int32
    let skinA: Double
    let skinB: Double
    private var normal = Vector.zero
    private let friction: Double
    private var first = Point()
    private var second = Point()
    /// The change of one point's normal velocity by an impulse of 1 at the other.
    private var coupling = 0.0
    /// 1 / (k₁₁·k₂₂ − k₁₂²)
    private var inverseDeterminant = 0.0

    init(
        _ number: Int32, of contacts: ContactManager, _ solverBodies: [SolverBody], isWarm: Bool
    ) {
        let contact = contacts.list[Int(number)]
        self.contact = number
        bodyA = Int32(contact.bodyA)
        bodyB = Int32(contact.bodyB)
        count = Int32(contact.manifold.count)
        (skinA, skinB) = contacts.skins(contact)
        let second = contacts.fixtures[Int(contact.second)]
        let first: (friction: Double, elasticity: Double)
        if contact.isOnGround {
            first = (Tuning.boundaryFriction, Tuning.boundaryElasticity)
        } else {
            let fixture = contacts.fixtures[Int(contact.first)]
            first = (fixture.friction, fixture.elasticity)
        }
        friction = (first.friction * second.friction).squareRoot()
        let elasticity = max(first.elasticity, second.elasticity)
        prepare(
            contact.manifold, solverBodies[Int(bodyA)], solverBodies[Int(bodyB)], elasticity,
            isWarm: isWarm)
    }

    private mutating func prepare(
        _ manifold: Manifold, _ a: SolverBody, _ b: SolverBody, _ elasticity: Double, isWarm: Bool
    ) {
        let (transformA, transformB) = (a.transform, b.transform)
        let seen = manifold.middle(manifold.first.local, transformA, skinA, transformB, skinB)
        normal = seen.normal
        first = point(manifold.first, at: seen.point, a, b, elasticity, isWarm: isWarm)
        guard count > 1 else { return }
        let other = manifold.middle(manifold.second.local, transformA, skinA, transformB, skinB)
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
        _ local: ManifoldPoint, at place: Vector, _ a: SolverBody, _ b: SolverBody,
        _ elasticity: Double,
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

    /// The change of the normal velocity at one point by an impulse of 1 at another.
    @inline(__always)
    private func stiffness(_ p: Point, _ q: Point, _ a: SolverBody, _ b: SolverBody) -> Double {
        a.inverseMass + b.inverseMass + a.inverseInertia * p.apartA * q.apartA
            + b.inverseInertia * p.apartB * q.apartB
    }

    // MARK: Impulses

    /// Applies the last step's impulses (warm starting).
    func start(_ a: inout SolverBody, _ b: inout SolverBody) {
        var motion = RelativeMotion(a, b, normal)
        motion.push(first.normalImpulse, first)
        motion.rub(first.tangentImpulse, first)
        if count > 1 {
            motion.push(second.normalImpulse, second)
            motion.rub(second.tangentImpulse, second)
        }
        motion.apply(to: &a, &b, normal)
    }

    /// The normal impulses of this step, in kg·pt/s.
    var strength: Double { first.normalImpulse + (count > 1 ? second.normalImpulse : 0) }

    func store(in contact: inout ShapeContact) {
        contact.manifold.first.normalImpulse = Float(first.normalImpulse)
        contact.manifold.first.tangentImpulse = Float(first.tangentImpulse)
        guard count > 1 else { return }
        contact.manifold.second.normalImpulse = Float(second.normalImpulse)
        contact.manifold.second.tangentImpulse = Float(second.tangentImpulse)
    }

    /// Friction first: non-penetration is more important and is solved last.
    @inline(__always)
    mutating func solve(_ a: inout SolverBody, _ b: inout SolverBody) {
        var motion = RelativeMotion(a, b, normal)
        rub(&first, &motion)
        if count > 1 {
            rub(&second, &motion)
            solveBoth(&motion)
        } else {
            let approach = motion.speedApart(at: first) - first.bounce
            let impulse = max(first.normalImpulse - first.normalMass * approach, 0)
            motion.push(impulse - first.normalImpulse, first)
            first.normalImpulse = impulse
        }
        motion.apply(to: &a, &b, normal)
    }

    @inline(__always)
    private func rub(_ point: inout Point, _ motion: inout RelativeMotion) {
        let most = friction * point.normalImpulse
        let wanted = point.tangentImpulse - point.tangentMass * motion.speedAlong(at: point)
        // `min` and `max` take more than one instruction each.
        let held = wanted < most ? wanted : most
        let impulse = -most > held ? -most : held
        motion.rub(impulse - point.tangentImpulse, point)
        point.tangentImpulse = impulse
    }

    /// Solves both normal impulses together: of the four combinations of holding and separating,
    /// the one that is consistent.
    ///
    /// Source: the linear complementarity problem of Box2D's block solver, by enumeration.
    @inline(__always)
    private mutating func solveBoth(_ motion: inout RelativeMotion) {
        let (k11, k22, k12) = (first.stiffness, second.stiffness, coupling)
        let (a1, a2) = (first.normalImpulse, second.normalImpulse)
        let b1 = motion.speedApart(at: first) - (first.bounce + (k11 * a1 + k12 * a2))
        let b2 = motion.speedApart(at: second) - (second.bounce + (k12 * a1 + k22 * a2))
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
        motion.push(x1 - a1, first)
        motion.push(x2 - a2, second)
    }
}

/// The relative motion of a pair during solving.
///
/// Its components apart (along the normal) and along (across it) are independent, so the chain of
/// dependent operations is half as long as with both bodies' velocities.
private struct RelativeMotion {
    private var apart: Double
    private var along: Double
    private var spinA: Double
    private var spinB: Double
    /// Accumulated impulses.
    private var pushed = 0.0
    private var rubbed = 0.0
    /// The change of velocity by an impulse of 1.
    private let inverseMass: Double
    private let inverseInertiaA: Double
    private let inverseInertiaB: Double

    @inline(__always)
    init(_ a: SolverBody, _ b: SolverBody, _ normal: Vector) {
        let velocity = b.velocity - a.velocity
        apart = velocity.dot(normal)
        along = velocity.dot(normal.outward)
        (spinA, spinB) = (a.angularVelocity, b.angularVelocity)
        inverseMass = a.inverseMass + b.inverseMass
        (inverseInertiaA, inverseInertiaB) = (a.inverseInertia, b.inverseInertia)
    }

    @inline(__always)
    func apply(to a: inout SolverBody, _ b: inout SolverBody, _ normal: Vector) {
        let impulse = pushed * normal + rubbed * normal.outward
        a.velocity -= impulse * a.inverseMass
        b.velocity += impulse * b.inverseMass
        (a.angularVelocity, b.angularVelocity) = (spinA, spinB)
    }

    /// The separation speed at a point.
    @inline(__always)
    func speedApart(at point: ContactConstraint.Point) -> Double {
        apart + (spinB * point.apartB - spinA * point.apartA)
    }

    /// The sliding speed at a point.
    @inline(__always)
    func speedAlong(at point: ContactConstraint.Point) -> Double {
        along + (spinB * point.alongB - spinA * point.alongA)
    }

    /// Applies a normal impulse (kg·pt/s) to the second body at a point, the opposite to the first.
    @inline(__always)
    mutating func push(_ impulse: Double, _ point: ContactConstraint.Point) {
        pushed += impulse
        apart += impulse * inverseMass
        spinA -= impulse * (point.apartA * inverseInertiaA)
        spinB += impulse * (point.apartB * inverseInertiaB)
    }

    /// Applies a tangential impulse.
    @inline(__always)
    mutating func rub(_ impulse: Double, _ point: ContactConstraint.Point) {
        rubbed += impulse
        along += impulse * inverseMass
        spinA -= impulse * (point.alongA * inverseInertiaA)
        spinB += impulse * (point.alongB * inverseInertiaB)
    }
}
