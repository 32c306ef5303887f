import Threads

/// This daemon's place among the members: its row's id, and the generation of its connections.
///
/// Several threads share it, under one lock; the compiler cannot check that.
final class Seat: @unchecked Sendable {
    /// A member and one generation of its connections. A connection belongs to one holder, and the
    /// next holder closes it.
    struct Holder: Hashable, Sendable {
        var member: Int
        var generation: Int
    }

    private var holder: Holder
    /// A connection of this holder has failed: the generation must be raised.
    private var isBroken = false
    private var isLost = false
    private var isClosed = false
    private var listener: (@Sendable (ClusterEvent) -> Void)?
    private var figures = ClusterFigures()
    /// The epochs of this daemon's shards, by number, that no failover takes back.
    private var confirmed: [Int: Int] = [:]
    private let lock = Lock()

    init(_ holder: Holder) { self.holder = holder }

    /// Throws `notOwner` once the member is gone.
    func current() throws(StoreError) -> (holder: Holder, isBroken: Bool) {
        lock.lock()
        defer { lock.unlock() }
        if isClosed { throw StoreError(.unavailable, "PostgreSQL: it is closed") }
        if isLost { throw Self.lost(holder.member) }
        return (holder, isBroken)
    }

    static func lost(_ member: Int) -> StoreError {
        StoreError(.notOwner, "PostgreSQL: member \(member) is gone; another one has ended it")
    }

    /// The last member's id, also once it is lost.
    var member: Int { lock.withLock { holder.member } }

    var counts: ClusterFigures { lock.withLock { figures } }

    /// Tells one listener what happens, on the thread where it does.
    func listen(_ listener: @escaping @Sendable (ClusterEvent) -> Void) {
        lock.withLock { self.listener = listener }
    }

    /// Makes a change, and tells of it once the lock is free; nil: nothing has changed.
    private func tell(_ change: () -> ClusterEvent?) {
        let (event, listener) = lock.withLock { (change(), self.listener) }
        if let event { listener?(event) }
    }

    /// Notes that a connection failed, of which it is not known what became of its last statement.
    func fail(_ failed: Holder) {
        tell {
            guard failed == holder, !isBroken, !isClosed else { return nil }
            isBroken = true
            return .disconnected
        }
    }

    func countUnknown() { lock.withLock { figures.unknown += 1 } }

    /// The database has taken a later generation.
    func raise(to generation: Int, of member: Int) {
        tell {
            guard holder.member == member, generation > holder.generation else { return nil }
            holder.generation = generation
            isBroken = false
            figures.reconnects += 1
            return .disconnected
        }
    }

    func lose(_ member: Int) {
        tell {
            guard holder.member == member, !isLost else { return nil }
            isLost = true
            figures.lost += 1
            return .lost(member: member)
        }
    }

    /// This member has ended itself.
    func leave(_ member: Int) {
        lock.withLock {
            if holder.member == member { isLost = true }
        }
    }

    /// Begins another member's life.
    func take(_ next: Holder) {
        lock.withLock {
            holder = next
            isBroken = false
            isLost = false
        }
    }

    func close() { lock.withLock { isClosed = true } }

    // MARK: Epochs

    func haveConfirmed(_ epochs: some Sequence<(Int, Int)>) -> Bool {
        lock.withLock { epochs.allSatisfy { confirmed[$0.0] == $0.1 } }
    }

    func confirm(_ epochs: some Sequence<(Int, Int)>) {
        lock.withLock {
            for (shard, epoch) in epochs { confirmed[shard] = epoch }
        }
    }
}

/// The fate of this daemon's connections, in figures.
package struct ClusterFigures: Hashable, Sendable {
    /// How often all connections were made anew.
    package var reconnects = 0
    /// Commits of unknown outcome.
    package var unknown = 0
    /// How often the member was ended by another one.
    package var lost = 0
}
