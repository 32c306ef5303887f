import Geometry

/// A rectangle with any center and rotation.
struct Quad: Hashable, Sendable {
    let transform: Transform
    /// Half its width and half its height.
    let half: Vector

    var center: Vector { transform.center }

    /// A corner by number, clockwise on screen from the top left.
    @inline(__always)
    func corner(_ index: Int) -> Vector {
        let x = index == 0 || index == 3 ? -half.x : half.x
        let y = index < 2 ? -half.y : half.y
        return transform.point(Vector(x, y))
    }

    /// The outward normal of the side from a corner to the next.
    @inline(__always)
    func normal(_ index: Int) -> Vector {
        switch index {
        case 0: Vector(transform.sine, -transform.cosine)
        case 1: Vector(transform.cosine, transform.sine)
        case 2: Vector(-transform.sine, transform.cosine)
        default: Vector(-transform.cosine, -transform.sine)
        }
    }

    /// The distance from the center to a side.
    @inline(__always)
    func depth(_ side: Int) -> Double { side & 1 == 0 ? half.y : half.x }

    @inline(__always)
    static func next(_ index: Int) -> Int { (index + 1) & 3 }

    /// The side whose normal is most opposite to a direction; the first of several.
    @inline(__always)
    func side(against normal: Vector) -> Int {
        var (best, least) = (0, Double.infinity)
        for index in 0..<4 {
            let dot = self.normal(index).dot(normal)
            if dot < least { (best, least) = (index, dot) }
        }
        return best
    }

    /// The rectangle in the coordinates in which `other` is given.
    @inline(__always)
    func placed(by other: Transform) -> Quad {
        Quad(
            transform: Transform(
                center: other.point(transform.center),
                sine: other.sine * transform.cosine + other.cosine * transform.sine,
                cosine: other.cosine * transform.cosine - other.sine * transform.sine),
            half: half)
    }
}

/// One segment of a boundary, solid from both sides.
///
/// It knows its neighbors (Box2D's ghost vertices): otherwise items that slide along a path would
/// catch at each corner.
struct Edge: Hashable, Sendable {
    let from: Vector
    let to: Vector
    /// The first point of the previous segment.
    var before: Vector?
    /// The last point of the next segment.
    var after: Vector?
}

/// A box or a circle in its body's coordinates: the geometry of a fixture.
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

extension ItemShape {
    /// Half the sides of an item; for a circle the radius twice.
    func half(of size: Size) -> Vector {
        let sides = Vector(
            size.width.clamped(to: Tuning.sides), size.height.clamped(to: Tuning.sides))
        return self == .box ? sides * 0.5 : Vector(sides.x, sides.x) * 0.5
    }
}

/// A fixture's enlarged box in single precision, rounded outwards (Box2D's fat AABB).
struct FatAABB: Hashable, Sendable {
    private let lowX: Float
    private let lowY: Float
    private let highX: Float
    private let highY: Float

    static var nothing: FatAABB { FatAABB(.nothing) }

    init(_ aabb: AABB) {
        lowX = FatAABB.below(aabb.low.x)
        lowY = FatAABB.below(aabb.low.y)
        highX = -FatAABB.below(-aabb.high.x)
        highY = -FatAABB.below(-aabb.high.y)
    }

    var aabb: AABB {
        AABB(
            low: Vector(Double(lowX), Double(lowY)), high: Vector(Double(highX), Double(highY)))
    }

    private static func below(_ number: Double) -> Float {
        let nearest = Float(number)
        return Double(nearest) <= number ? nearest : nearest.nextDown
    }
}

extension FatAABB: Codable {
    /// `[lowX, lowY, highX, highY]`; null if empty.
    init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decodeNil() {
            self = .nothing
            return
        }
        var list = try decoder.unkeyedContainer()
        lowX = try list.decode(Float.self)
        lowY = try list.decode(Float.self)
        highX = try list.decode(Float.self)
        highY = try list.decode(Float.self)
    }

    func encode(to encoder: any Encoder) throws {
        guard self != .nothing else {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        var list = encoder.unkeyedContainer()
        for side in [lowX, lowY, highX, highY] { try list.encode(side) }
    }
}

/// An axis-aligned bounding box, in points.
struct AABB: Hashable, Sendable {
    var low: Vector
    var high: Vector

    static var nothing: AABB {
        AABB(
            low: Vector(Double.infinity, Double.infinity),
            high: Vector(-Double.infinity, -Double.infinity))
    }

    func grown(by margin: Double) -> AABB {
        AABB(low: low - Vector(margin, margin), high: high + Vector(margin, margin))
    }

    func union(_ other: AABB) -> AABB {
        AABB(
            low: Vector(min(low.x, other.low.x), min(low.y, other.low.y)),
            high: Vector(max(high.x, other.high.x), max(high.y, other.high.y)))
    }

    func contains(_ other: AABB) -> Bool {
        low.x <= other.low.x && low.y <= other.low.y && other.high.x <= high.x
            && other.high.y <= high.y
    }

    @inline(__always)
    func touches(_ other: AABB) -> Bool {
        low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y
            && other.low.y <= high.y
    }
}
