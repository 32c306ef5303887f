import Notation

/// Whether what waits in libzmq's queues takes far more memory than bytes on the wire.
///
/// A frame of no bytes takes 2 bytes on the wire and 64 in libzmq, and nothing tells how many
/// frames an unfinished message has. Its memory does: the process grows. So it is compared with
/// what it was while little waited. A scene that is read, or an answer that waits, makes it grow
/// too; so much must wait that its frames could be the reason.
///
/// The process also keeps memory that is free, and the daemon knows of much that it has itself:
/// updates, replies, and events of other members that wait. So where the process has grown that
/// far, the bytes that are allocated count, without those that the daemon knows of.
struct QueuedMemory {
    /// Bytes that the process had while little waited.
    private var calm = 0
    private var last = 0
    /// When the allocated bytes were asked for last.
    private var asked = 0
    private(set) var isShort = false

    /// Whether it is time to ask for the process's memory.
    func isDue(waiting: Int, at now: Int) -> Bool {
        isShort || waiting > Limits.queuedBytesCalmMax
            || now - last >= Limits.queuedMemoryLookNanoseconds
    }

    /// Takes a look. `resident`: the process's memory; `waiting`: bytes that libzmq has taken from
    /// peers and that the reactor has not read, with those of unfinished messages. `unexplained`:
    /// bytes that are allocated and that the daemon does not know of, asked for when the process
    /// has grown.
    mutating func look(resident: Int, waiting: Int, at now: Int, unexplained: () -> Int) {
        let seconds = last == 0 ? 0 : Double(now - last) / 1e9
        last = now
        if calm == 0 || resident < calm { calm = resident }
        if waiting <= Limits.queuedBytesCalmMax {
            // Freed memory goes back to the system after a while. Memory in use stays.
            let rise = min(1, seconds) * Double(Limits.calmMemoryPerSecondMax)
            calm = min(resident, calm + Int(rise))
        }
        guard Self.isMuch(growth: resident - calm, waiting: waiting) else {
            isShort = false
            return
        }
        guard now - asked >= Limits.allocatedMemoryLookNanoseconds else { return }
        asked = now
        isShort = Self.isMuch(growth: unexplained() - calm, waiting: waiting)
    }

    /// Whether a growth by so many bytes is much, and what waits can be the reason.
    private static func isMuch(growth: Int, waiting: Int) -> Bool {
        let most = min(growth, waiting * Limits.frameMemoryFactorMax)
        return most > Limits.queuedMemoryMax
            && (growth > Limits.frameMemoryFactorMin * waiting
                || most > Limits.queuedMemoryOfAllMax)
    }
}

extension Limits {
    /// Bytes of libzmq's memory for each byte on the wire, of frames without content.
    static let frameMemoryFactorMax = 32
    /// The same from which on frames are the reason: small events have 4.
    static let frameMemoryFactorMin = 8
    /// Bytes by which the process may have grown through such frames: one and a half million of
    /// them.
    static let queuedMemoryMax = 96 * 1024 * 1024
    /// The same through messages of whatever size.
    static let queuedMemoryOfAllMax = 256 * 1024 * 1024
    /// Bytes on the wire that wait while little does.
    static let queuedBytesCalmMax = 512 * 1024
    /// Nanoseconds between two looks at the memory while little waits.
    static let queuedMemoryLookNanoseconds = 250_000_000
    /// Nanoseconds between two times that the allocated bytes are asked for, which may take a
    /// millisecond.
    static let allocatedMemoryLookNanoseconds = 40_000_000
    /// Bytes in a second by which the process may grow for good.
    static let calmMemoryPerSecondMax = 16 * 1024 * 1024
}
