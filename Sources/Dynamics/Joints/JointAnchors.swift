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
