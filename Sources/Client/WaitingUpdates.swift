/// Updates that wait for a sync or a snapshot, and are judged after it.
///
/// Further ones than its bounds are dropped, and show as a gap.
struct WaitingUpdates {
    /// About a second of a busy daemon.
    static let countMax = 10_000
    /// Bytes of memory of these, with their trees: what an application can spare beside the
    /// messages that libzmq holds.
    static let bytesMax = 64 * 1_024 * 1_024

    private let countMax: Int
    private let bytesMax: Int
    private var updates: [ReceivedUpdate] = []
    private var taken = 0
    private var bytes = 0

    init(countMax: Int = WaitingUpdates.countMax, bytesMax: Int = WaitingUpdates.bytesMax) {
        self.countMax = countMax
        self.bytesMax = bytesMax
    }

    var isEmpty: Bool { taken >= updates.count }

    /// Adds an update, or drops it where there is no room. One of any size has room alone.
    mutating func append(_ update: ReceivedUpdate) {
        removeTaken()
        let size = update.memoryBytes
        guard updates.isEmpty || updates.count < countMax && bytes + size <= bytesMax else {
            return
        }
        updates.append(update)
        bytes += size
    }

    /// The update that has waited longest; nil: none waits.
    mutating func takeFirst() -> ReceivedUpdate? {
        guard taken < updates.count else {
            removeTaken()
            return nil
        }
        taken += 1
        bytes -= updates[taken - 1].memoryBytes
        return updates[taken - 1]
    }

    /// Drops those of which `isKept` is false.
    mutating func keepOnly(_ isKept: (ReceivedUpdate) -> Bool) {
        updates = updates[taken...].filter(isKept)
        taken = 0
        bytes = updates.reduce(0) { $0 + $1.memoryBytes }
    }

    private mutating func removeTaken() {
        if taken > 0 { updates.removeFirst(taken) }
        taken = 0
    }
}
