import Web

/// Counts since the start, for `/metrics`.
struct WebCounters {
    var opened = 0
    var closedSlow = 0
    var closedBroken = 0
    var closedFaults = 0
    /// For which most was held where all together had too much.
    var closedRoom = 0
    var refusedConnections = 0
    var refusedClients = 0
    var refusedOrigins = 0
    var refusedHosts = 0
    var refusedRequests = 0
    var refusedTokens = 0
    /// Connections without a WebSocket that were cut.
    var cut: [CutReason: Int] = [:]
    var received = 0
    var receivedBytes = 0
    var sent = 0
    var sentBytes = 0
    var published = 0
    var requests = 0
    var unanswered = 0
    /// Sessions closed because their page had gone.
    var sessionsClosed = 0
    var updates = 0
    /// Updates that were made one with an older one before any client was given it.
    var gathered = 0
    /// Updates of sessions for which too many waited.
    var dropped = 0
    /// Those of clients that are gone.
    var replaced = 0
    var merged = 0
    /// Refused messages by their code.
    var refused: [String: Int] = [:]
    /// Answers by their status.
    var answers: [Int: Int] = [:]

    mutating func count(_ queue: ClientQueue) {
        replaced += queue.replacedCount
        merged += queue.mergedCount
    }
}
