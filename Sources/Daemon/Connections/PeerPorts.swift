import Synchronization

/// The TCP ports at which peers connect. The reactor sets them; the guard's thread reads them.
final class PeerPorts: Sendable {
    struct Port: Equatable, Sendable {
        let number: Int
        let role: ConnectionJudge.Role
    }

    private let ports: Mutex<[Port]>

    init(_ ports: [Port]) { self.ports = Mutex(ports) }

    var all: [Port] { ports.withLock { $0 } }

    func set(_ ports: [Port]) { self.ports.withLock { $0 = ports } }
}
