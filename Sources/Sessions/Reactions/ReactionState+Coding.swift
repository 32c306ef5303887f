import Geometry

/// Without `due` it waits for a touch.
extension ReactionState.Timer: Codable {
    private enum CodingKeys: String, CodingKey { case reaction, cause, due }

    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            reaction: try table.decode(Int.self, forKey: .reaction),
            cause: try table.decode(Int.self, forKey: .cause),
            due: try table.decodeIfPresent(Step.self, forKey: .due) ?? .never)
    }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(reaction, forKey: .reaction)
        try table.encode(cause, forKey: .cause)
        if due != .never { try table.encode(due, forKey: .due) }
    }
}
