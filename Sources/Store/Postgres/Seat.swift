import Foundation

/// This daemon's place among the members: its row's id, and the generation of its connections.
///
/// Several threads share it, under one lock, hence unchecked.
final class Seat: @unchecked Sendable {
    /// A connection belongs to one of them: a later one has closed it.
    struct Era: Hashable, Sendable {
        var member: Int
        var generation: Int
    }

    private var era: Era
    /// A connection of this era has failed: the generation must be raised.
    private var isBroken = false
    private var isLost = false
    private var isClosed = false
    private var figures = ClusterFigures()
    /// The epochs of this daemon's shards, by number, that no failover takes back.
    private var confirmed: [Int: Int] = [:]
    private let lock = NSLock()

    init(_ era: Era) { self.era = era }

    /// Throws `notOwner` once the member is gone.
    func current() throws(StoreError) -> (era: Era, isBroken: Bool) {
        lock.lock()
        defer { lock.unlock() }
        if isClosed { throw StoreError(.unavailable, "PostgreSQL: it is closed") }
        if isLost { throw Self.lost(era.member) }
        return (era, isBroken)
    }

    static func lost(_ member: Int) -> StoreError {
        StoreError(.notOwner, "PostgreSQL: member \(member) is gone; another one has ended it")
    }

    /// The last member's id, also once it is lost.
    var member: Int { lock.withLock { era.member } }

    var counts: ClusterFigures { lock.withLock { figures } }

    /// Notes that a connection failed, of which it is not known what became of its last statement.
    func fail(_ failed: Era) {
        lock.withLock {
            if failed == era { isBroken = true }
        }
    }

    func countUnknown() { lock.withLock { figures.unknown += 1 } }

    /// The database has taken a later generation.
    func raise(to generation: Int, of member: Int) {
        lock.withLock {
            guard era.member == member, generation > era.generation else { return }
            era.generation = generation
            isBroken = false
            figures.reconnects += 1
        }
    }

    func lose(_ member: Int) {
        lock.withLock {
            guard era.member == member, !isLost else { return }
            isLost = true
            figures.lost += 1
        }
    }

    /// Begins another member's life.
    func take(_ next: Era) {
        lock.withLock {
            era = next
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
    /// Names that were asked for.
    package var lookUps = 0
    /// Microseconds that they took, from the question to the answer.
    package var lookUpMicroseconds = 0
}
