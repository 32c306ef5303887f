import ZeroMQ

/// One daemon as the bridge is connected to it. For one thread.
final class MemberConnection {
    var daemon: DaemonConnection

    init(_ daemon: consuming DaemonConnection) { self.daemon = daemon }
}
