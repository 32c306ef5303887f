/// Decides whether the daemon is still heard; it sends a heartbeat each second.
///
/// It counts waits in which nothing came, rather than time: a process that was stopped for a while
/// heard nothing either, but has not read yet what came meanwhile.
struct DaemonLiveness {
    /// Milliseconds of one wait: the pause between two heartbeats.
    static let waitMilliseconds = 1_000
    /// Waits without a message after which the daemon counts as silent.
    static let waitsMax = 3

    enum Change: Equatable {
        case silent
        case back
    }

    private var waits = 0
    private(set) var isSilent = false

    /// A message came. Returns the change, once.
    mutating func recordMessage() -> Change? {
        waits = 0
        guard isSilent else { return nil }
        isSilent = false
        return .back
    }

    /// A whole wait passed without a message.
    mutating func recordTimeout() -> Change? {
        waits = min(waits + 1, Self.waitsMax)
        return waits < Self.waitsMax ? nil : recordRefusal()
    }

    /// The daemon did not answer a request.
    mutating func recordRefusal() -> Change? {
        guard !isSilent else { return nil }
        isSilent = true
        return .silent
    }
}
