import Glibc
import Notation
import Sessions

/// Files, sockets and timers, of which the system lets a process have only so many open.
enum Descriptors {
    /// Takes as many as the system gives, and refuses what would run out of them at once: libzmq
    /// and Dispatch end the process then.
    static func expect(lanes: Int) throws(StartError) {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        let answer = unsafe getrlimit(kind, &limit)
        precondition(answer == 0, "a limit that every system has cannot be read")
        // A shell's usual one is 1,024 of some 500,000, for programs of another time.
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(kind, &limit)
        _ = unsafe getrlimit(kind, &limit)
        let least = lanes * Limits.descriptorsPerLane + Limits.descriptorsBesideLanes
        guard limit.rlim_cur < least else { return }
        throw StartError(
            "\(lanes) lanes need \(least) descriptors, and the system gives only"
                + " \(limit.rlim_cur): lower the key lanes, or raise LimitNOFILE or ulimit -n")
    }
}

extension Limits {
    /// Descriptors of each lane: its timer, and the two files of the store that it reads.
    static let descriptorsPerLane = 3
    /// Descriptors that the daemon may open beside them, at the least: some thirty of its own, the
    /// rest for its first peers.
    static let descriptorsBesideLanes = 64
}
