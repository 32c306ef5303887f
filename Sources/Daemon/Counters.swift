import Synchronization

/// What the daemon counts, each by its name in `stats`. Lanes add once per batch.
final class Counters: Sendable {
    enum Name: String, CaseIterable, Sendable {
        case events
        case applied = "events_applied"
        case duplicates = "events_duplicate"
        case rejected = "events_rejected"
        case swallowed = "events_swallowed"
        case rejectionsUntold = "rejections_untold"
        case updates
        case states
        case frames
        case framesLate = "frames_late"
        case framesSkipped = "frames_skipped"
        case stepsJumped = "steps_jumped"
        case sessions
        case moving = "sessions_moving"
        case opened = "sessions_opened"
        case closed = "sessions_closed"
        case expired = "sessions_expired"
        case requests
        case repliesUnroutable = "replies_unroutable"
        case repliesDropped = "replies_dropped"
        case subscriptions
        case subscriptionsUntracked = "subscriptions_untracked"
        case pauses = "events_paused"
    }

    // One cache line each would be faster still; a batch adds a handful, so it does not matter.
    private let values = Values()

    private final class Values: Sendable {
        let storage: [Cell] = Name.allCases.map { _ in Cell() }
    }

    private final class Cell: Sendable {
        let value = Atomic<Int>(0)
    }

    private static let places = Dictionary(
        uniqueKeysWithValues: Name.allCases.enumerated().map { ($1, $0) })

    private func cell(_ name: Name) -> Cell {
        guard let place = Self.places[name] else { preconditionFailure("no counter \(name)") }
        return values.storage[place]
    }

    func add(_ name: Name, _ amount: Int = 1) {
        if amount != 0 { cell(name).value.wrappingAdd(amount, ordering: .relaxed) }
    }

    /// Adds and returns what it was before.
    func fetchAdd(_ name: Name, _ amount: Int) -> Int {
        cell(name).value.wrappingAdd(amount, ordering: .relaxed).oldValue
    }

    func get(_ name: Name) -> Int { cell(name).value.load(ordering: .relaxed) }
}

/// How many rejections may still be told in this second, by all lanes together.
final class RejectionBudget: Sendable {
    /// The second in the upper half, the count within it in the lower.
    private let state = Atomic<UInt64>(0)
    private let perSecondMax: UInt64

    init(perSecondMax: Int) { self.perSecondMax = UInt64(perSecondMax) }

    func take(at monotonic: Int) -> Bool {
        let second = UInt64(monotonic / 1_000_000_000) << 32
        var old = state.load(ordering: .relaxed)
        while true {
            let isSameSecond = old & 0xFFFF_FFFF_0000_0000 == second
            let used = isSameSecond ? old & 0xFFFF_FFFF : 0
            guard used < perSecondMax else { return false }
            let result = state.compareExchange(
                expected: old, desired: second | (used + 1), ordering: .relaxed)
            if result.exchanged { return true }
            old = result.original
        }
    }
}
