import Geometry

/// Fields, gravities, charges and off-center pushes.
struct Forces: Hashable, Sendable, Codable {
    struct FieldRecord: Hashable, Sendable, Codable {
        let behavior: BehaviorID
        var field: Field
        /// Steps since it was added: the time of changing noise.
        var age = 0
    }

    struct GravityRecord: Hashable, Sendable, Codable {
        let behavior: BehaviorID
        var gravity: Gravity
    }

    /// A body with all forces on it, so that a step visits it once.
    struct Target: Hashable, Sendable {
        var body: Int32
        /// The fields of which it is an item; the lowest bit is the oldest field.
        var fields: UInt32 = 0
        /// Angular acceleration by continuous off-center pushes, in rad/s².
        var spin = 0.0
        /// The velocity at the beginning of the last step; infinite before the first, which no
        /// speed matches.
        var lastVelocity = Vector(.infinity, .infinity)
    }

    var fields: [FieldRecord] = []
    var gravities: [GravityRecord] = []
    var targets: [Target] = []
    /// By body. Shorter than the bodies if the last ones have no charge.
    var charges: [Double] = []

    func charge(of body: Int) -> Double { body < charges.count ? charges[body] : 0 }
}

extension Forces.Target: Codable {
    private enum CodingKeys: String, CodingKey { case body, fields, spin, lastVelocity }

    /// The last velocity is missing before the first step.
    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        body = try table.decode(Int32.self, forKey: .body)
        fields = try table.decode(UInt32.self, forKey: .fields)
        spin = try table.decode(Double.self, forKey: .spin)
        if let last = try table.decodeIfPresent(Vector.self, forKey: .lastVelocity) {
            lastVelocity = last
        }
    }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(body, forKey: .body)
        try table.encode(fields, forKey: .fields)
        try table.encode(spin, forKey: .spin)
        guard lastVelocity.isFinite else { return }
        try table.encode(lastVelocity, forKey: .lastVelocity)
    }
}
