import Notation

extension Limits {
    /// Requests that are read together, before the subscriptions that came before them are.
    static let requestsAtOnceMax = 16
    /// Bytes of events that the reactor reads in one round: a large body is at most one of many.
    static let roundBytesMax = 1024 * 1024
    /// Messages that the reactor reads in one round, of each socket, before it does anything else.
    static let roundMessagesMax = 512
    /// Subscriptions that are read in one round: some milliseconds of work.
    static let subscriptionsPerRoundMax = 2_048
    /// Subscriptions at which the log warns, and again at each doubling: memory grows with them.
    static let subscriptionsWarnedAt = 10_000
    /// Requests that wait for lanes' answers; beyond it no requests are read.
    static let requestsUnansweredMax = 8_192
}
