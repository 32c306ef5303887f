import CSystem
import Notation

/// Gives memory back to the system after a surge, which the C library would keep for ever.
///
/// Giving back takes some ten milliseconds for a hundred MiB, in which whoever needs memory waits.
/// So it is done when the process has grown far beyond what it had after the last time, and has not
/// grown since the look before. It tries again for memory that is freed only later: after twice
/// as long each time, since all may still be in use.
package struct MemoryReturn: Sendable {
    private var nextLook = 0
    private var last = 0
    /// Bytes that it had after the last time.
    private var kept = 0
    /// The fewest bytes that it had.
    private var fewest = 0
    /// When to try again although it has not grown, and how many seconds after the last time.
    private var nextTry = 0
    private var pause = Limits.memoryReturnSeconds

    package init() {}

    /// Looks at the process's memory once a second, and gives back what is free if that is much.
    /// `freeSpares` frees first what is kept for reuse alone.
    package mutating func look(at now: Int, freeSpares: () -> Void = {}) {
        guard now >= nextLook, isDue(resident: Int(gs_memory_resident()), at: now) else { return }
        freeSpares()
        gs_memory_return()
        returned(resident: Int(gs_memory_resident()), at: now)
    }

    /// Whether to give memory back now, where the process has so many bytes.
    mutating func isDue(resident: Int, at now: Int) -> Bool {
        nextLook = now + 1_000_000_000
        defer { last = resident }
        if kept == 0 { (kept, fewest) = (resident, resident) }
        kept = min(kept, resident)
        fewest = min(fewest, resident)
        guard resident <= last else { return false }
        if resident > kept + Limits.memoryKeptBytesMax {
            pause = Limits.memoryReturnSeconds
            return true
        }
        return resident > fewest + Limits.memoryKeptBytesMax && now >= nextTry
    }

    /// Memory was given back; so many bytes are left.
    mutating func returned(resident: Int, at now: Int) {
        kept = resident
        fewest = min(fewest, resident)
        // Memory in use stays. The next look follows after a while.
        nextLook = now + Limits.memoryReturnSeconds * 1_000_000_000
        nextTry = now + pause * 1_000_000_000
        pause = min(2 * pause, Limits.memoryReturnSecondsMax)
    }
}

extension Limits {
    /// Bytes that the process may keep beyond what it last needed.
    package static let memoryKeptBytesMax = 16 * 1024 * 1024
    /// Seconds between two times that memory is given back.
    package static let memoryReturnSeconds = 5
    /// Seconds between two times at the most, while nothing grows: a stall of ten milliseconds in
    /// as long is not felt.
    package static let memoryReturnSecondsMax = 640
}
