package import Membership

/// One session's row in the store.
package struct StoredSession: Hashable, Sendable {
    package var id: String
    /// The shard to which it belongs; 0 in an engine of one daemon.
    package var shard: Int
    /// A document of the saved state; its meaning is the writer's.
    package var state: [UInt8]
    /// Seconds since the Unix epoch at which it was last used.
    package var lastUsed: Int
    /// Hashes of the ids that were applied, by their place in the session's ring.
    package var seen: [SeenMark]
    /// The session in mid-air, for the daemon that takes it over; nil: it rests.
    package var motion: StoredMotion?

    package init(
        id: String, shard: Int = 0, state: [UInt8], lastUsed: Int, seen: [SeenMark] = [],
        motion: StoredMotion? = nil
    ) {
        self.id = id
        self.shard = shard
        self.state = state
        self.lastUsed = lastUsed
        self.seen = seen
        self.motion = motion
    }
}

/// A session that is handed over while it moves.
package struct StoredMotion: Hashable, Sendable {
    /// The session as it is exported.
    package var document: [UInt8]
    /// The epoch of its shard in which it goes on; in a later one it is stale.
    package var epoch: Int

    package init(document: [UInt8], epoch: Int) {
        self.document = document
        self.epoch = epoch
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
    case remove(id: String, shard: Int = 0, version: Int)
    /// Marks all sessions that were last used within a range of times as used at another time.
    case refresh(lastUsed: Range<Int>, to: Int)
}

/// Changes of which one outcome is told; see `Store.commit`.
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

extension StoreCommit {
    /// Bytes that go to an engine at once, unless one row is larger: a network of 100 Mbit/s and a
    /// database need less than a second, and a connection is given up after two.
    package static let bytesMax = 4 << 20
}

extension StoreChange {
    /// About as many bytes as an engine has to write.
    package var bytes: Int {
        switch self {
        case .put(let session):
            64 + session.id.utf8.count + session.state.count + 16 * session.seen.count
                + (session.motion?.document.count ?? 0)
        case .remove(let id, _, _): 64 + id.utf8.count
        case .refresh: 64
        }
    }
}

/// The memory of the store as a whole.
package struct StoreIdentity: Hashable, Sendable {
    /// The key of the hashes of ids; made at random with the store, mixed with a secret if there
    /// is one.
    package var key: UInt128
    /// Versions begin above it and what all generations leave out: above those of all removed
    /// sessions, and of all floors with which it was opened.
    package var versionFloor: Int
    /// Number of unclean shutdowns: what was published last before one may not be stored.
    package var generation: Int

    package init(key: UInt128, versionFloor: Int, generation: Int) {
        self.key = key
        self.versionFloor = versionFloor
        self.generation = generation
    }

    /// Versions that JSON holds, and room for those that each generation leaves out: the bounds
    /// `Limits.versionStoredMax` and `Limits.livesMax` of sessions.
    package static let versionFloorMax = 7 << 50
    package static let generationMax = 1 << 28
    /// Versions by which a clock must be ahead of those that are known, so that it counts as right:
    /// a millisecond, since a daemon that is killed at once takes longer to start again. Versions
    /// that were published after them, and not stored, are below such a clock.
    package static let clockLeadMin = 1 << 10

    /// Whether a daemon can have written these numbers.
    var isSound: Bool {
        (0...Self.versionFloorMax).contains(versionFloor)
            && (0...Self.generationMax).contains(generation)
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
    /// Makes all changes durable in their order. An engine may do it in several steps; each row is
    /// durable whole, with its marks, or not at all. Throws `notOwner`, having changed nothing, if
    /// somebody holds a later fence. After any other error all changes may be durable, or the
    /// first ones, or none; the owner commits the same rows again.
    func commit(_ commit: StoreCommit) throws(StoreError)
    /// Throws unless the next owner will find here what is committed. Cheap: it reads no content.
    func check() throws(StoreError)
    /// Goes on with upkeep, for some milliseconds; called now and then while nothing is to be
    /// committed.
    func tidy() throws(StoreError)
    /// Another view of what is committed, for use on another queue.
    func makeReader() throws(StoreError) -> any StoreReader
    /// Notes that everything was committed; nothing may follow. A generation that has not begun
    /// leaves no trace.
    func close() throws(StoreError)
}

extension Store {
    /// An engine that leaves nothing for later has none.
    package func tidy() throws(StoreError) {}
}

/// A store's answer about a name.
package enum StoreLookUp: Hashable, Sendable {
    /// With all of its marks.
    case found(StoredSession)
    case none
    /// The engine is asking: it answers in a while.
    case later
}

/// Names that are asked for.
package enum StoreQuery: Hashable, Sendable {
    /// The first ones after a name, in the order of their bytes.
    case after(String, limit: Int)
    /// Those last used before a time (seconds since the Unix epoch), oldest first. An engine that
    /// several daemons share looks in these shards alone.
    case unused(before: Int, shards: [Int], limit: Int)
}

/// Takes an answer, on whichever thread the engine has it.
package typealias StoreAnswer<Value> = @Sendable (Result<Value, StoreError>) -> Void

/// Reads what is committed. No question makes its asker wait for a network: an engine that has to
/// ask elsewhere answers later, once, on a thread of its own.
package protocol StoreReader: AnyObject {
    /// Whether it may answer later.
    var answersLate: Bool { get }
    /// Until `end`, all answers given at once show one instant, and many are cheaper than one by
    /// one.
    func begin() throws(StoreError)
    /// Lets go of the instant; does nothing without one.
    func end()
    /// Looks a session up. `late` is called if the answer is `.later`, and not otherwise.
    func lookUp(
        _ id: String, late: @escaping StoreAnswer<StoredSession?>
    ) throws(StoreError) -> StoreLookUp
    /// Lists names; `then` may be called before this returns.
    func names(_ query: StoreQuery, then: @escaping StoreAnswer<[String]>)
    /// The sessions that were handed over in mid-air to the owner with exactly these rights,
    /// without those that cannot be read; `then` may be called before this returns.
    func moving(_ rights: [ShardRight], then: @escaping StoreAnswer<[StoredSession]>)
    /// Whether there is a session, even one that cannot be read. An engine that answers later does
    /// not know, and says that there is one.
    func has(_ id: String) -> Bool
    /// How many sessions there are; `then` may be called before this returns.
    func count(then: @escaping StoreAnswer<Int>)
}

extension StoreReader {
    package var answersLate: Bool { false }

    /// An engine of one daemon has none.
    package func moving(_ rights: [ShardRight], then: @escaping StoreAnswer<[StoredSession]>) {
        then(.success([]))
    }
}

/// Something that happened to a member, in whichever of its calls.
package enum ClusterEvent: Hashable, Sendable {
    /// A connection has failed, or all were made anew.
    case disconnected
    /// The member with this id is gone: another one has ended it.
    case lost(member: Int)
}

/// Members with leases, and the shards that they own: several daemons share them beside sessions.
///
/// Membership calls it on one thread; each call waits for its answer at most `answerSecondsMax`.
/// Throws `notOwner` once the member is gone: another daemon has fenced it.
package protocol Cluster: AnyObject {
    /// Begins the epochs of sessions, on every member alike.
    var tag: String { get }
    /// How many shards there are.
    var shards: Int { get }
    /// The id under which this daemon has joined.
    var member: Int { get }
    /// Totals of its connections since the start.
    var figures: ClusterFigures { get }
    /// Renews the lease, for so many seconds from now.
    func renew(seconds: Double) throws(StoreError) -> Renewal
    /// All members that are not gone.
    func members() throws(StoreError) -> [MemberRow]
    func shardRows() throws(StoreError) -> [ShardRow]
    /// Ends a member whose lease has expired. Whether this call has: then none of its commits is
    /// taken any more.
    func fence(_ member: Int) throws(StoreError) -> Bool
    /// Takes shards that nobody owns, if their epochs are still these. Returns those that it got.
    func claim(_ shards: [ShardRow]) throws(StoreError) -> [ShardRight]
    /// Gives shards of this member's to another one. Returns those that have changed hands, with
    /// their new epochs.
    func handOver(_ shards: [Int], to heir: Int) throws(StoreError) -> [ShardRow]
    /// Tells the others that this member gives all its shards away.
    func setLeaving() throws(StoreError)
    /// Ends this member: what it still owns is free.
    func setGone() throws(StoreError)
    /// Waits until another member has told of a change; false: the time is over, or the descriptor
    /// `wakeup` is readable.
    func waitForNews(milliseconds: Int, unless wakeup: CInt) -> Bool
    /// Has one listener told of what happens outside of these calls, on the thread where it does.
    func listen(_ listener: @escaping @Sendable (ClusterEvent) -> Void)
    /// Joins anew, as another member, once this one is lost. Returns its id.
    func rejoin() throws(StoreError) -> Int
}
