import Dispatch
import Notation
import Sessions
import Synchronization
import Threads

/// Batches on their way from the reactor to one lane's queue, and emptied ones on their way back.
///
/// The reactor fills those that come back, so that posting allocates nothing. The inbox keeps at
/// most `Limits.spareBatchesMax` of them; `LaneLoad.hasRoom` bounds what waits.
final class Inbox: @unchecked Sendable {
    // The lock guards `waiting`, `spare` and `barriers`; the compiler cannot check that.
    private var waiting: [Batch] = []
    private var spare: [Batch] = []
    private var barriers: [Barrier] = []
    /// How many batches and barriers wait. They are read without the lock, so that no thread takes
    /// it when there are none.
    private let waitingCount = Atomic<Int>(0)
    private let barrierCount = Atomic<Int>(0)
    private let lock = Lock()
    /// Tells the queue of new batches. Made once, so that no batch needs a closure.
    private var arrivals: (any DispatchSourceUserDataAdd)?
    /// The batches that the queue works on, and how far it is. Only the queue uses these.
    private var taken: [Batch] = []
    private var batchIndex = 0
    private var workIndex = 0

    /// Makes `queue` call `process` after each post; called once, before the first.
    func start(on queue: DispatchQueue, process: @escaping () -> Void) {
        let arrivals = DispatchSource.makeUserDataAddSource(queue: queue)
        arrivals.setEventHandler(handler: process)
        self.arrivals = arrivals
        arrivals.activate()
    }

    /// Stops telling the queue of new batches.
    func stop() { arrivals?.cancel() }

    /// Takes a batch and leaves an empty one in its place. Called by the reactor.
    func post(_ batch: inout Batch) {
        lock.lock()
        if !batch.barriers.isEmpty {
            barriers += batch.barriers
            barrierCount.store(barriers.count, ordering: .releasing)
        }
        waiting.append(batch)
        waitingCount.store(waiting.count, ordering: .releasing)
        batch = spare.popLast() ?? Batch()
        lock.unlock()
        arrivals?.add(data: 1)
    }

    /// Tells the queue once more: it has not done everything.
    func wake() { arrivals?.add(data: 1) }

    /// Takes the barriers that wait.
    func takeBarriers() -> [Barrier] {
        guard barrierCount.load(ordering: .acquiring) > 0 else { return [] }
        lock.lock()
        defer { lock.unlock() }
        defer { barriers = [] }
        barrierCount.store(0, ordering: .relaxed)
        return barriers
    }

    // MARK: Batches that the queue has taken

    /// Whether a batch that was taken is not done, or another one has come since.
    var isAnythingLeft: Bool {
        !taken.isEmpty || waitingCount.load(ordering: .acquiring) > 0
    }

    /// Takes what waits, if all that was taken before is done.
    func refill() {
        guard taken.isEmpty, waitingCount.load(ordering: .acquiring) > 0 else { return }
        take(into: &taken)
    }

    /// The batch that is performed, and its first piece of work that is not done; nil: all are.
    var next: (batch: Batch, place: Int)? {
        batchIndex < taken.count ? (taken[batchIndex], workIndex) : nil
    }

    /// The work of the batch is done up to a place. Returns whether all of it is.
    func advance(to place: Int) -> Bool {
        workIndex = place
        guard place >= taken[batchIndex].work.count else { return false }
        workIndex = 0
        batchIndex += 1
        if batchIndex == taken.count {
            recycle(&taken)
            batchIndex = 0
        }
        return true
    }

    /// Exchanges the waiting batches, in the order of posting, for an empty array.
    func take(into taken: inout [Batch]) {
        precondition(taken.isEmpty, "\(taken.count) batches would be posted again")
        lock.lock()
        swap(&waiting, &taken)
        waitingCount.store(0, ordering: .relaxed)
        lock.unlock()
    }

    /// Empties processed batches, and their array.
    func recycle(_ done: inout [Batch]) {
        for index in done.indices { done[index].removeAll() }
        lock.lock()
        let room = Limits.spareBatchesMax - spare.count
        spare.append(contentsOf: done.prefix(room))
        lock.unlock()
        // More batches than this wait only in a lane that is far behind.
        if done.capacity <= 4 * Limits.spareBatchesMax {
            done.removeAll(keepingCapacity: true)
        } else {
            done = []
        }
    }

    /// Frees the batches that are kept for reuse. Any thread may call it.
    func freeSpares() {
        var batches: [Batch] = []
        lock.lock()
        swap(&spare, &batches)
        // They are freed when the lock is open again.
        withExtendedLifetime(batches) { lock.unlock() }
    }
}

extension Limits {
    /// Emptied batches that a lane keeps for reuse until a surge has ended: as many as wait at full
    /// load, at most 5 MiB.
    static let spareBatchesMax = 32
}
