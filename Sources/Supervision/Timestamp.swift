import Glibc

/// The time before a line of a log that no journal keeps.
package enum Timestamp {
    /// UTC to the millisecond, as `2026-11-27T14:05:00.123Z`.
    package static func text(ofWallNanoseconds nanoseconds: Int) -> String {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "-" }
        let (year, month, day) = unsafe (parts.tm_year + 1_900, parts.tm_mon + 1, parts.tm_mday)
        let (hour, minute, second) = unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec)
        let date = "\(year)-\(two(month))-\(two(day))"
        let time = "\(two(hour)):\(two(minute)):\(two(second))"
        let milliseconds = nanoseconds / 1_000_000 % 1_000
        return "\(date)T\(time).\(padded(milliseconds, to: 3))Z"
    }

    /// The same of now.
    package static var now: String {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return text(ofWallNanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
    }

    private static func two(_ number: CInt) -> String { padded(Int(number), to: 2) }

    private static func padded(_ number: Int, to count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
