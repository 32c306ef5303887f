/// A bucket of permits that fills with time, for what a client sends.
package struct RateLimit: Sendable {
    private let perSecond: Double
    private let burst: Double
    private var permits: Double
    private var last: Int

    /// Times are nanoseconds of a monotonic clock.
    package init(perSecond: Int, burst: Int, at time: Int) {
        self.perSecond = Double(perSecond)
        self.burst = Double(burst)
        permits = Double(burst)
        last = time
    }

    /// Whether so many permits are there.
    package mutating func has(_ count: Int, at time: Int) -> Bool {
        permits = min(burst, permits + perSecond * Double(max(0, time - last)) / 1e9)
        last = max(last, time)
        return permits >= Double(count)
    }

    /// Takes permits if so many are there.
    package mutating func take(_ count: Int, at time: Int) -> Bool {
        guard has(count, at: time) else { return false }
        permits -= Double(count)
        return true
    }
}
