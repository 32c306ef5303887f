/// The impulses of the last step, with which the next one starts (warm starting).
struct WarmStart: Hashable, Sendable {
    /// In the joint's own order; a joint with one equation uses x.
    var impulse = Vector3()
    var friction = 0.0
    var limitState = LimitState.free
}

extension WarmStart: Codable {
    private enum CodingKeys: String, CodingKey {
        case impulse, friction
        case limitState = "hold"
    }

    /// Values of 0 are left out of documents.
    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        impulse = try table.decodeIfPresent(Vector3.self, forKey: .impulse) ?? Vector3()
        friction = try table.decodeIfPresent(Double.self, forKey: .friction) ?? 0
        limitState = try table.decodeIfPresent(LimitState.self, forKey: .limitState) ?? .free
    }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        if !impulse.isNothing { try table.encode(impulse, forKey: .impulse) }
        if friction.bitPattern != 0 { try table.encode(friction, forKey: .friction) }
        if limitState != .free { try table.encode(limitState, forKey: .limitState) }
    }
}
