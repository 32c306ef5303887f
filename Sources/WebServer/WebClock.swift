import Glibc

/// The machine's clocks.
enum Clock {
    private static let origin = ContinuousClock.now

    /// Seconds since the Unix epoch.
    static func wall() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Nanoseconds since some moment of this run.
    static func monotonic() -> Int {
        let (seconds, attoseconds) = (ContinuousClock.now - origin).components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }

    /// Seconds of the processor that this process has had.
    static func processor() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
