import Bridges
import CSystem
import Commands
import GesturedClient
import Glibc
import Threads

/// Follows topics on a thread of its own, because a join waits for the daemon's answers.
///
/// The thread runs until the process ends.
// The lock guards `inbox`, `joinedCount`, `failure` and `absence`; the rest never changes.
final class UpdateThread: @unchecked Sendable {
    /// Updates that wait for the bridge's turn. While it is full the thread does not read, and the
    /// subscriber heals what that loses.
    private static let inboxMax = 1_024
    /// Bytes of memory of these, with their trees. The bridge takes them one by one, so that
    /// nothing but the one that it works on is beyond the bound.
    private static let inboxBytesMax = 16 * 1_024 * 1_024
    /// A full inbox is tried again after this pause.
    private static let pauseMicroseconds: UInt32 = 20_000
    /// A daemon that refuses or answers badly is asked again after this pause.
    private static let faultMicroseconds: UInt32 = 200_000
    private static let waitMilliseconds = 1_000

    /// Readable when updates have come.
    let descriptor: CInt
    private let lock = Lock()
    private var inbox = DaemonUpdates<ReceivedUpdate>(
        countMax: UpdateThread.inboxMax, bytesMax: UpdateThread.inboxBytesMax)
    private var failure: ClientError?
    private var absence: ClientError?
    /// The places of `inbox` that were filled when everything that there was at the first join had
    /// come; nil: it has not come yet.
    private var joinedCount: Int?

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

    /// Gives the updates that have come to `body`, for some milliseconds. The descriptor stays
    /// readable where more are left.
    ///
    /// Returns whether all that there was at the first join was given. Throws where the endpoints
    /// cannot be connected to.
    func take(_ body: (ReceivedUpdate) -> Void) throws(Failure) -> Bool {
        gs_eventfd_clear(descriptor)
        if let fault = lock.withLock({ self.failure }) { throw Failure(fault) }
        let isMore = TurnWork.run(clock: { BridgeShell.moment().steady }) {
            guard let update = lock.withLock({ inbox.takeFirst() }) else { return false }
            body(update)
            return true
        }
        if isMore { gs_eventfd_signal(descriptor) }
        return lock.withLock { joinedCount.map { inbox.takenCount >= $0 } ?? false }
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
            guard joinedCount == nil else { return false }
            joinedCount = inbox.appendedCount
            return true
        }
        if isNews { gs_eventfd_signal(descriptor) }
    }

    private func put(_ update: ReceivedUpdate) {
        while !append(update) { usleep(Self.pauseMicroseconds) }
        gs_eventfd_signal(descriptor)
    }

    /// Returns false where there is no room.
    private func append(_ update: ReceivedUpdate) -> Bool {
        lock.withLock {
            inbox.append(
                update, topic: update.topic, epoch: update.epoch, bytes: update.memoryBytes)
        }
    }
}
