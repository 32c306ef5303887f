/// What is kept of one session.
package struct StoredSession: Hashable, Sendable {
    package var id: String
    /// A document of the durable state; its meaning is the writer's.
    package var state: [UInt8]
    /// Seconds since the Unix epoch at which it was last used.
    package var touched: Int
    /// Hashes of the ids that were applied, by their place in the session's ring.
    package var seen: [SeenMark]

    package init(id: String, state: [UInt8], touched: Int, seen: [SeenMark] = []) {
        self.id = id
        self.state = state
        self.touched = touched
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

/// One change of what is kept.
package enum StoreChange: Hashable, Sendable {
    /// Keeps a session as it is now; of `seen` only what is new is given.
    case put(StoredSession)
    /// Forgets a session whose last version was `version`.
    case remove(id: String, version: Int)
    /// Takes all sessions that were last touched before a time as touched at another one.
    case refresh(touchedBefore: Int, to: Int)
}

/// What the store as a whole remembers.
package struct StoreIdentity: Hashable, Sendable {
    /// Of the hashes of ids; made at random with the store, mixed with a secret if there is one.
    package var key: UInt128
    /// The highest version of all sessions that were removed, and of all floors that its lives
    /// began with.
    package var floor: Int
    /// How often its user came to no end in order: what it told last may not be stored.
    package var life: Int

    package init(key: UInt128, floor: Int, life: Int) {
        self.key = key
        self.floor = floor
        self.life = life
    }
}

/// Keeps sessions beyond the life of the process.
///
/// One owner at a time may write; readers are values of their own.
package protocol Store: AnyObject {
    var identity: StoreIdentity { get }
    /// Whether the number of this life is written down. It is with the first commit, at the latest;
    /// until then the next life has the same number, and may tell other things by it.
    var hasBegun: Bool { get }
    /// Makes all of the changes durable in their order, or none.
    func commit(_ changes: [StoreChange]) throws(StoreError)
    /// Another view of what is committed, for use on another queue.
    func makeReader() throws(StoreError) -> any StoreReader
    /// Notes that everything was committed; nothing may follow. A life that has not begun leaves
    /// no trace.
    func close() throws(StoreError)
}

/// Reads what is committed.
package protocol StoreReader: AnyObject {
    /// What is read until `end` shows one instant, which makes many reads cheaper than one by one.
    func begin() throws(StoreError)
    /// Lets go of the instant; nothing happens where there is none.
    func end()
    /// A kept session with all of its marks; nil: there is none.
    func session(_ id: String) throws(StoreError) -> StoredSession?
    /// Ids in the order of their bytes.
    func ids(after: String, limit: Int) throws(StoreError) -> [String]
    /// Ids that were last touched before a time (seconds since the Unix epoch), oldest first.
    func ids(touchedBefore: Int, limit: Int) throws(StoreError) -> [String]
    /// Whether a session is kept, be it that it cannot be read.
    func has(_ id: String) -> Bool
    func count() throws(StoreError) -> Int
}
