import Notation

/// Decides how often sessions publish while libzmq's thread cannot send all updates.
///
/// Subscribers that ask for more than that thread can send would have libzmq keep up to their marks
/// of updates for each. So while much waits and the thread is busy, each session publishes what
/// lasts once in `spacing` frames. Where the thread has time, some subscriber does not read: less
/// to send would not help it, and harm the others.
struct Restraint {
    private(set) var spacing = 1
    private var last: (time: Int, busy: Int)?

    /// Takes a look. `waiting`: the bytes of small updates that wait for subscribers. `busy`: the
    /// nanoseconds in which libzmq's thread had something to do, since the start; nil: unknown.
    mutating func look(waiting: Int, busy: Int?, at now: Int) {
        guard let busy else { return }
        guard let last else { return self.last = (now, busy) }
        let time = now - last.time
        guard time >= Limits.restraintNanoseconds else { return }
        let isBusy = busy - last.busy > time / 10 * 9
        if isBusy, waiting > Limits.smallUpdatesBytesMax {
            spacing = min(2 * spacing, Limits.publishSpacingMax)
        } else if !isBusy || waiting < Limits.smallUpdatesBytesMax / 2 {
            spacing = max(spacing / 2, 1)
        }
        self.last = (now, busy)
    }
}

extension Limits {
    /// Bytes of small updates, with libzmq's entries of each, that may wait for all subscribers
    /// while libzmq's thread is busy. They are counted where subscribers are so many that all may
    /// have more waiting.
    static let smallUpdatesBytesMax = 128 * 1024 * 1024
    /// Nanoseconds between two decisions.
    static let restraintNanoseconds = 100_000_000
    /// Frames of which a session publishes one at least.
    static let publishSpacingMax = 64
}
