import Glibc

/// Blocks signals, so that the program asks for them at places of its own choice.
package struct InterruptSignals {
    /// The signals that end a command.
    package static let ends = [SIGINT, SIGTERM, SIGHUP]

    private var set = sigset_t()

    /// Blocks the signals from now on.
    package init(_ numbers: [Int32]) {
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        // A shell ignores SIGINT for background processes; undo that.
        for number in [SIGINT, SIGTERM] where numbers.contains(number) {
            signal(number, SIG_DFL)
        }
    }

    /// The next signal; nil when none came in time.
    package func next(within duration: Duration = .zero) -> Int32? {
        let end = ContinuousClock.now + max(duration, .zero)
        var set = set
        while true {
            let (seconds, attoseconds) = max(end - .now, .zero).components
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            let number = unsafe sigtimedwait(&set, nil, &time)
            if number > 0 { return number }
            if errno != EINTR { return nil }
        }
    }

    /// Unblocks the signals, so that a second one ends the process at once.
    package func unblock() {
        var set = set
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}

/// Ends the process with status 0 on an interruption. Nothing is buffered, so nothing is lost.
package func endQuietlyWhenInterrupted() {
    signal(SIGINT) { _ in _exit(0) }
    signal(SIGTERM) { _ in _exit(0) }
    // The parent process may have blocked the signals; a child inherits that.
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGINT)
    unsafe sigaddset(&set, SIGTERM)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
}
