/// A point on a timeline of 1/120 s, counted from the opening of a session.
///
/// All motion uses this grid, whatever the output rate is.
package struct Step: Comparable, Hashable, Sendable {
    /// Steps per second, as in Apple's physics.
    package static let perSecond = 120
    /// Seconds per step.
    package static let seconds = 1.0 / 120.0
    /// The opening of a session.
    package static let zero = Step(0)
    /// Later than every step that is ever reached.
    package static let never = Step(Int.max)

    package var count: Int

    package init(_ count: Int) { self.count = count }

    /// Nanoseconds from step 0: ⌊count · 25,000,000 / 3⌋, so that it never drifts.
    package var nanoseconds: Int { count * 25_000_000 / 3 }

    /// The last step that is not after a time from step 0. Negative times give step 0.
    package init(notAfter nanoseconds: Int) {
        guard nanoseconds > 0 else {
            self.init(0)
            return
        }
        var count = nanoseconds * 3 / 25_000_000
        // Times of steps are rounded down, so the next step may just have been reached.
        if Step(count + 1).nanoseconds <= nanoseconds { count += 1 }
        self.init(count)
    }

    /// The first step that is not before `seconds` from here: when a timer fires.
    ///
    /// `seconds` is from 0 to a day; other values trap.
    package func after(seconds: Double) -> Step {
        precondition(seconds >= 0 && seconds <= 86_400, "a timer of \(seconds) s")
        // Sums of decimal fractions: (0.1 + 0.2) · 120 must not be above step 36 by an ulp.
        return Step(count + Int((seconds * 120 - 1e-9).rounded(.up)))
    }

    /// Seconds from `earlier` to here.
    package func seconds(since earlier: Step) -> Double {
        Double(count - earlier.count) / 120
    }

    package static func < (a: Step, b: Step) -> Bool { a.count < b.count }
    package static func + (a: Step, steps: Int) -> Step { Step(a.count + steps) }
    package static func - (a: Step, b: Step) -> Int { a.count - b.count }
}

/// A wall-clock instant, as published. Only the edge reads a clock; the core is told.
package struct Instant: Comparable, Hashable, Sendable {
    /// Nanoseconds since the Unix epoch (enough until the year 2262).
    package var nanoseconds: Int

    package init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

    package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (a: Instant, step: Step) -> Instant {
        Instant(nanoseconds: a.nanoseconds + step.nanoseconds)
    }
}
