import Dispatch

/// Something that one thread does on a queue while it waits, again and again.
///
/// `queue.sync` with a closure allocates three times at each call; a work item does at its making.
struct InlineBatch {
    private let queue: DispatchQueue
    private let body: () -> Void
    private var item: DispatchWorkItem
    private let visitsMax: Int
    private var left: Int

    /// A work item counts in 32 bits how often it was performed, and traps when they are full; so
    /// it is made anew long before.
    init(
        _ queue: DispatchQueue, renewedAfter visitsMax: Int = 1 << 30, _ body: @escaping () -> Void
    ) {
        self.queue = queue
        self.body = body
        self.visitsMax = visitsMax
        left = visitsMax
        item = DispatchWorkItem(block: body)
    }

    /// Waits until the queue has nothing before it, and has it do the body.
    mutating func sync() {
        if left == 0 {
            item = DispatchWorkItem(block: body)
            left = visitsMax
        }
        left -= 1
        queue.sync(execute: item)
    }
}
