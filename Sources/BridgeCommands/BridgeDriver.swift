import Bridges
import Commands
import GesturedClient

/// The part of a bridge that touches the world: its sockets, devices or processes.
protocol BridgeDriver: AnyObject {
    /// The text behind the bridge's name on the ready line, as `udp://127.0.0.1:3333`.
    var readiness: String { get }
    /// The counters, as `packets=12 malformed=1`.
    var counters: String { get }
    /// Half a line for `systemctl status`.
    var status: String { get }
    /// The descriptors to wait for. They are asked for before each wait.
    var descriptors: [WatchedDescriptor] { get }

    /// Whether nothing is left to do: the bridge ends as after a signal.
    var isDone: Bool { get }

    /// Reads what there is, without waiting, and publishes what follows from it.
    ///
    /// It is called after each wait, whatever ended the wait. Returns the milliseconds after which
    /// it must be called again at the latest.
    func turn(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) -> Int
    /// Goes on with what is under way after a signal, until `BridgeShell.finishMillisecondsMax` or
    /// another signal.
    ///
    /// Returns the milliseconds after which it must be called again; nil: nothing is under way.
    func finish(at moment: Moment) -> Int?
    /// Publishes the last events. They have the connection's timeout to leave.
    func end(_ daemon: DaemonConnection, at moment: Moment) throws(Failure)
}

extension BridgeDriver {
    /// Most bridges run until a signal.
    var isDone: Bool { false }
    /// Most bridges have nothing under way.
    func finish(at moment: Moment) -> Int? { nil }
}

/// A descriptor and the state of it that ends a wait.
struct WatchedDescriptor: Hashable {
    var descriptor: CInt
    var isWritten = false
}
