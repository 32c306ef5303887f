/// Tells when events wait for the daemon for so long that a person should know, once each time. A
/// busy daemon accepts nothing for moments, which is no news.
struct ForwardingWait {
    static let shownAfter = Duration.milliseconds(500)

    private var since: ContinuousClock.Instant?
    private var isSaid = false

    /// Notes whether events wait now.
    mutating func isWorthSaying(isStuck: Bool, at now: ContinuousClock.Instant) -> Bool {
        guard isStuck else {
            self = Self()
            return false
        }
        let began = since ?? now
        since = began
        guard !isSaid && now - began >= Self.shownAfter else { return false }
        isSaid = true
        return true
    }
}
