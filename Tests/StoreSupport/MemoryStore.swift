package import Dispatch
import Foundation
import Membership
package import Store

/// The data that outlives a `MemoryStore`, as a file outlives the process: a double for tests.
///
/// Faults are injected here. Several stores may be open at a time; each takes the fence away from
/// the one before, as daemons do that share a database. One lock guards everything; the compiler
/// cannot check that.
package final class MemoryDatabase: @unchecked Sendable {
    /// The fate of a commit.
    package enum Fault: Sendable {
        /// The commit changes nothing and throws.
        case error(StoreError.Kind)
        /// The commit is durable and throws: its answer got lost.
        case unknown
        /// The commit waits until it is let go.
        case slow(DispatchSemaphore)
        /// The commit waits until it is let go, then changes nothing and throws.
        case held(DispatchSemaphore, StoreError.Kind)
    }

    struct Content {
        var sessions: [String: StoredSession] = [:]
        var versionFloor = 0
        var generation = -1
        var isClosed = true
        var key: UInt128?
    }

    private var content = Content()
    private var faults: [Fault] = []
    private var log: [[StoreChange]] = []
    private let lock = NSLock()

    package init() {}

    /// The next commits meet these faults, one each.
    package func inject(_ faults: Fault...) { lock.withLock { self.faults += faults } }

    /// How many faults no commit has met yet.
    package var faultsLeft: Int { lock.withLock { faults.count } }

    package func clearFaults() { lock.withLock { faults = [] } }

    /// All durable commits, each with its changes.
    package var commits: [[StoreChange]] { lock.withLock { log } }

    package func session(_ id: String) -> StoredSession? { lock.withLock { content.sessions[id] } }

    /// Changes a row as another daemon would.
    package func change(_ id: String, _ change: (inout StoredSession) -> Void) {
        lock.withLock {
            guard var session = content.sessions[id] else { return }
            change(&session)
            content.sessions[id] = session
        }
    }

    /// Opens the database: whoever had it open before is its owner no more. One that has not begun,
    /// as on a full disk, begins with its first commit.
    package func open(
        key: UInt128 = 7, versionFloor: Int = 0, hasBegun: Bool = true
    ) -> MemoryStore {
        lock.withLock {
            content.key = content.key ?? key
            if !content.isClosed || content.generation < 0 { content.generation += 1 }
            content.isClosed = false
            content.versionFloor = max(content.versionFloor, versionFloor)
            return MemoryStore(
                self,
                StoreIdentity(
                    key: content.key ?? key, versionFloor: content.versionFloor,
                    generation: content.generation),
                hasBegun: hasBegun)
        }
    }

    func read() -> Content { lock.withLock { content } }

    func commit(_ commit: StoreCommit) throws(StoreError) {
        let fault = lock.withLock { faults.isEmpty ? nil : faults.removeFirst() }
        switch fault {
        case .error(let kind): throw StoreError(kind, "injected")
        case .slow(let gate): gate.wait()
        case .held(let gate, let kind):
            gate.wait()
            throw StoreError(kind, "injected")
        case .unknown, nil: break
        }
        let isOwner = lock.withLock {
            guard commit.fence.writer == content.generation else { return false }
            for change in commit.changes { apply(change) }
            log.append(commit.changes)
            return true
        }
        guard isOwner else { throw StoreError(.notOwner, "somebody holds a later fence") }
        if case .unknown = fault { throw StoreError(.unavailable, "the answer is lost") }
    }

    func close(_ fence: StoreFence) {
        lock.withLock { content.isClosed = fence.writer == content.generation }
    }

    private func apply(_ change: StoreChange) {
        switch change {
        case .put(var session):
            let former = content.sessions[session.id]?.seen ?? []
            let places = Set(session.seen.map(\.place))
            session.seen += former.filter { !places.contains($0.place) }
            session.seen.sort { $0.place < $1.place }
            content.sessions[session.id] = session
        case .remove(let id, _, let version):
            content.sessions[id] = nil
            content.versionFloor = max(content.versionFloor, version)
        case .refresh(let range, let time):
            for (id, session) in content.sessions where range.contains(session.lastUsed) {
                content.sessions[id]?.lastUsed = time
            }
        }
    }
}

/// One owner of a `MemoryDatabase`.
package final class MemoryStore: Store {
    package let identity: StoreIdentity
    package var fence: StoreFence { StoreFence(writer: identity.generation) }
    package private(set) var hasBegun: Bool
    private let database: MemoryDatabase

    init(_ database: MemoryDatabase, _ identity: StoreIdentity, hasBegun: Bool) {
        self.database = database
        self.identity = identity
        self.hasBegun = hasBegun
    }

    package func commit(_ commit: StoreCommit) throws(StoreError) {
        try database.commit(commit)
        hasBegun = true
    }

    package func check() {}

    package func makeReader() -> any StoreReader { MemoryReader(database) }

    package func close() { database.close(fence) }
}

private final class MemoryReader: StoreReader {
    private let database: MemoryDatabase
    private var instant: MemoryDatabase.Content?

    init(_ database: MemoryDatabase) { self.database = database }

    private var content: MemoryDatabase.Content { instant ?? database.read() }

    func begin() { instant = database.read() }
    func end() { instant = nil }
    func has(_ id: String) -> Bool { content.sessions[id] != nil }
    func count(then: @escaping StoreAnswer<Int>) { then(.success(content.sessions.count)) }

    func lookUp(_ id: String, late: @escaping StoreAnswer<StoredSession?>) -> StoreLookUp {
        content.sessions[id].map { .found($0) } ?? .none
    }

    /// Sessions of each epoch: the lane has to look for itself.
    func moving(_ rights: [ShardRight], then: @escaping StoreAnswer<[StoredSession]>) {
        let shards = Set(rights.map(\.number))
        then(
            .success(
                content.sessions.values.filter { $0.motion != nil && shards.contains($0.shard) }))
    }

    func names(_ query: StoreQuery, then: @escaping StoreAnswer<[String]>) {
        switch query {
        case .after(let name, let limit):
            let ids = content.sessions.keys.filter { Array(name.utf8).isBefore(Array($0.utf8)) }
            let sorted = ids.sorted { Array($0.utf8).isBefore(Array($1.utf8)) }
            then(.success(Array(sorted.prefix(limit))))
        case .unused(let time, _, let limit):
            let old = content.sessions.values.filter { $0.lastUsed < time }
            let sorted = old.sorted { $0.lastUsed < $1.lastUsed }
            then(.success(Array(sorted.map(\.id).prefix(limit))))
        }
    }
}

extension [UInt8] {
    fileprivate func isBefore(_ other: [UInt8]) -> Bool { lexicographicallyPrecedes(other) }
}
