import Glibc

/// The machine's monotonic clock, in nanoseconds.
enum Clock {
    static func monotonic() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
