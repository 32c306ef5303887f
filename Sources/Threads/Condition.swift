import Glibc

/// A lock whose holders can wait until another thread has changed what it guards.
///
/// Each wait may end early: ask again whether there is something to do.
@safe package final class Condition: @unchecked Sendable {
    // On the heap, and unchecked, for the same reasons as the lock's.
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let guardian = Lock()

    package init() {
        var attributes = pthread_condattr_t()
        expect(unsafe pthread_condattr_init(&attributes), "pthread_condattr_init")
        // A change of the wall clock must not lengthen a wait.
        expect(
            unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC),
            "pthread_condattr_setclock")
        unsafe condition.initialize(to: pthread_cond_t())
        expect(unsafe pthread_cond_init(condition, &attributes), "pthread_cond_init")
        _ = unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        expect(unsafe pthread_cond_destroy(condition), "pthread_cond_destroy")
        unsafe condition.deallocate()
    }

    package func lock() { guardian.lock() }

    package func unlock() { guardian.unlock() }

    /// Runs `body` while no other thread holds the lock.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try guardian.withLock(body)
    }

    /// Wakes one thread that waits.
    package func signal() { expect(unsafe pthread_cond_signal(condition), "pthread_cond_signal") }

    /// Wakes all threads that wait.
    package func broadcast() {
        expect(unsafe pthread_cond_broadcast(condition), "pthread_cond_broadcast")
    }

    /// Lets others have the lock, which the caller holds, until one of them wakes it.
    package func wait() {
        expect(unsafe pthread_cond_wait(condition, guardian.mutex), "pthread_cond_wait")
    }

    /// The same until a deadline. Returns false once that has passed.
    package func wait(until deadline: Deadline) -> Bool {
        var time = deadline.time
        let code = unsafe pthread_cond_timedwait(condition, guardian.mutex, &time)
        if code != ETIMEDOUT { expect(code, "pthread_cond_timedwait") }
        return code == 0
    }

    /// A moment of the monotonic clock.
    package struct Deadline {
        let time: timespec

        /// The moment so many milliseconds from now.
        package init(milliseconds: Int) {
            var now = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &now)
            let nanoseconds = now.tv_nsec + milliseconds % 1_000 * 1_000_000
            time = timespec(
                tv_sec: now.tv_sec + milliseconds / 1_000 + nanoseconds / 1_000_000_000,
                tv_nsec: nanoseconds % 1_000_000_000)
        }
    }
}
