import ZeroMQ

/// One daemon as the bridge is connected to it. For one thread.
final class Station {
    var upstream: Upstream

    init(_ upstream: consuming Upstream) { self.upstream = upstream }
}
