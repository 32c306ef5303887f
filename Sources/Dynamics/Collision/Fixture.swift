import Geometry

/// One shape of a body with its surface and its collision masks (Box2D's fixture).
struct Fixture: Hashable, Sendable {
    enum Kind: UInt8, Sendable, Codable {
        case box
        case circle

        init(_ shape: ItemShape) {
            switch shape {
            case .box: self = .box
            case .circle: self = .circle
            }
        }
    }

    /// Half the sides; for a circle the radius twice.
    let half: Vector
    let friction: Double
    let elasticity: Double
    /// One bit for each collision in which it meets items, and boundaries.
    let itemMask: UInt64
    let boundaryMask: UInt64
    /// The fat AABB: contains the fixture for some steps. Empty before the first step.
    var fatAABB = FatAABB.nothing
    /// The index of its solver body.
    let body: Int32
    /// Its index among the fixtures of its body.
    let ordinal: Int16
    let kind: Kind

    init(
        _ shape: ItemShape, size: Size, of body: Int, ordinal: Int = 0, _ material: Material,
        itemMask: UInt64, boundaryMask: UInt64
    ) {
        kind = Kind(shape)
        half = shape.half(of: size)
        self.body = Int32(body)
        self.ordinal = Int16(ordinal)
        friction = material.friction
        elasticity = material.elasticity
        self.itemMask = itemMask
        self.boundaryMask = boundaryMask
    }

    /// The width of the skin around the outline; a circle is all skin.
    var skin: Double { kind == .box ? Tuning.skin : half.x }
}

/// An unkeyed list, as bodies are.
extension Fixture: Codable {
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        kind = try list.decode(Kind.self)
        body = try list.decode(Int32.self)
        ordinal = try list.decode(Int16.self)
        half = try list.decode(Vector.self)
        friction = try list.decode(Double.self)
        elasticity = try list.decode(Double.self)
        itemMask = try list.decode(UInt64.self)
        boundaryMask = try list.decode(UInt64.self)
        fatAABB = try list.decode(FatAABB.self)
        try list.end()
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(kind.rawValue)
        try list.encode(body)
        try list.encode(ordinal)
        try list.encode(half)
        try list.encode(friction)
        try list.encode(elasticity)
        try list.encode(itemMask)
        try list.encode(boundaryMask)
        try list.encode(fatAABB)
    }
}
