import CSystem
import Glibc

/// The signals that the process gets: to read the configuration again, and to stop.
struct StopSignals {
    private let descriptor: CInt
    /// When the first signal to stop came, on the monotonic clock.
    private var stoppedAt: Int?
    private var isStoppedTwice = false

    /// Minimum time for the final commit after a second stop signal, in nanoseconds: a busy disk
    /// takes a while.
    private static let finalCommitNanoseconds = 2_000_000_000

    init(descriptor: CInt) { self.descriptor = descriptor }

    var hasToStop: Bool { stoppedAt != nil }

    /// Reads what has come; returns whether the configuration is to be read again.
    mutating func read(at time: Int) -> Bool {
        var hasToReload = false
        var hasToStop = false
        while case let signal = gs_signals_next(descriptor), signal != 0 {
            if signal == SIGTERM || signal == SIGINT { hasToStop = true }
            if signal == SIGHUP { hasToReload = true }
        }
        if hasToStop {
            if stoppedAt != nil { isStoppedTwice = true }
            stoppedAt = stoppedAt ?? time
        }
        return hasToReload
    }

    /// Whether the end waits for the disk no longer: it was asked twice, and the disk had its time.
    func isGivenUp(at time: Int) -> Bool {
        guard let stoppedAt else { return false }
        return isStoppedTwice && time - stoppedAt >= Self.finalCommitNanoseconds
    }
}
