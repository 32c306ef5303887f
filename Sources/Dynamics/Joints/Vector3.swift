import Geometry

/// Up to three numbers of a joint, in its own order. An unkeyed list in documents.
struct Vector3: Hashable, Sendable {
    var x = 0.0
    var y = 0.0
    var z = 0.0

    static func + (a: Vector3, b: Vector3) -> Vector3 {
        Vector3(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
    }

    static func - (a: Vector3, b: Vector3) -> Vector3 {
        Vector3(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
    }

    static prefix func - (a: Vector3) -> Vector3 { Vector3(x: -a.x, y: -a.y, z: -a.z) }

    func clamped(
        _ xs: ClosedRange<Double>, _ ys: ClosedRange<Double>, _ zs: ClosedRange<Double>
    ) -> Vector3 {
        Vector3(x: x.clamped(to: xs), y: y.clamped(to: ys), z: z.clamped(to: zs))
    }
}

extension Vector3: Codable {
    /// Whether all three are +0.
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
