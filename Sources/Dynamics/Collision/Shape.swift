import Geometry

/// A rectangle, turned and off the center as it may be.
struct Quad: Hashable, Sendable {
    let pose: Pose
    /// Half its width and half its height.
    let half: Vector

    var center: Vector { pose.center }

    /// One of four corners, clockwise on screen from the top left.
    @inline(__always)
    func corner(_ index: Int) -> Vector {
        let x = index == 0 || index == 3 ? -half.x : half.x
        let y = index < 2 ? -half.y : half.y
        return pose.point(Vector(x, y))
    }

    /// Out of the side from a corner to the next one.
    @inline(__always)
    func normal(_ index: Int) -> Vector {
        switch index {
        case 0: Vector(pose.sine, -pose.cosine)
        case 1: Vector(pose.cosine, pose.sine)
        case 2: Vector(-pose.sine, pose.cosine)
        default: Vector(-pose.cosine, -pose.sine)
        }
    }

    /// From the center to a side.
    @inline(__always)
    func depth(_ side: Int) -> Double { side & 1 == 0 ? half.y : half.x }

    @inline(__always)
    static func next(_ index: Int) -> Int { (index + 1) & 3 }

    /// The side that looks most against a normal, the first of several.
    @inline(__always)
    func side(against normal: Vector) -> Int {
        var (best, least) = (0, Double.infinity)
        for index in 0..<4 {
            let dot = self.normal(index).dot(normal)
            if dot < least { (best, least) = (index, dot) }
        }
        return best
    }

    /// As it is seen from elsewhere.
    @inline(__always)
    func placed(by other: Pose) -> Quad {
        Quad(
            pose: Pose(
                center: other.point(pose.center),
                sine: other.sine * pose.cosine + other.cosine * pose.sine,
                cosine: other.cosine * pose.cosine - other.sine * pose.sine),
            half: half)
    }
}

/// A piece of a boundary, solid from both sides.
///
/// It knows its neighbors: what slides along a path would catch at every joint otherwise.
struct Edge: Hashable, Sendable {
    let from: Vector
    let to: Vector
    /// Where the piece before begins.
    var before: Vector?
    /// Where the piece after ends.
    var after: Vector?
}

/// What touches: a box or a circle, and where it stands in its body's own coordinates.
struct Piece {
    let kind: Part.Kind
    /// Half the sides; a circle's radius twice.
    let half: Vector
    let pose: Pose

    var quad: Quad { Quad(pose: pose, half: half) }

    /// How far its skin stands off its outline; a circle is nothing but skin.
    var skin: Double { kind == .box ? Tuning.skin : half.x }

    func bounds(at body: Pose) -> Bounds {
        let center = body.point(pose.center)
        switch kind {
        case .box:
            let quad = quad.placed(by: body)
            let (sine, cosine) = (abs(quad.pose.sine), abs(quad.pose.cosine))
            let reach = Vector(
                half.x * cosine + half.y * sine + Tuning.skin,
                half.x * sine + half.y * cosine + Tuning.skin)
            return Bounds(low: center - reach, high: center + reach)
        case .circle:
            return Bounds(low: center - half, high: center + half)
        }
    }
}

/// A part of a body as a world keeps it, and its material.
struct Part: Hashable, Sendable {
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

    /// Half the sides; a circle's radius twice.
    let half: Vector
    let friction: Double
    let elasticity: Double
    /// Bits of the collisions in which it meets items, and in which it meets boundaries.
    let amongItems: UInt64
    let amongBoundaries: UInt64
    /// Holds it for some steps to come. Empty until it is first seen.
    var room = Room.nothing
    /// Whose it is, by the body's place among the movers.
    let body: Int32
    /// Which of the body's parts it is.
    let ordinal: Int16
    let kind: Kind

    init(
        _ shape: ItemShape, size: Size, of body: Int, ordinal: Int = 0, _ material: Material,
        amongItems: UInt64, amongBoundaries: UInt64
    ) {
        kind = Kind(shape)
        half = shape.half(of: size)
        self.body = Int32(body)
        self.ordinal = Int16(ordinal)
        friction = material.friction
        elasticity = material.elasticity
        self.amongItems = amongItems
        self.amongBoundaries = amongBoundaries
    }
}

/// As a list, like bodies.
extension Part: Codable {
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        kind = try list.decode(Kind.self)
        body = try list.decode(Int32.self)
        ordinal = try list.decode(Int16.self)
        half = try list.decode(Vector.self)
        friction = try list.decode(Double.self)
        elasticity = try list.decode(Double.self)
        amongItems = try list.decode(UInt64.self)
        amongBoundaries = try list.decode(UInt64.self)
        room = try list.decode(Room.self)
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
        try list.encode(amongItems)
        try list.encode(amongBoundaries)
        try list.encode(room)
    }
}

extension ItemShape {
    /// Half the sides of an item; a circle's radius twice.
    func half(of size: Size) -> Vector {
        let sides = Vector(
            size.width.clamped(to: Tuning.sides), size.height.clamped(to: Tuning.sides))
        return self == .box ? sides * 0.5 : Vector(sides.x, sides.x) * 0.5
    }
}

/// A rectangle along the axes, in single precision: at least as large as it is meant to be.
struct Room: Hashable, Sendable {
    private let lowX: Float
    private let lowY: Float
    private let highX: Float
    private let highY: Float

    static var nothing: Room { Room(.nothing) }

    init(_ bounds: Bounds) {
        lowX = Room.below(bounds.low.x)
        lowY = Room.below(bounds.low.y)
        highX = -Room.below(-bounds.high.x)
        highY = -Room.below(-bounds.high.y)
    }

    var bounds: Bounds {
        Bounds(
            low: Vector(Double(lowX), Double(lowY)), high: Vector(Double(highX), Double(highY)))
    }

    private static func below(_ number: Double) -> Float {
        let nearest = Float(number)
        return Double(nearest) <= number ? nearest : nearest.nextDown
    }
}

extension Room: Codable {
    /// `[lowX, lowY, highX, highY]`; null where there is nothing in it.
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

/// A rectangle along the axes.
struct Bounds: Hashable, Sendable {
    var low: Vector
    var high: Vector

    static var nothing: Bounds {
        Bounds(
            low: Vector(Double.infinity, Double.infinity),
            high: Vector(-Double.infinity, -Double.infinity))
    }

    func grown(by margin: Double) -> Bounds {
        Bounds(low: low - Vector(margin, margin), high: high + Vector(margin, margin))
    }

    func union(_ other: Bounds) -> Bounds {
        Bounds(
            low: Vector(min(low.x, other.low.x), min(low.y, other.low.y)),
            high: Vector(max(high.x, other.high.x), max(high.y, other.high.y)))
    }

    func contains(_ other: Bounds) -> Bool {
        low.x <= other.low.x && low.y <= other.low.y && other.high.x <= high.x
            && other.high.y <= high.y
    }

    @inline(__always)
    func touches(_ other: Bounds) -> Bool {
        low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y
            && other.low.y <= high.y
    }
}
