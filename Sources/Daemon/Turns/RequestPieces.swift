/// Requests that read the store for longer than a piece of time, as pages of sessions do.
///
/// One piece of one of them is done at a time, behind all else that the lane's queue has to do, and
/// the peers' connections take turns. So however many such pages are asked for, other work waits
/// for one piece. How many wait is bounded by the requests that are unanswered. Used on the lane's
/// queue alone, which the compiler cannot check.
final class RequestPieces: @unchecked Sendable {
    private struct Item {
        let envelope: Envelope
        /// Does a piece; returns whether work is left.
        let perform: () -> Bool
        /// It will not go on.
        let abandon: () -> Void
    }

    private let queue: LaneQueue
    private let outbox: Outbox
    /// The work of each connection that has some; the first one is next.
    private var lines: [(descriptor: CInt, items: [Item])] = []
    private var isQueued = false
    private var hasStopped = false

    init(_ queue: LaneQueue, _ outbox: Outbox) {
        self.queue = queue
        self.outbox = outbox
    }

    /// Adds the work for a request. `abandon` is called in place of the next piece where the peer
    /// has gone or the lane ends.
    func add(
        for envelope: Envelope, _ perform: @escaping () -> Bool, abandon: @escaping () -> Void
    ) {
        guard !hasStopped else { return abandon() }
        let item = Item(envelope: envelope, perform: perform, abandon: abandon)
        if let place = lines.firstIndex(where: { $0.descriptor == envelope.descriptor }) {
            lines[place].items.append(item)
        } else {
            lines.append((envelope.descriptor, [item]))
        }
        queueNext()
    }

    private func queueNext() {
        guard !isQueued, !lines.isEmpty else { return }
        isQueued = true
        queue.later { [self] in
            isQueued = false
            performNext()
            queueNext()
        }
    }

    private func performNext() {
        guard !lines.isEmpty else { return }
        var line = lines.removeFirst()
        let item = line.items[0]
        let isGone = outbox.unreachable.contains(item.envelope.identity)
        if isGone { item.abandon() }
        if isGone || !item.perform() { line.items.removeFirst() }
        guard !line.items.isEmpty else { return }
        // Work that has come meanwhile made a line of its own.
        if let place = lines.firstIndex(where: { $0.descriptor == line.descriptor }) {
            lines[place].items = line.items + lines[place].items
        } else {
            lines.append(line)
        }
    }

    /// Ends all that waits. At the end.
    func stop() {
        hasStopped = true
        let items = lines.flatMap(\.items)
        lines = []
        for item in items { item.abandon() }
    }
}
