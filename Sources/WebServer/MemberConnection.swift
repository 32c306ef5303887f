import ZeroMQ

/// One daemon as the bridge is connected to it. For one thread.
final class MemberConnection {
    var daemon: DaemonSockets

    init(_ daemon: consuming DaemonSockets) { self.daemon = daemon }
}
