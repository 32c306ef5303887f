import Notation

/// Decides how often sessions with large updates publish while libzmq's thread cannot send those in
/// time.
///
/// A subscriber's updates wait in one line, so that a small one waits for the large ones before it.
/// Where others want the processor too, the bytes that ``Outbox/largeUpdates`` may have would take
/// the thread a second. So the time in which it can send what waits is measured. Where the thread
/// has time, or nothing that waits has left, some subscriber does not read: less to send would not
/// help it, and harm the others.
struct LargeRestraint {
    /// The frames of which a session with large updates publishes one.
    private(set) var spacing = 1
    private var last: Look?

    /// The state of the thread and its updates at a moment.
    struct Look {
        /// On the monotonic clock.
        var time: Int
        /// The nanoseconds in which the thread had something to do, since the start.
        var busy: Int
        /// Bytes of large updates that wait for subscribers, and those that wait no more, of all
        /// time.
        var waiting: Int
        var sent: Int
    }

    /// Whether a look would tell anything: where little waits, it need not ask the system.
    func needsLook(waiting: Int) -> Bool {
        spacing > 1 || last != nil || waiting >= Limits.largeUpdatesLeisureBytes
    }

    /// Takes a look; nil: the system does not tell how busy the thread is.
    mutating func look(_ now: Look?) {
        guard let now, now.waiting >= Limits.largeUpdatesLeisureBytes else {
            (spacing, last) = (1, nil)
            return
        }
        guard let last else { return self.last = now }
        let time = now.time - last.time
        guard time >= Limits.largeRestraintNanoseconds else { return }
        let isBusy = now.busy - last.busy > time / 10 * 9
        // At the speed since the last look.
        let sent = now.sent - last.sent
        spacing =
            isBusy && sent > 0 ? Self.spacing(now.waiting * (time / 1_000_000) / sent) : 1
        self.last = now
    }

    private static func spacing(_ milliseconds: Int) -> Int {
        let steps = milliseconds / Limits.largeUpdatesMilliseconds
        // A longer shift would give 0.
        return min(1 << min(steps, Int.bitWidth - 2), Limits.largeSpacingMax)
    }
}

extension Limits {
    /// Bytes of large updates that may wait while libzmq's thread is busy, however long they take.
    static let largeUpdatesLeisureBytes = 1 * 1024 * 1024
    /// Milliseconds for which large updates may wait while libzmq's thread is busy. With each
    /// further span as long, sessions with large updates publish half as often.
    static let largeUpdatesMilliseconds = 25
    /// Frames of which they publish one at least.
    static let largeSpacingMax = 64
    /// Nanoseconds between two decisions.
    static let largeRestraintNanoseconds = 40_000_000
}
