import Notation

/// The longest time that requests of one kind took the processor of late.
///
/// Most take microseconds and are performed among events. Where some take long, whosever they are,
/// all of the kind wait for the spare time, in which peers take turns.
struct RecentCost {
    private let nanosecondsMax: Int
    private let nanosecondsShort: Int
    private var nanoseconds = 0
    private(set) var isLong = false

    /// They are long from one that took more than `microsecondsMax` until the longest took at most
    /// `microsecondsShort`. Those that take about as long as the bound would go both ways by turns,
    /// and pile up in each, unless there is much between the two.
    init(microsecondsMax: Int, microsecondsShort: Int) {
        nanosecondsMax = microsecondsMax * 1_000
        nanosecondsShort = microsecondsShort * 1_000
    }

    /// Notes one. The longest is forgotten little by little.
    mutating func note(nanoseconds taken: Int) {
        nanoseconds = max(taken, nanoseconds - nanoseconds / Limits.shortRequestsRemembered)
        if nanoseconds > nanosecondsMax { isLong = true }
        if nanoseconds <= nanosecondsShort { isLong = false }
    }
}

/// How long the requests of a lane took of late, by their kind.
struct RequestCosts {
    private(set) var openings = RecentCost(
        microsecondsMax: Limits.openingMicrosecondsMax,
        microsecondsShort: Limits.openingMicrosecondsMax)
    var hits = RecentCost(
        microsecondsMax: Limits.hitMicrosecondsMax, microsecondsShort: Limits.hitMicrosecondsShort)
    private var lastOpening = 0

    /// Notes how long an opening took. One that is long alone does not count: in one of many
    /// thousands the table of all sessions grows.
    mutating func noteOpening(nanoseconds: Int) {
        openings.note(nanoseconds: min(nanoseconds, lastOpening))
        lastOpening = nanoseconds
    }
}

extension Limits {
    /// Microseconds that an opening takes at most where all are performed among events: as many as
    /// are read together take a frame. A client may open very many, and few wait as costly work.
    static let openingMicrosecondsMax = 1_000
    /// The same of a hit, and those from which all hits are short again.
    static let hitMicrosecondsMax = 500
    static let hitMicrosecondsShort = 125
    /// Each short request takes this part off what a long one took.
    static let shortRequestsRemembered = 16
}
