import Foundation
import Notation
import Sessions

/// Batches on their way from the reactor to one lane's queue, and emptied ones on their way back.
///
/// Those that come back are filled again, so that handing over allocates nothing. At most as much
/// is kept as `Limits.spareBatchesMax` says; what waits is bounded by `Lane.hasRoom`.
final class Inbox: @unchecked Sendable {
    // Both under the lock, hence unchecked.
    private var waiting: [Batch] = []
    private var spare: [Batch] = []
    /// One that the thread sanitizer sees, which `Mutex` is not on Linux.
    private let lock = NSLock()

    /// Takes a batch and leaves an empty one in its place. Called by the reactor.
    func post(_ batch: inout Batch) {
        lock.lock()
        waiting.append(batch)
        batch = spare.popLast() ?? Batch()
        lock.unlock()
    }

    /// Exchanges what waits, in the order of posting, for an array that is empty.
    func take(into taken: inout [Batch]) {
        precondition(taken.isEmpty, "\(taken.count) batches would be posted again")
        lock.lock()
        swap(&waiting, &taken)
        lock.unlock()
    }

    /// Empties batches that are done, and their array.
    func recycle(_ done: inout [Batch]) {
        for index in done.indices { done[index].removeAll() }
        lock.lock()
        let room = Limits.spareBatchesMax - spare.count
        spare.append(contentsOf: done.prefix(room))
        lock.unlock()
        // As many as never wait but where a lane is far behind.
        if done.capacity <= 4 * Limits.spareBatchesMax {
            done.removeAll(keepingCapacity: true)
        } else {
            done = []
        }
    }
}
