import Geometry
import Glibc

/// The machine's two clocks, in nanoseconds. No other place reads them.
enum Clock {
    static func monotonic() -> Int { read(CLOCK_MONOTONIC) }
    static func wall() -> Int { read(CLOCK_REALTIME) }

    private static func read(_ clock: clockid_t) -> Int {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
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
