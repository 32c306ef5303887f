import Dispatch
import Foundation
import Notation
import Sessions

/// Batches on their way from the reactor to one lane's queue, and emptied ones on their way back.
///
/// The reactor fills those that come back, so that posting allocates nothing. The inbox keeps at
/// most `Limits.spareBatchesMax` of them; `LaneLoad.hasRoom` bounds what waits.
final class Inbox: @unchecked Sendable {
    // The first two are under the lock, hence unchecked.
    private var waiting: [Batch] = []
    private var spare: [Batch] = []
    /// `NSLock`, because the thread sanitizer does not see `Mutex` on Linux.
    private let lock = NSLock()
    /// Tells the queue of new batches. Made once, so that no batch needs a closure.
    private var arrivals: (any DispatchSourceUserDataAdd)?
    /// Batches that the queue processes. Its own.
    private var taken: [Batch] = []

    /// Has `queue` call `process` after each post; called once, before the first.
    func start(on queue: DispatchQueue, process: @escaping () -> Void) {
        let arrivals = DispatchSource.makeUserDataAddSource(queue: queue)
        arrivals.setEventHandler(handler: process)
        arrivals.activate()
        self.arrivals = arrivals
    }

    /// Tells the queue of no batch any more.
    func stop() { arrivals?.cancel() }

    /// Takes a batch and leaves an empty one in its place. Called by the reactor.
    func post(_ batch: inout Batch) {
        lock.lock()
        waiting.append(batch)
        batch = spare.popLast() ?? Batch()
        lock.unlock()
        arrivals?.add(data: 1)
    }

    /// Processes the batches that wait now. Later ones follow what else the queue has to do.
    func drain(_ process: (Batch) -> Void) {
        take(into: &taken)
        for index in taken.indices { process(taken[index]) }
        recycle(&taken)
    }

    /// Exchanges the waiting batches, in the order of posting, for an empty array.
    func take(into taken: inout [Batch]) {
        precondition(taken.isEmpty, "\(taken.count) batches would be posted again")
        lock.lock()
        swap(&waiting, &taken)
        lock.unlock()
    }

    /// Empties processed batches, and their array.
    func recycle(_ done: inout [Batch]) {
        for index in done.indices { done[index].removeAll() }
        lock.lock()
        let room = Limits.spareBatchesMax - spare.count
        spare.append(contentsOf: done.prefix(room))
        lock.unlock()
        // More than these wait only in a lane that is far behind.
        if done.capacity <= 4 * Limits.spareBatchesMax {
            done.removeAll(keepingCapacity: true)
        } else {
            done = []
        }
    }
}
