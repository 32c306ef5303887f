import Glibc

/// A lock for mutual exclusion. Any thread may use it; none may lock it twice.
///
/// It is pthread's, because the thread sanitizer does not see `Mutex` of `Synchronization` on
/// Linux.
@safe package final class Lock: @unchecked Sendable {
    // On the heap: pthread's functions need it to stay at its address. They guard it themselves,
    // which the compiler cannot check.
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() {
        unsafe mutex.initialize(to: pthread_mutex_t())
        expect(unsafe pthread_mutex_init(mutex, nil), "pthread_mutex_init")
    }

    deinit {
        expect(unsafe pthread_mutex_destroy(mutex), "pthread_mutex_destroy")
        unsafe mutex.deallocate()
    }

    package func lock() { expect(unsafe pthread_mutex_lock(mutex), "pthread_mutex_lock") }

    package func unlock() { expect(unsafe pthread_mutex_unlock(mutex), "pthread_mutex_unlock") }

    /// Runs `body` while no other thread holds the lock.
    @inlinable
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}

/// These calls fail where they are used wrongly, or memory is used up: both are traps.
func expect(_ code: CInt, _ call: StaticString) {
    precondition(code == 0, "\(call) failed")
}
