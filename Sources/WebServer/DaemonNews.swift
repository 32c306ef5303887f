import GesturedClient

/// The lines of the log about the daemon: once that it is waited for, and once that it was found.
struct DaemonNews {
    /// Two seconds of ticks: to connect takes a moment, and a heartbeat may be a second away.
    private static let patienceTicks = 8

    private let place: String
    private var awayTicks = 0
    private var isWaitSaid = false

    init(of endpoints: Endpoints) { place = endpoints.asked }

    /// The news at a tick, if there are any. A daemon that is there from the start is none.
    mutating func line(isThere: Bool) -> String? {
        awayTicks = isThere ? 0 : min(awayTicks + 1, Self.patienceTicks)
        if isThere, isWaitSaid {
            isWaitSaid = false
            return "\(place): gestured is there"
        }
        guard awayTicks == Self.patienceTicks, !isWaitSaid else { return nil }
        isWaitSaid = true
        return "\(place): gestured is away; waiting"
    }
}
