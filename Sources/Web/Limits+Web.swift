package import Notation

extension Limits {
    /// WebSockets that are open at once: each may hold a message and a queue of the bounds below.
    package static let webClientsMax = 256
    /// Connections in all, with those that only fetch files.
    package static let webConnectionsMax = 512
    /// Bytes of a client's message: as large as the daemon takes one, for imports.
    package static let webMessageBytesMax = messageBytesMax
    /// Fragments of a message: browsers send one or two.
    package static let webFragmentsMax = 64
    /// Prefixes that one client subscribes to: five topics of some fifty sessions.
    package static let webSubscriptionsMax = 256
    /// Requests of one client that wait for the daemon: below its own bound for one peer, 256.
    package static let webRequestsMax = 32
    /// Messages of one client a second, on average: ten fingers at 200 samples a second.
    package static let webMessagesPerSecond = 2_000
    /// Bytes of one client a second, on average.
    package static let webBytesPerSecond = 1_024 * 1_024
    /// Messages of one client that are refused, since above the rate or faulty, until it is closed.
    package static let webFaultsMax = 1_000
    /// How many of them are forgiven each second.
    package static let webFaultsPerSecond = 10
    /// Bytes that wait for one client: some hundred scenes, or one whole export.
    package static let webQueueBytesMax = 4 * 1_024 * 1_024
    /// Seconds until the daemon must have answered a request.
    package static let webRequestSeconds = 10
    /// Seconds without a heartbeat until the daemon counts as gone; it beats once a second.
    package static let webHeartbeatSeconds = 3
}
