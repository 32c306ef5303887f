import Geometry

/// The two bodies of a joint, in its order. The first may be the ground.
struct BodyPair {
    var a: SolverBody
    var b: SolverBody
}

/// The points at which a joint holds its two bodies, as Box2D's local anchors.
struct JointAnchors {
    /// From the first body's center, in its coordinates; on the ground a point of the world.
    let localA: Vector
    let localB: Vector
    private(set) var leverA = Vector.zero
    private(set) var leverB = Vector.zero

    init(_ localA: Vector, _ localB: Vector) {
        self.localA = localA
        self.localB = localB
    }

    /// Rotates the lever arms to the bodies' present rotation.
    mutating func updateLevers(_ pair: BodyPair) {
        leverA = pair.a.transform.direction(localA)
        leverB = pair.b.transform.direction(localB)
    }

    /// The anchors with lever arms for the present rotations.
    func updated(for pair: BodyPair) -> JointAnchors {
        var anchors = self
        anchors.updateLevers(pair)
        return anchors
    }

    /// From the first anchor to the second.
    @inline(__always)
    func span(_ pair: BodyPair) -> Vector { pair.b.center + leverB - (pair.a.center + leverA) }

    /// The second anchor's velocity relative to the first's.
    @inline(__always)
    func relativeVelocity(_ pair: BodyPair) -> Vector {
        pair.b.velocity(at: leverB) - pair.a.velocity(at: leverA)
    }

    /// The inverse effective mass along an axis: what an impulse of 1 changes of the relative
    /// velocity.
    func inverseMass(along axis: Vector, _ pair: BodyPair) -> Double {
        let (turnA, turnB) = (leverA.cross(axis), leverB.cross(axis))
        return pair.a.inverseMass + pair.a.inverseInertia * turnA * turnA
            + pair.b.inverseMass + pair.b.inverseInertia * turnB * turnB
    }

    /// Applies an impulse (kg·pt/s) and an angular one (kg·pt²/s) to the second body, the opposite
    /// to the first.
    @inline(__always)
    func apply(_ impulse: Vector, turn: Double = 0, to pair: inout BodyPair) {
        pair.a.velocity -= impulse * pair.a.inverseMass
        pair.a.angularVelocity -= pair.a.inverseInertia * (leverA.cross(impulse) + turn)
        pair.b.velocity += impulse * pair.b.inverseMass
        pair.b.angularVelocity += pair.b.inverseInertia * (leverB.cross(impulse) + turn)
    }

    /// Moves the bodies as an impulse on positions (kg·pt) would.
    @inline(__always)
    func shift(_ impulse: Vector, turn: Double = 0, _ pair: inout BodyPair) {
        pair.a.center -= impulse * pair.a.inverseMass
        pair.a.rotation -= pair.a.inverseInertia * (leverA.cross(impulse) + turn)
        pair.b.center += impulse * pair.b.inverseMass
        pair.b.rotation += pair.b.inverseInertia * (leverB.cross(impulse) + turn)
    }
}

/// Up to three numbers of a joint, in its own order. An unkeyed list in documents.
struct Vector3: Hashable, Sendable {
    var x = 0.0
    var y = 0.0
    var z = 0.0

    static func + (a: Vector3, b: Vector3) -> Vector3 {
        Vector3(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
    }

    static func - (a: Vector3, b: Vector3) -> Vector3 {
        Vector3(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
    }

    static prefix func - (a: Vector3) -> Vector3 { Vector3(x: -a.x, y: -a.y, z: -a.z) }

    func clamped(
        _ xs: ClosedRange<Double>, _ ys: ClosedRange<Double>, _ zs: ClosedRange<Double>
    ) -> Vector3 {
        Vector3(x: x.clamped(to: xs), y: y.clamped(to: ys), z: z.clamped(to: zs))
    }
}

extension Vector3: Codable {
    /// Whether all three are +0.
    var isNothing: Bool { x.bitPattern | y.bitPattern | z.bitPattern == 0 }

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        x = try list.decode(Double.self)
        y = try list.decode(Double.self)
        z = try list.decode(Double.self)
        try list.end()
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for number in [x, y, z] { try list.encode(number) }
    }
}

/// J·M⁻¹·Jᵀ of a joint's three equations, symmetric (Box2D's K matrix).
///
/// It says what three impulses change of the three relative velocities.
struct ConstraintMatrix {
    var xx = 0.0
    var xy = 0.0
    var xz = 0.0
    var yy = 0.0
    var yz = 0.0
    var zz = 0.0

    /// A determinant below this share of its diagonal's product is rounding noise.
    private static var leastShare: Double { 1e-13 }

    init() {}

    /// For equations on both axes and on the rotation.
    init(_ anchors: JointAnchors, _ pair: BodyPair) {
        let (a, b) = (pair.a.inverseInertia, pair.b.inverseInertia)
        let (p, q) = (anchors.leverA, anchors.leverB)
        let mass = pair.a.inverseMass + pair.b.inverseMass
        xx = mass + p.y * p.y * a + q.y * q.y * b
        xy = -p.x * p.y * a - q.x * q.y * b
        xz = -p.y * a - q.y * b
        yy = mass + p.x * p.x * a + q.x * q.x * b
        yz = p.x * a + q.x * b
        zz = a + b
    }

    /// The two impulses that change the first two velocities by (x, y); 0 if the matrix is
    /// singular.
    func solve(_ x: Double, _ y: Double) -> Vector {
        let determinant = xx * yy - xy * xy
        guard determinant > ConstraintMatrix.leastShare * xx * yy else { return .zero }
        return Vector(yy * x - xy * y, xx * y - xy * x) / determinant
    }

    /// The three impulses that change the three velocities by `v`; 0 if the matrix is singular.
    func solve(_ v: Vector3) -> Vector3 {
        let (cx, cy, cz) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy)
        let determinant = xx * cx + xy * cy + xz * cz
        guard determinant > ConstraintMatrix.leastShare * xx * yy * zz else { return Vector3() }
        let (dy, dz, ez) = (xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy)
        return Vector3(
            x: (cx * v.x + cy * v.y + cz * v.z) / determinant,
            y: (cy * v.x + dy * v.y + dz * v.z) / determinant,
            z: (cz * v.x + dz * v.y + ez * v.z) / determinant)
    }
}
