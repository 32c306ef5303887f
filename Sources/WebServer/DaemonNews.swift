import GesturedClient

/// The lines of the log about the daemon: once that it is waited for or that one of its sockets is
/// out of reach, and once that all is well again.
struct DaemonNews {
    /// Two seconds of ticks: to connect takes a moment, and a heartbeat may be a second away.
    private static let awayTicksMax = 8
    /// Four: a daemon that ends leaves its sockets before it counts as away.
    private static let lackTicksMax = 16

    private let place: String
    /// Ticks in a row without a daemon.
    private var awayTicks = 0
    /// Ticks with a daemon that lacks something. One that only answers is away for a tick at times.
    private var lackTicks = 0
    private var said: String?

    init(of endpoints: Endpoints) { place = endpoints.asked }

    /// The news at a tick, if there are any. A daemon that is there from the start is none.
    ///
    /// `lack` is the fault of a daemon that is there; nil: none.
    mutating func line(isThere: Bool, lack: String?) -> String? {
        guard isThere else {
            awayTicks = min(awayTicks + 1, Self.awayTicksMax)
            guard awayTicks == Self.awayTicksMax else { return nil }
            lackTicks = 0
            return once("gestured is away; waiting")
        }
        awayTicks = 0
        guard let lack else {
            lackTicks = 0
            defer { said = nil }
            return said == nil ? nil : "\(place): gestured is there"
        }
        lackTicks = min(lackTicks + 1, Self.lackTicksMax)
        return lackTicks == Self.lackTicksMax ? once(lack) : nil
    }

    private mutating func once(_ fault: String) -> String? {
        guard fault != said else { return nil }
        said = fault
        return "\(place): \(fault)"
    }
}
