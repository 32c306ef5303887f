import Geometry

/// Two bodies that a joint ties, in its order: the first may be the ground.
struct Pair {
    var a: Mover
    var b: Mover
}

/// Where a joint holds its bodies.
struct Ends {
    /// From the first body's center in its own coordinates; a point of the world on the ground.
    let offsetA: Vector
    let offsetB: Vector
    private(set) var leverA = Vector.zero
    private(set) var leverB = Vector.zero

    init(_ offsetA: Vector, _ offsetB: Vector) {
        self.offsetA = offsetA
        self.offsetB = offsetB
    }

    /// Turns the levers to where the bodies stand.
    mutating func turn(_ pair: Pair) {
        leverA = pair.a.pose.direction(offsetA)
        leverB = pair.b.pose.direction(offsetB)
    }

    /// The same with levers as the bodies stand now.
    func turned(_ pair: Pair) -> Ends {
        var ends = self
        ends.turn(pair)
        return ends
    }

    /// The way from the first end to the second.
    @inline(__always)
    func span(_ pair: Pair) -> Vector { pair.b.center + leverB - (pair.a.center + leverA) }

    /// How fast the second end leaves the first.
    @inline(__always)
    func speed(_ pair: Pair) -> Vector {
        pair.b.velocity(at: leverB) - pair.a.velocity(at: leverA)
    }

    /// What an impulse of 1 along an axis changes of the ends' speed along it.
    func softness(along axis: Vector, _ pair: Pair) -> Double {
        let (turnA, turnB) = (leverA.cross(axis), leverB.cross(axis))
        return pair.a.inverseMass + pair.a.inverseInertia * turnA * turnA
            + pair.b.inverseMass + pair.b.inverseInertia * turnB * turnB
    }

    /// Drives the ends apart by an impulse (kg·pt/s) and the bodies by a turning one (kg·pt²/s).
    @inline(__always)
    func apply(_ impulse: Vector, turn: Double = 0, to pair: inout Pair) {
        pair.a.velocity -= impulse * pair.a.inverseMass
        pair.a.spin -= pair.a.inverseInertia * (leverA.cross(impulse) + turn)
        pair.b.velocity += impulse * pair.b.inverseMass
        pair.b.spin += pair.b.inverseInertia * (leverB.cross(impulse) + turn)
    }

    /// Moves the ends apart, as an impulse on places (kg·pt) would.
    @inline(__always)
    func shift(_ impulse: Vector, turn: Double = 0, _ pair: inout Pair) {
        pair.a.center -= impulse * pair.a.inverseMass
        pair.a.rotation -= pair.a.inverseInertia * (leverA.cross(impulse) + turn)
        pair.b.center += impulse * pair.b.inverseMass
        pair.b.rotation += pair.b.inverseInertia * (leverB.cross(impulse) + turn)
    }
}

/// Three numbers of a joint, in its own order.
struct Triple: Hashable, Sendable {
    var x = 0.0
    var y = 0.0
    var z = 0.0

    static func + (a: Triple, b: Triple) -> Triple {
        Triple(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
    }

    static func - (a: Triple, b: Triple) -> Triple {
        Triple(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
    }

    static prefix func - (a: Triple) -> Triple { Triple(x: -a.x, y: -a.y, z: -a.z) }

    func clamped(
        _ xs: ClosedRange<Double>, _ ys: ClosedRange<Double>, _ zs: ClosedRange<Double>
    ) -> Triple {
        Triple(x: x.clamped(to: xs), y: y.clamped(to: ys), z: z.clamped(to: zs))
    }
}

extension Triple: Codable {
    /// Whether all are zeros, none of them negative.
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

/// What three impulses of a joint change of its three speeds: a symmetric matrix.
struct Yield {
    var xx = 0.0
    var xy = 0.0
    var xz = 0.0
    var yy = 0.0
    var yz = 0.0
    var zz = 0.0

    /// Below this share of its diagonal's product a determinant is nothing but rounding.
    private static var leastShare: Double { 1e-13 }

    init() {}

    /// Of the two points' speeds on both axes and of the bodies' spins.
    init(_ ends: Ends, _ pair: Pair) {
        let (a, b) = (pair.a.inverseInertia, pair.b.inverseInertia)
        let (p, q) = (ends.leverA, ends.leverB)
        let mass = pair.a.inverseMass + pair.b.inverseMass
        xx = mass + p.y * p.y * a + q.y * q.y * b
        xy = -p.x * p.y * a - q.x * q.y * b
        xz = -p.y * a - q.y * b
        yy = mass + p.x * p.x * a + q.x * q.x * b
        yz = p.x * a + q.x * b
        zz = a + b
    }

    /// The first two impulses that change the first two speeds so; 0 where none can.
    func solve(_ x: Double, _ y: Double) -> Vector {
        let determinant = xx * yy - xy * xy
        guard determinant > Yield.leastShare * xx * yy else { return .zero }
        return Vector(yy * x - xy * y, xx * y - xy * x) / determinant
    }

    /// All three impulses; 0 where none can.
    func solve(_ v: Triple) -> Triple {
        let (cx, cy, cz) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy)
        let determinant = xx * cx + xy * cy + xz * cz
        guard determinant > Yield.leastShare * xx * yy * zz else { return Triple() }
        let (dy, dz, ez) = (xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy)
        return Triple(
            x: (cx * v.x + cy * v.y + cz * v.z) / determinant,
            y: (cy * v.x + dy * v.y + dz * v.z) / determinant,
            z: (cz * v.x + dz * v.y + ez * v.z) / determinant)
    }
}
