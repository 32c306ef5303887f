package import Notation

/// A wait of a session's reactions as it outlives the process: what is left of it goes on when the
/// session comes back, for the session's time stands still meanwhile.
package struct SavedWait: Hashable, Sendable, Codable {
    /// The thing that waits.
    enum Place: Hashable, Sendable, Codable {
        /// A cause that time alone brings, by its place in the reaction.
        case timer(Int)
        /// An action by its place in the reaction; nil: all of them.
        case actions(Int?)
    }

    /// The reaction's mark: another scene of the same name need not have it.
    var reaction: UInt64
    var place: Place
    /// Steps that are left, at least 1; nil: a timer that waits for a touch.
    var steps: Int?
    var facts: Facts
}

extension SavedWait {
    private enum CodingKeys: String, CodingKey { case reaction, timer, action, steps, facts }

    package init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        // A string, because many readers round a number beyond 53 bits.
        let mark = try table.decode(String.self, forKey: .reaction)
        guard let reaction = UInt64(mark) else {
            throw decoder.error("reaction must be the digits of a number of 64 bits")
        }
        self.reaction = reaction
        if let timer = try table.decodeIfPresent(Int.self, forKey: .timer) {
            place = .timer(timer)
        } else {
            place = .actions(try table.decodeIfPresent(Int.self, forKey: .action))
        }
        steps = try table.decodeIfPresent(Int.self, forKey: .steps)
        facts = try table.decodeIfPresent(Facts.self, forKey: .facts) ?? Facts()
        let stepsMax = Int(Limits.timerImportedSecondsMax) * 120
        guard steps.map({ (1...stepsMax).contains($0) }) ?? true, facts.isSound else {
            throw decoder.error("must be a wait of a reaction")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(String(reaction), forKey: .reaction)
        switch place {
        case .timer(let cause): try table.encode(cause, forKey: .timer)
        case .actions(let action): try table.encodeIfPresent(action, forKey: .action)
        }
        try table.encodeIfPresent(steps, forKey: .steps)
        if facts != Facts() { try table.encode(facts, forKey: .facts) }
    }
}

extension Limits {
    /// Waits of a stored session: one for each action and each cause of the most reactions.
    package static let waitsStoredMax = reactionsMax * (2 * reactionPartsMax + 1)
}
