import Dispatch
import Synchronization

/// Reads the configuration again, on its own queue: the disk may be slow.
final class Reload: Sendable {
    /// The state of the reading. The reactor starts it and takes its result.
    private enum State {
        /// Can become: reading.
        case idle
        /// `again`: another reload was asked for meanwhile. Can become: done.
        case reading(again: Bool)
        /// Can become: idle, reading.
        case done(Result<Configuration, StartError>, again: Bool)
    }

    private let arguments: Arguments
    private let outbox: Outbox
    private let state = Mutex(State.idle)
    /// Whether a result may be there. The reactor asks once a round, without the lock.
    private let isRead = Atomic<Bool>(false)
    private let queue = DispatchQueue(label: "gestured.reload", qos: .utility)

    init(_ arguments: Arguments, outbox: Outbox) {
        self.arguments = arguments
        self.outbox = outbox
    }

    /// Begins to read, now or once the reading under way is done.
    func begin() {
        let isBegun = state.withLock { state in
            switch state {
            case .idle:
                state = .reading(again: false)
                return true
            case .reading:
                state = .reading(again: true)
                return false
            case .done(let result, _):
                state = .done(result, again: true)
                return false
            }
        }
        if isBegun { queue.async { self.read() } }
    }

    private func read() {
        let result: Result<Configuration, StartError>
        do throws(StartError) {
            result = .success(try Configuration(arguments))
        } catch {
            result = .failure(error)
        }
        state.withLock { state in
            guard case .reading(let again) = state else { return }
            state = .done(result, again: again)
        }
        isRead.store(true, ordering: .releasing)
        outbox.wake()
    }

    /// Takes the result; nil: there is none. If another reload was asked for, it begins.
    func take() -> Result<Configuration, StartError>? {
        guard isRead.load(ordering: .acquiring) else { return nil }
        isRead.store(false, ordering: .relaxed)
        let taken: (result: Result<Configuration, StartError>, again: Bool)? = state.withLock {
            guard case .done(let result, let again) = $0 else { return nil }
            $0 = again ? .reading(again: false) : .idle
            return (result, again)
        }
        if taken?.again == true { queue.async { self.read() } }
        return taken?.result
    }

    /// Whether nothing is being read and no result waits.
    var isIdle: Bool {
        state.withLock { state in
            if case .idle = state { true } else { false }
        }
    }
}
