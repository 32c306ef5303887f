import Glibc

/// Signals that are asked for, instead of breaking in wherever the process stands.
struct Signals {
    /// What a person or the system ends a command with.
    static let ends = [SIGINT, SIGTERM, SIGHUP]

    private var set = sigset_t()

    /// From now on these signals wait until they are asked for.
    init(_ numbers: [Int32]) {
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        // A shell starts what runs in its background with SIGINT ignored; it was asked for here.
        for number in [SIGINT, SIGTERM] where numbers.contains(number) {
            signal(number, SIG_DFL)
        }
    }

    /// The next one, waited for as long as that; nil when none came.
    func next(within duration: Duration = .zero) -> Int32? {
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

    /// Lets them break in again, as for a second one while the first is being heeded.
    func unblock() {
        var set = set
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
