import Bridges
import CSystem
import Commands
import GesturedClient
import Glibc
import Threads

/// Follows topics on a thread of its own, because a join waits for the daemon's answers.
///
/// The thread runs until the process ends.
// The lock guards `inbox`, `hasJoined`, `failure` and `absence`; the rest never changes.
final class UpdateThread: @unchecked Sendable {
    /// Updates that wait for the bridge's turn. While it is full the thread does not read, and the
    /// subscriber heals what that loses.
    private static let inboxMax = 1_024
    private static let inboxBytesMax = 16 * 1_024 * 1_024
    /// A full inbox is tried again after this pause.
    private static let pauseMicroseconds: UInt32 = 20_000
    /// A daemon that refuses or answers badly is asked again after this pause.
    private static let faultMicroseconds: UInt32 = 200_000
    private static let waitMilliseconds = 1_000

    /// Readable when updates have come.
    let descriptor: CInt
    private let lock = Lock()
    private var inbox = BoundedQueue<ReceivedUpdate>(
        countMax: UpdateThread.inboxMax, bytesMax: UpdateThread.inboxBytesMax)
    private var failure: ClientError?
    private var absence: ClientError?
    /// Whether everything that there was at the first join stands in `inbox` or was taken.
    private var hasJoined = false

    init(_ daemon: Connection, prefixes: [String]) {
        let (endpoints, keys) = (daemon.endpoints, daemon.keys)
        let timeoutMilliseconds = daemon.timeoutMilliseconds
        descriptor = gs_eventfd_open()
        Thread.start("updates") { [self] in
            do throws(ClientError) {
                // A context of its own: it ends with the process, not with the command.
                let connection = try Connection(
                    to: endpoints, timeoutMilliseconds: timeoutMilliseconds, keys: keys)
                try follow(try connection.subscriber(to: prefixes))
            } catch {
                lock.withLock { failure = error }
                gs_eventfd_signal(descriptor)
            }
        }
    }

    /// The updates that have come, and whether all that there was at the first join is among these
    /// and earlier ones. Throws where the endpoints cannot be connected to.
    func take() throws(Failure) -> (updates: [ReceivedUpdate], hasJoined: Bool) {
        gs_eventfd_clear(descriptor)
        let (updates, hasJoined, failure) = lock.withLock {
            var updates: [ReceivedUpdate] = []
            while let update = inbox.first {
                updates.append(update)
                inbox.removeFirst()
            }
            return (updates, self.hasJoined, self.failure)
        }
        if let failure { throw Failure(failure) }
        return (updates, hasJoined)
    }

    /// Why nothing can be followed now; nil: the last attempt went well, or none has ended yet.
    var reasonOfAbsence: ClientError? { lock.withLock { absence } }

    private func follow(_ subscriber: Subscriber) throws(ClientError) {
        while true {
            do throws(ClientError) {
                let event = try subscriber.next(withinMilliseconds: Self.waitMilliseconds)
                lock.withLock { absence = nil }
                if case .update(let update) = event { put(update) }
                if subscriber.isCaughtUp { noteJoin() }
            } catch .transport(let message) {
                throw .transport(message)
            } catch {
                // The daemon is away, or answers badly: the next call joins again.
                lock.withLock { absence = error }
                usleep(Self.faultMicroseconds)
            }
        }
    }

    private func noteJoin() {
        let isNews = lock.withLock {
            defer { hasJoined = true }
            return !hasJoined
        }
        if isNews { gs_eventfd_signal(descriptor) }
    }

    private func put(_ update: ReceivedUpdate) {
        while !lock.withLock({ inbox.append(update, bytes: update.body.count) }) {
            usleep(Self.pauseMicroseconds)
        }
        gs_eventfd_signal(descriptor)
    }
}
