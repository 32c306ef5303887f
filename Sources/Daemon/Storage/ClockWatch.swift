import Notation

/// Whether the wall clock is believed: it must go on as the clock since the boot does.
///
/// A jump is doubted. Either the clock comes back, or it stands where it is for long enough to be
/// believed: then somebody has corrected it. Until then no stored session may expire.
struct ClockWatch {
    /// Both clocks at one moment, in nanoseconds.
    struct Reading {
        /// Since the Unix epoch.
        var wall: Int
        /// Since the boot, with the time that the machine slept.
        var boot: Int

        fileprivate var difference: Int { wall - boot }
    }

    private enum State {
        case believed
        /// The clocks have differed by this since a time of the boot's clock. The wall clock is
        /// believed once that has been so for some seconds.
        case doubted(difference: Int, since: Int, standsSeconds: Int)
    }

    enum Change: Equatable {
        /// The wall clock is ahead of its time by so many nanoseconds, behind it if they are
        /// negative.
        case doubted(by: Int)
        /// The wall clock has come back.
        case returned
        /// The wall clock has stood so far from its former time.
        case accepted(by: Int)
    }

    private var state: State
    /// The wall clock less the boot's clock, as far as it is believed.
    private var difference: Int
    /// The believed wall time from which on this run has marked sessions as used; nil while it has
    /// marked none by a believed clock alone.
    private var marksSince: Int?
    /// Nanoseconds by which marks stay ahead of a wall clock that was put back. It may be wrong,
    /// and a mark in the past could make a session expire under the next clock that is right.
    private var marksAhead = 0

    /// `lastWrite` is when an earlier run wrote last, by its wall clock. Time has not gone back
    /// since, and a run that begins more than `gapMax` later may have a clock that is wrong.
    init(_ reading: Reading, lastWrite: Int?, gapMax: Int) {
        let gap = lastWrite.map { reading.wall - $0 } ?? 0
        if let lastWrite, gap < -Self.tolerance || gap > gapMax {
            difference = lastWrite - reading.boot
            state = .doubted(
                difference: reading.difference, since: reading.boot,
                standsSeconds: Limits.clockStandsAtStartSeconds)
        } else {
            difference = reading.difference
            state = .believed
            marksSince = reading.wall
        }
    }

    private static var tolerance: Int { Limits.clockToleranceSeconds * 1_000_000_000 }

    var isBelieved: Bool {
        switch state {
        case .believed: true
        case .doubted: false
        }
    }

    /// How far the wall clock is ahead of the believed time; negative: behind it.
    func error(at reading: Reading) -> Int {
        isBelieved ? 0 : reading.difference - difference
    }

    /// The wall time as far as it is believed.
    func time(at reading: Reading) -> Int { reading.boot + difference }

    /// The time with which a session that is used now is marked: the later one, so that it expires
    /// too late rather than too early.
    func mark(at reading: Reading) -> Int {
        let time = isBelieved ? reading.wall : max(reading.wall, time(at: reading))
        let (mark, isBeyond) = time.addingReportingOverflow(marksAhead)
        return isBeyond ? Limits.wallNanosecondsMax : min(mark, Limits.wallNanosecondsMax)
    }

    mutating func take(_ reading: Reading) -> Change? {
        let error = reading.difference - difference
        switch state {
        case .believed:
            guard abs(error) > Self.tolerance else {
                // Small corrections add up over the years.
                difference = reading.difference
                return nil
            }
            state = .doubted(
                difference: reading.difference, since: reading.boot,
                standsSeconds: Limits.clockStandsSeconds)
            return .doubted(by: error)
        case .doubted(let standing, let since, let standsSeconds):
            if abs(error) <= Self.tolerance {
                believe(reading)
                return .returned
            }
            guard abs(reading.difference - standing) <= Self.tolerance else {
                state = .doubted(
                    difference: reading.difference, since: reading.boot,
                    standsSeconds: standsSeconds)
                return nil
            }
            let stood = (reading.boot - since) / 1_000_000_000
            guard stood >= standsSeconds,
                reading.wall / 1_000_000_000 >= Limits.earliestTime
            else {
                state = .doubted(
                    difference: reading.difference, since: since, standsSeconds: standsSeconds)
                return nil
            }
            believe(reading)
            return .accepted(by: error)
        }
    }

    private mutating func believe(_ reading: Reading) {
        difference = reading.difference
        state = .believed
    }

    /// The marks that a change has made wrong, in seconds: sessions that carry them were used in
    /// this run, or count as used at a time that has not come.
    mutating func wrongMarks(after change: Change, at reading: Reading) -> Range<Int>? {
        switch change {
        case .doubted: return nil
        case .returned:
            marksSince = marksSince ?? reading.wall
            let now = reading.wall / 1_000_000_000
            return marksAhead == 0 ? now + Limits.clockToleranceSeconds..<Int.max : nil
        case .accepted(let error):
            defer {
                marksSince = reading.wall
                marksAhead = max(0, marksAhead - error)
            }
            guard error > 0, let marksSince else { return nil }
            let first = marksSince / 1_000_000_000
            return first..<max(first, (reading.wall - error) / 1_000_000_000 + 1)
        }
    }
}

extension Limits {
    /// Seconds by which the wall clock may be put right at once and is still believed: a time
    /// server's usual step.
    static let clockToleranceSeconds = 60
    /// Seconds for which a wall clock that jumped must stand until it is believed: a wrong one is
    /// put right within them, and retention is many times longer.
    static let clockStandsSeconds = 3_600
    /// The same after a start: a time server sets the clock within a minute of the boot, and a
    /// machine that runs for an hour a week must be able to forget.
    static let clockStandsAtStartSeconds = 600
    /// Seconds of the wall clock between the last write of one run and the start of the next that
    /// are believed at once, at most: an eighth of the retention within these bounds.
    static let clockGapSecondsMax = 86_400
    /// Seconds since the Unix epoch of 2020-01-01, before which no clock is right: one without a
    /// battery stands there until it is set.
    static let earliestTime = 1_577_836_800
}
