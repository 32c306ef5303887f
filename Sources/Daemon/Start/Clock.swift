import Geometry
import Glibc
import Notation

/// The machine's clocks, in nanoseconds. No other place reads them.
enum Clock {
    static func monotonic() -> Int { read(CLOCK_MONOTONIC) }
    /// From the Unix epoch on, at most `Limits.wallNanosecondsMax`; there it stands still.
    static func wall() -> Int { read(CLOCK_REALTIME) }

    /// The wall clock and the boot's clock at one moment: read again if the process stood still
    /// between them.
    static func reading() -> ClockWatch.Reading {
        var reading = ClockWatch.Reading(wall: 0, boot: 0)
        for _ in 0..<3 {
            reading.boot = read(CLOCK_BOOTTIME)
            reading.wall = wall()
            if read(CLOCK_BOOTTIME) - reading.boot < 100_000_000 { break }
        }
        return reading
    }

    /// From the boot on; it goes on while the machine sleeps.
    static func boot() -> Int { read(CLOCK_BOOTTIME) }

    /// The time that this thread has had of the processor. It asks the system, so it costs more.
    static func processor() -> Int { read(CLOCK_THREAD_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Int {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return nanoseconds(seconds: time.tv_sec, time.tv_nsec)
    }

    /// A clock that somebody has set beyond all bounds must not end the daemon.
    static func nanoseconds(seconds: Int, _ rest: Int) -> Int {
        let whole = min(max(seconds, 0), Limits.wallNanosecondsMax / 1_000_000_000)
        return min(whole * 1_000_000_000 + rest, Limits.wallNanosecondsMax)
    }
}

extension Limits {
    /// Nanoseconds since the Unix epoch, in the year 2225. All sums with the time of a session or
    /// of this run, up to 36 years, still fit an integer.
    static let wallNanosecondsMax = Int.max - 1 << 60
}

/// The daemon's own grid of 1/120 s on the monotonic clock; every session opens on a point of it.
struct Grid: Sendable {
    /// The monotonic clock at the grid's step 0.
    let origin: Int
    /// The wall clock at that moment; later jumps of the wall clock do not reach it.
    let wallOrigin: Int

    init() {
        origin = Clock.monotonic()
        wallOrigin = Clock.wall()
    }

    /// The last step at or before a monotonic time.
    func step(at time: Int) -> Step { Step(notAfter: time - origin) }

    /// The monotonic time of a step.
    func time(of step: Step) -> Int { origin + step.nanoseconds }

    /// The first step at or after a monotonic time.
    func next(at time: Int) -> Step {
        let step = self.step(at: time)
        return self.time(of: step) < time ? step + 1 : step
    }

    /// A monotonic time on the daemon's own timeline of the wall.
    func instant(at time: Int) -> Instant { Instant(nanoseconds: wallOrigin + time - origin) }
}
