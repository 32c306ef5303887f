import Notation

/// The slots of sessions that were used since the store last looked at them: a bit each.
///
/// Only these are looked at, so that sessions at rest cost nothing. They are looked at in phases, a
/// tenth of all words of bits in each, so that many sessions that are used at once are not all
/// written at once.
struct UsedSlots {
    private var words: [UInt64] = []
    private var phase = 0
    /// The place of the next word of the phase under way; nil: none is.
    private var next: Int?
    /// The word whose turn it is, and those of its slots that were not taken yet.
    private var place = 0
    private var left: UInt64 = 0

    mutating func insert(_ slot: Int) {
        let (place, bit) = slot.quotientAndRemainder(dividingBy: UInt64.bitWidth)
        while place >= words.count { words.append(0) }
        words[place] |= 1 << UInt64(bit)
    }

    /// Begins the next phase; returns false where one is under way.
    mutating func beginPhase() -> Bool {
        guard next == nil else { return false }
        next = phase
        phase = (phase + 1) % Limits.usedPhases
        return true
    }

    /// Takes the next slot of the phase under way; nil: all were taken. One that is inserted while
    /// its word has its turn waits for the next one.
    mutating func take() -> Int? {
        while left == 0 {
            guard let next, next < words.count else {
                next = nil
                return nil
            }
            place = next
            self.next = next + Limits.usedPhases
            swap(&left, &words[place])
        }
        defer { left &= left - 1 }
        return place * UInt64.bitWidth + left.trailingZeroBitCount
    }
}

extension Limits {
    /// Phases in which used sessions are looked at. With one a second, what samples alone change is
    /// stored within ten seconds.
    static let usedPhases = 10
}
