import Dispatch
import Synchronization

/// The current state, then every change, as an asynchronous sequence.
///
/// ``Connection/updates(of:)`` makes one. Each iterator subscribes for itself and joins by the
/// protocol's rule. It does not end by itself: where the daemon is away, busy or restarts, it goes
/// on trying, joins again, and gives what it missed as snapshots. It ends where its task is
/// cancelled, within the connection's timeout. A task that takes updates slowly fills libzmq's
/// queue, which loses updates when it is full; the sequence heals such gaps, too.
public struct Updates: AsyncSequence, Sendable {
    public typealias Element = ReceivedUpdate

    let connection: Connection
    let prefixes: [String]

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(worker: UpdateWorker(connection, prefixes))
    }

    /// One subscription. Not for two tasks at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let worker: UpdateWorker

        /// The next update; nil where the task is cancelled.
        ///
        /// Throws ``ClientError/transport(_:)`` where libzmq cannot subscribe.
        public mutating func next() async throws -> ReceivedUpdate? { try await worker.next() }
    }
}

extension Connection {
    /// All updates whose topics begin with one of `prefixes`, for `for try await`; an empty prefix
    /// means all.
    public func updates(of prefixes: [String]) -> Updates {
        Updates(connection: self, prefixes: prefixes)
    }
}

// Its queue alone touches the subscriber; everything else in it can be shared.
final class UpdateWorker: @unchecked Sendable {
    /// Milliseconds between two looks whether the task was cancelled.
    private static let lookMilliseconds = 100
    /// Milliseconds until a daemon that could not answer is asked again.
    private static let pauseMilliseconds = 200

    private let queue = DispatchQueue(label: "gestured.updates")
    private let connection: Connection
    private let prefixes: [String]
    private var subscriber: Subscriber?
    private let isCancelled = Atomic(false)

    init(_ connection: Connection, _ prefixes: [String]) {
        self.connection = connection
        self.prefixes = prefixes
    }

    func next() async throws -> ReceivedUpdate? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try self.wait() }) }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }

    private func wait() throws -> ReceivedUpdate? {
        while !isCancelled.load(ordering: .relaxed) {
            do throws(ClientError) {
                guard let subscriber else {
                    subscriber = try connection.subscriber(to: prefixes)
                    continue
                }
                let event = try subscriber.next(withinMilliseconds: Self.lookMilliseconds)
                if case .update(let update) = event { return update }
            } catch {
                switch error {
                case .transport, .badKeys: throw error
                case .noAnswer: continue
                case .refused, .badAnswer, .handshake:
                    let pause = DispatchTime.now() + .milliseconds(Self.pauseMilliseconds)
                    _ = DispatchSemaphore(value: 0).wait(timeout: pause)
                }
            }
        }
        return nil
    }
}
