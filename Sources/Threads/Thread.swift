import CSystem
import Glibc

/// Threads of this process, with names that `top -H` and debuggers show.
package enum Thread {
    /// Bytes of a name that Linux keeps.
    package static let nameBytesMax = 15

    /// Starts a thread that runs `body` and ends. It traps where the system gives no thread.
    package static func start(_ name: StaticString, _ body: @escaping @Sendable () -> Void) {
        precondition(name.utf8CodeUnitCount <= nameBytesMax, "\(name) is too long a name")
        let start = unsafe Unmanaged.passRetained(Start(name, body))
        var thread = pthread_t()
        // pthread carries the closure as a pointer, which the thread takes over at once.
        let code = unsafe pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer = unsafe pointer else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
                unsafe gs_thread_set_name("\(start.name)")
                start.body()
                return nil
            }, unsafe start.toOpaque())
        precondition(code == 0, "the system gives no thread for \(name)")
        pthread_detach(thread)
    }

    private final class Start {
        let name: StaticString
        let body: @Sendable () -> Void

        init(_ name: StaticString, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Lets the calling thread rest.
    package static func sleep(milliseconds: Int) {
        var end = Condition.Deadline(milliseconds: milliseconds).time
        // A signal ends a sleep early.
        while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nil) == EINTR {}
    }
}
