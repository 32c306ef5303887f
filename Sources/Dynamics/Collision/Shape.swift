import Geometry

/// A box or a circle in its body's coordinates: the geometry of a fixture.
///
/// This room knows shapes and where they touch. `Collisions` holds what callers described; from it
/// follow fixtures and boundaries with masks of who meets whom. `AABB` finds what is near,
/// `Manifold` the points at which two shapes touch. Nothing here moves anything: the room
/// `Contacts` does. Tolerances are Box2D's and decide the last bit.
struct Shape {
    let kind: Fixture.Kind
    /// Half the sides; for a circle the radius twice.
    let half: Vector
    let transform: Transform

    var quad: Quad { Quad(transform: transform, half: half) }

    /// The width of the skin around the outline; a circle is all skin.
    var skin: Double { kind == .box ? Tuning.skin : half.x }

    func aabb(at body: Transform) -> AABB {
        let center = body.point(transform.center)
        switch kind {
        case .box:
            let quad = quad.placed(by: body)
            let (sine, cosine) = (abs(quad.transform.sine), abs(quad.transform.cosine))
            let reach = Vector(
                half.x * cosine + half.y * sine + Tuning.skin,
                half.x * sine + half.y * cosine + Tuning.skin)
            return AABB(low: center - reach, high: center + reach)
        case .circle:
            return AABB(low: center - half, high: center + half)
        }
    }
}

extension ItemShape {
    /// Half the sides of an item; for a circle the radius twice.
    func half(of size: Size) -> Vector {
        let sides = Vector(
            size.width.clamped(to: Tuning.sides), size.height.clamped(to: Tuning.sides))
        return self == .box ? sides * 0.5 : Vector(sides.x, sides.x) * 0.5
    }
}
