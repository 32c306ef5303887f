/// One session's row in the store.
package struct StoredSession: Hashable, Sendable {
    package var id: String
    /// A document of the saved state; its meaning is the writer's.
    package var state: [UInt8]
    /// Seconds since the Unix epoch at which it was last used.
    package var lastUsed: Int
    /// Hashes of the ids that were applied, by their place in the session's ring.
    package var seen: [SeenMark]

    package init(id: String, state: [UInt8], lastUsed: Int, seen: [SeenMark] = []) {
        self.id = id
        self.state = state
        self.lastUsed = lastUsed
        self.seen = seen
    }
}

/// An applied id, by its hash, at its place in a session's ring.
package struct SeenMark: Hashable, Sendable {
    package var place: Int
    package var hash: UInt128

    package init(place: Int, hash: UInt128) {
        self.place = place
        self.hash = hash
    }
}

/// One change of the store.
package enum StoreChange: Hashable, Sendable {
    /// Writes a session as it is now; `seen` has only the marks that are new.
    case put(StoredSession)
    /// Deletes a session whose last version was `version`.
    case remove(id: String, version: Int)
    /// Marks all sessions that were last used within a range of times as used at another time.
    case refresh(lastUsed: Range<Int>, to: Int)
}

/// The right to write: who holds an earlier one writes nothing any more.
///
/// SQLite's is the generation of its file. An engine that several daemons share takes the
/// generation of the member's lease, and checks it in the same transaction as the changes.
package struct StoreFence: Hashable, Sendable {
    package var generation: Int

    package init(generation: Int) { self.generation = generation }
}

/// Changes that become durable together, or not at all.
package struct StoreCommit: Hashable, Sendable {
    package var fence: StoreFence
    /// In their order.
    package var changes: [StoreChange]
    /// How many publishers wait for it: an engine may favour a commit with many.
    package var replies: Int

    package init(fence: StoreFence, changes: [StoreChange], replies: Int = 0) {
        self.fence = fence
        self.changes = changes
        self.replies = replies
    }
}

/// The memory of the store as a whole.
package struct StoreIdentity: Hashable, Sendable {
    /// The key of the hashes of ids; made at random with the store, mixed with a secret if there
    /// is one.
    package var key: UInt128
    /// The highest version of all removed sessions, and of all floors with which it was opened.
    package var versionFloor: Int
    /// Number of unclean shutdowns: what was published last before one may not be stored.
    package var generation: Int

    package init(key: UInt128, versionFloor: Int, generation: Int) {
        self.key = key
        self.versionFloor = versionFloor
        self.generation = generation
    }
}

/// Keeps sessions beyond the end of the process; the seam for engines.
///
/// Rows go in by `commit` and come out by readers. SQLite is one engine; a second one needs these
/// two protocols, and its errors sorted into `StoreError.Recovery`. The tests of the contract run
/// against every engine. One owner writes at a time, on one thread; readers are values of their
/// own.
package protocol Store: AnyObject {
    var identity: StoreIdentity { get }
    /// The fence under which this owner may commit.
    var fence: StoreFence { get }
    /// Whether the number of this generation is written down. The first commit writes it at the
    /// latest; until then the next generation has the same number, and may publish other things
    /// under it.
    var hasBegun: Bool { get }
    /// Makes all changes durable in their order, or none. Throws `notOwner`, having changed
    /// nothing, if somebody holds a later fence. After any other error the changes may be durable
    /// or not; the owner commits the same rows again.
    func commit(_ commit: StoreCommit) throws(StoreError)
    /// Throws unless the next owner will find here what is committed. Cheap: it reads no content.
    func check() throws(StoreError)
    /// Another view of what is committed, for use on another queue.
    func makeReader() throws(StoreError) -> any StoreReader
    /// Notes that everything was committed; nothing may follow. A generation that has not begun
    /// leaves no trace.
    func close() throws(StoreError)
}

/// A store's answer about a name.
package enum StoreLookUp: Hashable, Sendable {
    /// With all of its marks.
    case found(StoredSession)
    case none
}

/// Reads what is committed.
package protocol StoreReader: AnyObject {
    /// Until `end`, all reads show one instant, and many are cheaper than one by one.
    func begin() throws(StoreError)
    /// Lets go of the instant; does nothing without one.
    func end()
    /// An engine across a network must not hold up the lane: it will need a third answer, later.
    func lookUp(_ id: String) throws(StoreError) -> StoreLookUp
    /// Ids in the order of their bytes.
    func ids(after: String, limit: Int) throws(StoreError) -> [String]
    /// Ids that were last used before a time (seconds since the Unix epoch), oldest first.
    func ids(lastUsedBefore: Int, limit: Int) throws(StoreError) -> [String]
    /// Whether there is a session, even one that cannot be read.
    func has(_ id: String) -> Bool
    func count() throws(StoreError) -> Int
}
