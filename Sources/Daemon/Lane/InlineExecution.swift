import Codec
import Dispatch
import Notation
import Protocol
import Sessions

/// Runs a small batch of an idle lane on the reactor's thread, which owns the lane's queue for that
/// time. Only the reactor uses it.
final class InlineExecution {
    /// The batch that runs.
    fileprivate(set) var batch = Batch()
    /// Whether the lane did the batch. It does so only if all the sessions are in memory, and at
    /// most `Limits.gatheredMax` sessions wait for the store.
    fileprivate var isDone = false
    private var item: ReusedBlock

    init(_ queue: DispatchQueue, _ body: @escaping () -> Void) {
        item = ReusedBlock(queue, body)
    }

    /// Makes the lane run a batch. Returns whether it has; then the batch is empty.
    func run(_ batch: inout Batch) -> Bool {
        swap(&batch, &self.batch)
        item.sync()
        swap(&batch, &self.batch)
        return isDone
    }

    /// Forgets what was in the batch; its memory stays.
    fileprivate func removeAll() { batch.removeAll() }
}

/// A block that one thread runs on a queue while it waits, again and again.
///
/// `queue.sync` with a closure allocates three times at each call. A work item allocates once, when
/// it is made.
struct ReusedBlock {
    private let queue: DispatchQueue
    private let body: () -> Void
    private var item: DispatchWorkItem
    private let runsMax: Int
    private var runsLeft: Int

    /// A work item counts its runs in 32 bits and traps at the end, so another one is made long
    /// before.
    init(
        _ queue: DispatchQueue, renewedAfter runsMax: Int = 1 << 30, _ body: @escaping () -> Void
    ) {
        self.queue = queue
        self.body = body
        self.runsMax = runsMax
        runsLeft = runsMax
        item = DispatchWorkItem(block: body)
    }

    /// Waits until the queue has nothing before it, and runs the block on it.
    mutating func sync() {
        if runsLeft == 0 {
            item = DispatchWorkItem(block: body)
            runsLeft = runsMax
        }
        runsLeft -= 1
        queue.sync(execute: item)
    }
}

extension Lane {
    /// Whether the lane is idle, and the batch has no barrier and nothing but events, so few that
    /// they cost less than the hop to the queue. A request may take longer. Called by the reactor.
    func mayRunInline(_ batch: Batch) -> Bool {
        guard batch.barriers.isEmpty, batch.work.count <= Limits.inlineEventsMax,
            batch.size <= Limits.inlineBytesMax,
            batch.work.allSatisfy({ $0.event != nil })
        else { return false }
        return load.isIdle
    }

    /// Runs a batch on the reactor's thread. Returns false if nothing was done, because a session
    /// is not in memory or too many wait for the store: only the queue may read the store, or write
    /// so many rows. Called by the reactor.
    func runInline(_ batch: inout Batch) -> Bool {
        let began = Clock.monotonic()
        let isDone = inline.run(&batch)
        load.backOff(inlineBegan: began, ended: Clock.monotonic())
        return isDone
    }

    /// Processes the inline batch, if all of its sessions are in memory, and at most
    /// `Limits.gatheredMax` sessions wait for the store: the lane makes their rows at the end.
    func processInline() {
        inline.isDone =
            isInMemory(inline.batch) && (table.storage?.waitingCount ?? 0) <= Limits.gatheredMax
        guard inline.isDone else { return }
        load.expect(inline.batch)
        var place = 0
        repeat { place = process(inline.batch, from: place) } while place < inline.batch.work.count
        // Only the queue serves what was left to the spare time.
        if !spare.costly.isEmpty { inbox.wake() }
        inline.removeAll()
    }

    private func isInMemory(_ batch: Batch) -> Bool {
        unsafe batch.bytes.withUnsafeBytes { bytes in
            batch.work.allSatisfy { unsafe isInMemory($0, bytes) }
        }
    }

    /// Whether the session of an event or a publish is in memory. `.refusedEvent` needs no session.
    private func isInMemory(_ work: LaneWork, _ bytes: UnsafeRawBufferPointer) -> Bool {
        switch work {
        case .event(let event), .acknowledgedEvent(_, let event):
            let topic = unsafe UnsafeRawBufferPointer(rebasing: bytes[event.topic])
            return unsafe table.session(of: topic)?.open != nil
        case .refusedEvent: return true
        case .request, .task: return false
        }
    }
}

extension Limits {
    /// Events that the reactor runs inline for an idle lane, and their bytes: so few cost less than
    /// the hop to the lane's queue.
    static let inlineEventsMax = 4
    static let inlineBytesMax = 4 * 1024
}
