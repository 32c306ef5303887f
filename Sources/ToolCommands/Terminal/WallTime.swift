import Glibc

/// An instant of the wall clock, for a person and for a program.
struct WallTime {
    /// Since the Unix epoch.
    let milliseconds: Double

    init(milliseconds: Double) { self.milliseconds = milliseconds }

    static var now: WallTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1e6)
    }

    /// The time of the day here, `09:30:00.125`.
    var clock: String { "\(formatted("%H:%M:%S")).\(fraction)" }

    /// Date, time and zone, as ISO 8601 has them: `2026-01-31T09:30:00.125+01:00`.
    var iso: String {
        let zone = formatted("%z")
        let split = zone.count == 5 ? "\(zone.prefix(3)):\(zone.suffix(2))" : zone
        return "\(formatted("%Y-%m-%dT%H:%M:%S")).\(fraction)\(split)"
    }

    private var whole: Int { Int(clamping: Int64(max(-1e15, min(1e15, milliseconds)).rounded())) }

    private var fraction: String {
        let digits = String(((whole % 1_000) + 1_000) % 1_000)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }

    private func formatted(_ format: String) -> String {
        var seconds = time_t((Double(whole) / 1_000).rounded(.down))
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        var letters = [CChar](repeating: 0, count: 64)
        let count = unsafe strftime(&letters, letters.count, format, &parts)
        return String(decoding: letters.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
