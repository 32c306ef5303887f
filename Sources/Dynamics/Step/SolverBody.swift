import Geometry

/// A body while an island is solved: position, velocity and inverse masses.
///
/// The animator copies bodies in and out. The last of a list is the ground.
struct SolverBody: MovingBody, Hashable, Sendable {
    var center: Vector
    var rotation: Double {
        // Each contact and each joint needs them, and most leave the rotation as it is.
        didSet {
            guard rotation.bitPattern != oldValue.bitPattern else { return }
            (sine, cosine) = Angle.sineCosine(rotation)
        }
    }
    /// Sine and cosine of the rotation.
    private(set) var sine: Double
    private(set) var cosine: Double
    var velocity = Vector.zero
    var angularVelocity = 0.0
    /// In 1/kg; 0 does not move.
    var inverseMass: Double
    /// In 1/(kg·pt²); 0 does not rotate.
    var inverseInertia: Double
    var isAwake = true
    /// Whether something fixed is near.
    var isExposed = false

    /// The body to which boundaries are fixed.
    static var ground: SolverBody {
        SolverBody(center: .zero, rotation: 0, inverseMass: 0, inverseInertia: 0, isAwake: false)
    }

    init(
        center: Vector, rotation: Double, velocity: Vector = .zero, angularVelocity: Double = 0,
        inverseMass: Double, inverseInertia: Double, isAwake: Bool = true
    ) {
        self.center = center
        self.rotation = rotation
        (sine, cosine) = Angle.sineCosine(rotation)
        self.velocity = velocity
        self.angularVelocity = angularVelocity
        self.inverseMass = inverseMass
        self.inverseInertia = inverseInertia
        self.isAwake = isAwake
    }

    var isFixed: Bool { inverseMass == 0 }
    var transform: Transform { Transform(center: center, sine: sine, cosine: cosine) }

    /// The velocity of the point at a lever from the center.
    @inline(__always)
    func velocity(at lever: Vector) -> Vector {
        Vector(velocity.x - angularVelocity * lever.y, velocity.y + angularVelocity * lever.x)
    }

    /// Corrects position and rotation by an impulse on positions (kg·pt).
    @inline(__always)
    mutating func shift(_ impulse: Vector, at lever: Vector) {
        center += impulse * inverseMass
        rotation += lever.cross(impulse) * inverseInertia
    }

    /// Takes over the velocity of a copy.
    @inline(__always)
    mutating func setVelocity(_ copy: SolverBody) {
        velocity = copy.velocity
        angularVelocity = copy.angularVelocity
    }

    mutating func wake() {
        guard !isAwake, !isFixed else { return }
        isAwake = true
    }
}

extension SolverBody {
    init(_ body: Body) {
        let inverseMass = body.anchored ? 0 : body.inverseMass
        self.init(
            center: body.center, rotation: body.rotation, velocity: body.velocity,
            angularVelocity: body.angularVelocity, inverseMass: inverseMass,
            inverseInertia: inverseMass * body.inverseGyration * body.inverseGyration,
            isAwake: body.isAwake)
    }

    /// Takes over position and velocity from a body.
    mutating func setMotion(_ body: Body) {
        center = body.center
        rotation = body.rotation
        velocity = body.velocity
        angularVelocity = body.angularVelocity
        isAwake = body.isAwake
    }
}

extension Body {
    /// Takes over position and velocity from the solver.
    mutating func setMotion(_ solverBody: SolverBody) {
        center = solverBody.center
        rotation = solverBody.rotation
        velocity = solverBody.velocity
        angularVelocity = solverBody.angularVelocity
    }
}
