/// A world's collisions, and the contacts that follow from them.
struct Collisions: Hashable, Sendable, Codable {
    struct Record: Hashable, Sendable, Codable {
        let id: BehaviorID
        var collision: Collision
        /// Its bit in fixtures' masks.
        let bit: UInt64
    }

    var records: [Record] = []
    var contacts = ContactManager()
    /// Contacts that began in the last step, then those that ended.
    var events: [ContactEvent] = []

    /// A bit that no collision uses.
    var freeBit: UInt64 {
        let taken = records.reduce(0) { $0 | $1.bit }
        precondition(taken != .max, "more than \(Tuning.collisionsMax) collisions")
        return ~taken & (taken &+ 1)
    }
}
