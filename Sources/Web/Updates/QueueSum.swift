/// The bytes that wait for all clients together, and the client for which most of them do.
package struct QueueSum<Client: Hashable & Sendable>: Sendable {
    private var costs: [Client: Int] = [:]
    /// Bytes of all.
    package private(set) var total = 0

    package init() {}

    /// Notes what waits for a client now; 0: nothing, or it is gone.
    package mutating func set(_ cost: Int, of client: Client) {
        total += cost - (costs[client] ?? 0)
        costs[client] = cost == 0 ? nil : cost
    }

    /// The client that has to go where more waits than may; nil: it may.
    package func largest(above max: Int) -> Client? {
        total > max ? costs.max { $0.value < $1.value }?.key : nil
    }
}
