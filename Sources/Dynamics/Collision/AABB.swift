import Geometry

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

    func touches(_ other: FatAABB) -> Bool {
        lowX <= other.highX && other.lowX <= highX && lowY <= other.highY && other.lowY <= highY
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
