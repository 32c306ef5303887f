import Notation

/// The requests of clients on their way to the daemon, which sees one peer in all of them.
///
/// So many are with the daemon at once; the others wait, each client's in their order, and clients
/// take turns. So whatever others ask, a client's next request is passed on after at most one of
/// each of them.
package struct RequestTurns<Client: Hashable & Sendable>: Sendable {
    package struct Waiting: Sendable {
        package var client: Client
        package var request: ClientRequest
        /// When it must have been answered, in nanoseconds.
        package var deadline: Int
    }

    private struct Line {
        var waiting: [Waiting] = []
        var byteCount = 0
        /// With the daemon.
        var underWay = 0
    }

    private var lines: [Client: Line] = [:]
    /// Those who have requests that wait; the first one is next.
    private var order: [Client] = []
    /// With the daemon, also of clients that are gone.
    package private(set) var underWay = 0
    /// In the bridge.
    package private(set) var waitingCount = 0
    package private(set) var byteCount = 0

    package init() {}

    /// Takes a request in. Returns the bound that forbids it, or nil.
    package mutating func add(
        _ request: ClientRequest, of client: Client, until deadline: Int
    ) -> String? {
        var line = lines[client] ?? Line()
        guard line.waiting.count + line.underWay < Limits.webRequestsMax else {
            return "limit_requests \(Limits.webRequestsMax) of a client"
        }
        let size = request.members.count
        let isNext = waitingCount == 0 && mayPass(line)
        let free = Limits.webWaitingBytesMax - byteCount
        let allowed = max(Limits.webWaitingBytesMin, free / Limits.webWaitingShare)
        guard isNext || line.byteCount + size <= allowed else {
            return "limit_waiting_bytes \(Limits.webWaitingBytesMax) of all clients"
        }
        if line.waiting.isEmpty { order.append(client) }
        line.waiting.append(Waiting(client: client, request: request, deadline: deadline))
        line.byteCount += size
        lines[client] = line
        waitingCount += 1
        byteCount += size
        return nil
    }

    private func mayPass(_ line: Line) -> Bool {
        underWay < Limits.webRequestsInAllMax && line.underWay < Limits.webRequestsAtOnceMax
    }

    /// Takes the next request out that may go to the daemon; `answered` or `refused` must follow.
    package mutating func next() -> Waiting? {
        for _ in order.indices {
            let client = order.removeFirst()
            guard var line = lines[client], !line.waiting.isEmpty else { continue }
            guard mayPass(line) else {
                order.append(client)
                continue
            }
            let taken = remove(0, from: &line)
            line.underWay += 1
            underWay += 1
            lines[client] = line
            if !line.waiting.isEmpty { order.append(client) }
            return taken
        }
        return nil
    }

    private mutating func remove(_ place: Int, from line: inout Line) -> Waiting {
        let taken = line.waiting.remove(at: place)
        let size = taken.request.members.count
        line.byteCount -= size
        waitingCount -= 1
        byteCount -= size
        return taken
    }

    /// The daemon has done with a request, or will not do it.
    package mutating func answered(_ client: Client) {
        underWay -= 1
        guard var line = lines[client] else { return }
        line.underWay -= 1
        lines[client] = line.underWay == 0 && line.waiting.isEmpty ? nil : line
    }

    /// Takes out those whose time is over.
    package mutating func expire(at time: Int) -> [Waiting] {
        var late: [Waiting] = []
        for client in order {
            guard var line = lines[client] else { continue }
            while let first = line.waiting.first, first.deadline < time {
                late.append(remove(0, from: &line))
            }
            lines[client] = line.underWay == 0 && line.waiting.isEmpty ? nil : line
        }
        order.removeAll { lines[$0]?.waiting.isEmpty != false }
        return late
    }

    /// Forgets a client that is gone; what is with the daemon still counts.
    package mutating func remove(_ client: Client) {
        guard var line = lines[client] else { return }
        while !line.waiting.isEmpty { _ = remove(0, from: &line) }
        lines[client] = nil
        order.removeAll { $0 == client }
    }
}
