import Glibc

/// Waits in a command that nothing else can wake; a signal ends the process as usual.
enum Pause {
    static func wait(_ duration: Duration) {
        let end = ContinuousClock.now + duration
        while true {
            let (seconds, attoseconds) = max(end - .now, .zero).components
            if seconds == 0 && attoseconds == 0 { return }
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            unsafe nanosleep(&time, nil)
        }
    }
}
