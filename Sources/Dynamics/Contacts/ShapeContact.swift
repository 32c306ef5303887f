import Geometry

/// Two fixtures that are near each other, or a fixture near a boundary's segment.
struct ShapeContact: Hashable, Sendable {
    /// The kinds of shapes. They decide which one is first.
    enum Kind: UInt8, Sendable, Codable {
        case boxes
        case boxAndCircle
        case circles
        /// The first is a boundary's segment.
        case edgeAndBox
        case edgeAndCircle
    }

    var manifold = Manifold.none
    let kind: Kind
    /// Whether it touched at the end of the last step.
    var wasTouching = false
    /// Indices of solver bodies.
    var bodyA: Int16
    var bodyB: Int16
    /// A fixture's number, or an edge's if on the ground.
    var first: Int32
    var second: Int32

    init(_ kind: Kind, first: Int32, second: Int32, bodyA: Int16, bodyB: Int16) {
        self.kind = kind
        self.first = first
        self.second = second
        self.bodyA = bodyA
        self.bodyB = bodyB
    }

    var isTouching: Bool { manifold.count > 0 }

    var isOnGround: Bool {
        switch kind {
        case .boxes, .boxAndCircle, .circles: false
        case .edgeAndBox, .edgeAndCircle: true
        }
    }
}

/// An unkeyed list: a full world has several hundred, and most do not touch.
extension ShapeContact: Codable {
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        kind = try list.decode(Kind.self)
        first = try list.decode(Int32.self)
        second = try list.decode(Int32.self)
        bodyA = try list.decode(Int16.self)
        bodyB = try list.decode(Int16.self)
        wasTouching = try list.decode(Bool.self)
        if !list.isAtEnd { manifold = try list.decode(Manifold.self) }
        try list.end()
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(kind.rawValue)
        try list.encode(first)
        try list.encode(second)
        try list.encode(bodyA)
        try list.encode(bodyB)
        try list.encode(wasTouching)
        if manifold != .none { try list.encode(manifold) }
    }
}
