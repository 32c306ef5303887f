import Geometry

/// J·M⁻¹·Jᵀ of a joint's three equations, symmetric (Box2D's K matrix).
///
/// It says what three impulses change of the three relative velocities. For two anchors and the
/// angle, with the J of `PinConstraint`, m = 1/mA + 1/mB, a = 1/IA, b = 1/IB, and the levers p, q:
///
///         [ m + p.y² a + q.y² b      −p.x p.y a − q.x q.y b   −p.y a − q.y b ]
///     K = [ −p.x p.y a − q.x q.y b   m + p.x² a + q.x² b       p.x a + q.x b ]
///         [ −p.y a − q.y b            p.x a + q.x b            a + b         ]
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
