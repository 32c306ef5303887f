import Glibc
import Notation
import Sessions

/// The number of files, sockets and timers that the system lets the process open.
enum Descriptors {
    /// Raises the number to the system's limit. Throws if the lanes need more: without descriptors,
    /// libzmq and Dispatch end the process.
    static func expect(lanes: Int) throws(StartError) {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        let answer = unsafe getrlimit(kind, &limit)
        precondition(answer == 0, "a limit that every system has cannot be read")
        // A shell usually allows 1,024 of some 500,000.
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
    /// Minimum number of descriptors beside those of the lanes: some thirty for the daemon, the
    /// rest for its first peers.
    static let descriptorsBesideLanes = 64
}
