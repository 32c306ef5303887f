import Notation

/// Decides how often sessions publish while libzmq's thread cannot send all updates.
///
/// Subscribers that ask for more than that thread can send would have libzmq keep up to their marks
/// of updates for each. So while more and more waits and the thread is busy, sessions publish what
/// lasts once in some frames: those that have very many subscribers first, since they are the
/// reason. Where the thread has time, some subscriber does not read: less to send would not help
/// it, and harm the others.
struct Restraint {
    /// The frames of which a session with very many subscribers publishes one; see
    /// ``spacing(_:subscribers:)``.
    private(set) var spacing = 1
    private var last: (time: Int, busy: Int, waiting: Int)?

    /// Takes a look. `waiting`: the bytes of small updates that wait for subscribers. `busy`: the
    /// nanoseconds in which libzmq's thread had something to do, since the start; nil: unknown.
    mutating func look(waiting: Int, busy: Int?, at now: Int) {
        guard let busy else { return }
        guard let last else { return self.last = (now, busy, waiting) }
        let time = now - last.time
        guard time >= Limits.restraintNanoseconds else { return }
        let isBusy = busy - last.busy > time / 10 * 9
        if isBusy, waiting > Limits.smallUpdatesBytesMax {
            // A long queue falls for a while before it is short.
            if waiting >= last.waiting { spacing = min(2 * spacing, Self.spacingMax) }
        } else if !isBusy || waiting < Limits.smallUpdatesBytesMax / 2 {
            spacing = max(spacing / 2, 1)
        }
        self.last = (now, busy, waiting)
    }

    private static let spacingMax = Limits.publishSpacingMax * Limits.fewSubscribersSpacingFactor

    /// The frames of which a session publishes one at least, by its subscribers.
    static func spacing(_ spacing: Int, subscribers: Int) -> Int {
        subscribers >= Limits.manySubscribersMin
            ? min(spacing, Limits.publishSpacingMax)
            : max(1, spacing / Limits.fewSubscribersSpacingFactor)
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
    /// A session without very many subscribers publishes so many times as often.
    static let fewSubscribersSpacingFactor = 16
}
