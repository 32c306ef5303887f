import Geometry

/// The points at which two shapes touch: at most two, on one common face.
///
/// Stored in the bodies' coordinates, so that it can be evaluated again after they moved.
struct Manifold: Hashable, Sendable {
    /// The shape to which the reference face belongs.
    enum Face: UInt8, Sendable, Codable {
        case first
        case second
        /// Two circles have no face; their normal goes from center to center.
        case none
    }

    /// The face's outward normal in its body's coordinates; for two circles the first center.
    private let axis: Vector
    /// The distance of the face from its body's center, along the normal.
    private let offset: Double
    var first: ManifoldPoint
    /// Valid if `count` is 2.
    var second: ManifoldPoint
    fileprivate let firstFeature: Feature
    fileprivate let secondFeature: Feature
    private let face: Face
    /// The number of points: 0 if nothing touches, 1 or 2.
    let count: UInt8

    /// No contact.
    static var none: Manifold {
        Manifold(face: .none, normal: .zero, origin: .zero, nil, nil)
    }

    /// `origin` is a point of the face, or the first circle's center.
    @inline(__always)
    init(
        face: Face, normal: Vector, origin: Vector, _ first: ClipPoint?, _ second: ClipPoint?
    ) {
        self.face = face
        axis = face == .none ? origin : normal
        offset = face == .none ? 0 : normal.dot(origin)
        let one = first ?? second
        self.first = ManifoldPoint(local: one?.place ?? .zero)
        firstFeature = one?.feature ?? .only
        let two = first == nil ? nil : second
        self.second = ManifoldPoint(local: two?.place ?? .zero)
        secondFeature = two?.feature ?? .only
        count = one == nil ? 0 : two == nil ? 1 : 2
    }

    /// Whether the numbers of a decoded manifold are safe to compute with.
    var isSound: Bool {
        let most = 1e12
        return count <= 2 && axis.isWithin(most) && offset.magnitude <= most
            && first.local.isWithin(most) && second.local.isWithin(most)
            && [first, second].allSatisfy {
                $0.normalImpulse.isFinite && $0.tangentImpulse.isFinite
            }
    }

    /// Takes over the impulses that the same features had in the last step.
    mutating func inherit(from old: Manifold) {
        if count > 0 { first.inherit(firstFeature, from: old) }
        if count > 1 { second.inherit(secondFeature, from: old) }
    }
}

/// A contact point, in the coordinates of the body that does not own the face.
struct ManifoldPoint: Hashable, Sendable {
    let local: Vector
    /// The last step's impulses in kg·pt/s, for warm starting. Single precision is enough for that.
    var normalImpulse: Float = 0
    var tangentImpulse: Float = 0

    fileprivate mutating func inherit(_ feature: Feature, from old: Manifold) {
        if old.count > 0, old.firstFeature == feature {
            take(old.first)
        } else if old.count > 1, old.secondFeature == feature {
            take(old.second)
        }
    }

    private mutating func take(_ old: ManifoldPoint) {
        normalImpulse = old.normalImpulse
        tangentImpulse = old.tangentImpulse
    }
}

/// Identifies a contact point by the corners and sides that meet, from step to step.
struct Feature: Hashable, Sendable {
    /// The number of a corner or side; the highest bit marks a side.
    fileprivate let first: UInt8
    fileprivate let second: UInt8

    private static var side: UInt8 { 0x80 }

    fileprivate init(_ first: UInt8, _ second: UInt8) {
        self.first = first
        self.second = second
    }

    /// Circles touch in one point only.
    static var only: Feature { Feature(0, 0) }

    static func side(_ first: Int, corner second: Int) -> Feature {
        Feature(UInt8(first) | side, UInt8(second))
    }

    static func corner(_ first: Int, side second: Int) -> Feature {
        Feature(UInt8(first), UInt8(second) | side)
    }

    static func corner(_ first: Int) -> Feature { Feature(UInt8(first), 0) }

    /// A corner of the first on a side of the second that clipping cut.
    func cut(at corner: Int) -> Feature { Feature(UInt8(corner), second | Feature.side) }

    var swapped: Feature { Feature(second, first) }
}

// MARK: - As lists

extension Manifold: Codable {
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        count = try list.decode(UInt8.self)
        face = try list.decode(Face.self)
        axis = try list.decode(Vector.self)
        offset = try list.decode(Double.self)
        (first, firstFeature) = try Self.point(from: &list)
        (second, secondFeature) = try Self.point(from: &list)
        try list.end()
    }

    private static func point(
        from list: inout any UnkeyedDecodingContainer
    ) throws -> (ManifoldPoint, Feature) {
        var point = ManifoldPoint(local: try list.decode(Vector.self))
        point.normalImpulse = try list.decode(Float.self)
        point.tangentImpulse = try list.decode(Float.self)
        let (one, other) = (try list.decode(UInt8.self), try list.decode(UInt8.self))
        return (point, Feature(one, other))
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(count)
        try list.encode(face.rawValue)
        try list.encode(axis)
        try list.encode(offset)
        for (point, feature) in [(first, firstFeature), (second, secondFeature)] {
            try list.encode(point.local)
            try list.encode(point.normalImpulse)
            try list.encode(point.tangentImpulse)
            try list.encode(feature.first)
            try list.encode(feature.second)
        }
    }
}

/// A point during clipping.
struct ClipPoint {
    var place: Vector
    var feature: Feature
}

/// Clips a segment at a line. Nil if fewer than two points remain.
@inline(__always)
func clip(
    _ segment: (ClipPoint, ClipPoint), normal: Vector, offset: Double, corner: Int
) -> (ClipPoint, ClipPoint)? {
    let d0 = normal.dot(segment.0.place) - offset
    let d1 = normal.dot(segment.1.place) - offset
    if d0 <= 0 && d1 <= 0 { return segment }
    guard d0 * d1 < 0 else { return nil }
    let cut = ClipPoint(
        place: segment.0.place + (d0 / (d0 - d1)) * (segment.1.place - segment.0.place),
        feature: segment.0.feature.cut(at: corner))
    return d0 <= 0 ? (segment.0, cut) : (segment.1, cut)
}

/// A contact point in the world.
struct WorldPoint {
    /// From the first body to the second, of length 1.
    var normal: Vector
    var point: Vector
    /// The distance between the skins (pt); negative if they overlap.
    var separation: Double
}

extension Manifold {
    /// The point halfway between the skins, for the velocity solver.
    @inline(__always)
    func middle(
        _ local: Vector, _ transformA: Transform, _ skinA: Double, _ transformB: Transform,
        _ skinB: Double
    ) -> WorldPoint {
        let seen = deepest(local, transformA, skinA, transformB, skinB)
        switch face {
        case .none:
            let (a, b) = (transformA.point(axis), transformB.point(local))
            let (outA, outB) = (a + skinA * seen.normal, b - skinB * seen.normal)
            return WorldPoint(
                normal: seen.normal, point: 0.5 * (outA + outB), separation: seen.separation)
        case .first:
            // The point is on the second body: move it half the gap towards the face.
            let shift = 0.5 * (skinA - skinB - (seen.separation + skinA + skinB))
            return WorldPoint(
                normal: seen.normal, point: seen.point + shift * seen.normal,
                separation: seen.separation)
        case .second:
            let shift = 0.5 * (skinB - skinA - (seen.separation + skinA + skinB))
            return WorldPoint(
                normal: seen.normal, point: seen.point - shift * seen.normal,
                separation: seen.separation)
        }
    }

    /// The clipped point itself, for the position solver.
    @inline(__always)
    func deepest(
        _ local: Vector, _ transformA: Transform, _ skinA: Double, _ transformB: Transform,
        _ skinB: Double
    ) -> WorldPoint {
        switch face {
        case .none:
            let (a, b) = (transformA.point(axis), transformB.point(local))
            let span = b - a
            let normal = span.lengthSquared > 1e-12 ? span / span.length : Vector(1, 0)
            return WorldPoint(
                normal: normal, point: 0.5 * (a + b),
                separation: span.dot(normal) - skinA - skinB)
        case .first:
            let normal = transformA.direction(axis)
            let point = transformB.point(local)
            let distance = (point - transformA.center).dot(normal) - offset
            return WorldPoint(
                normal: normal, point: point, separation: distance - skinA - skinB)
        case .second:
            let normal = transformB.direction(axis)
            let point = transformA.point(local)
            let distance = (point - transformB.center).dot(normal) - offset
            return WorldPoint(
                normal: -normal, point: point, separation: distance - skinA - skinB)
        }
    }
}
