import Notation

/// The processor's time of the last events of one session, and whether the next ones wait for the
/// spare time.
///
/// Only measured ones count (``EventMeter``). A single one counts for so little that it makes no
/// session wait, unless it is very long: a lane would stand for several of each of many sessions
/// whose events were not measured yet.
struct EventCost {
    /// Nanoseconds of one, on the average of the last ones, of each what counts at most.
    private var counted = 0
    /// The same of all that they took, by which it is known how long those take that wait.
    private(set) var nanoseconds = 0
    /// Whether the next ones wait.
    private(set) var areLong = false
    /// Whether those that wait may be short for all that is known: the last one was, or none was
    /// measured since they wait.
    private(set) var mayBeShort = false

    /// Notes one.
    mutating func note(nanoseconds taken: Int) {
        let most = Limits.eventMicrosecondsCounted * 1_000
        counted += (min(taken, most) - counted) / Limits.eventsRemembered
        nanoseconds += (taken - nanoseconds) / (nanoseconds == 0 ? 1 : Limits.eventsRemembered)
        let wereLong = areLong
        let isVeryLong = taken > Limits.eventMicrosecondsVeryLong * 1_000
        if isVeryLong || counted > Limits.eventMicrosecondsMax * 1_000 {
            areLong = true
        } else if counted <= Limits.eventMicrosecondsShort * 1_000 {
            areLong = false
        }
        mayBeShort = areLong && (!wereLong || taken <= Limits.eventMicrosecondsShort * 1_000)
    }
}

/// Tells when the events of a lane are measured, each by itself: for a while after some took long.
///
/// Reading the processor's clock costs a fraction of a usual event, so most are not measured. The
/// wall's clock, which is read now and then, says when it is worth it. It cannot say whether an
/// event took long: the machine may have run something else.
struct EventMeter {
    /// Whether an event was applied to a session with reactions since the last piece of work.
    var mayHaveReacted = false
    /// Pieces of work that are still measured.
    private var left = 0
    /// When the last look at the clock was, on the monotonic clock.
    private var looked = 0

    /// Whether the next piece of work is measured.
    var isOn: Bool { left > 0 }

    /// Work begins.
    mutating func begin(at now: Int) { looked = now }

    /// Whether a look at the clock should follow the last piece of work, as far as is known here.
    @inline(__always)
    mutating func takeHint() -> Bool {
        defer { mayHaveReacted = false }
        return mayHaveReacted || isOn
    }

    /// A look at the clock after so many pieces of work.
    mutating func look(at now: Int, works: Int) {
        if now - looked > works * Limits.eventMicrosecondsMax * 1_000 {
            left = Limits.measuredWorksMax
        } else if isOn {
            left -= 1
        }
        looked = now
    }
}

extension Limits {
    /// Microseconds of an event, on the average, beyond which the next ones of its session wait for
    /// the spare time; and those up to which they wait no longer. Those that take about as long as
    /// the first would go both ways by turns, unless there is much between the two.
    static let eventMicrosecondsMax = 500
    static let eventMicrosecondsShort = 125
    /// Microseconds of one event after which the next ones of its session wait at once.
    static let eventMicrosecondsVeryLong = 5_000
    /// Microseconds that one event counts at most. Alone it stays within the bound, with room for
    /// what usual events have left in the average.
    static let eventMicrosecondsCounted = eventsRemembered * eventMicrosecondsMax * 3 / 4
    /// An event counts for this part of the average, so that a few long ones are enough.
    static let eventsRemembered = 8
    /// Pieces of work that are measured after some took more than `eventMicrosecondsMax` each.
    static let measuredWorksMax = 64
}
