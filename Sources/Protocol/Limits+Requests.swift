package import Notation

/// Bounds of requests and replies that belong to the protocol itself. Each of the daemon's own, as
/// that of requests which are unanswered, stands beside what enforces it, and `hello` and `stats`
/// tell the values of all.
extension Limits {
    /// Bytes of a request's `id` as JSON: it waits with the answer.
    package static let requestIdBytesMax = 1_024
    /// Sessions in one reply to `sessions`.
    package static let sessionsListedMax = 1_000
    /// Sessions in one reply with their states and scenes, parked ones too: a lane reads the record
    /// of each that is parked, some milliseconds of work.
    package static let sessionsDetailedMax = 100
}
