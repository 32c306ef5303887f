import Geometry
import Glibc
import Sessions

/// The open sessions of a lane, found by name: a string, or the bytes of a topic.
///
/// Keyed by the hash of the bytes, so that an event's bytes need not become a string.
struct ActiveSessions {
    private var byHash: [UInt64: ActiveSession] = [:]
    /// Sessions whose hash another one has: none, unless somebody chose their names for it.
    private var others: [String: ActiveSession] = [:]
    /// Sessions that may have something to publish at the end of the batch.
    private(set) var changed: [ActiveSession] = []
    /// The last versions of the counts of closed sessions.
    var formerVersions: FormerVersions

    init(versionFloor: Int) { formerVersions = FormerVersions(versionFloor: versionFloor) }

    /// Lists a session as changed, once.
    mutating func markChanged(_ active: ActiveSession) {
        guard !active.isChanged else { return }
        active.isChanged = true
        changed.append(active)
    }

    mutating func forgetChanged() { changed.removeAll(keepingCapacity: true) }

    subscript(id: String) -> ActiveSession? {
        get {
            let active = byHash[StableHash(id).value]
            if let active, active.session.id == id { return active }
            return others.isEmpty ? nil : others[id]
        }
        set {
            let hash = StableHash(id).value
            let isTaken = byHash[hash].map { $0.session.id != id } ?? false
            if isTaken || others[id] != nil {
                others[id] = newValue
            } else {
                byHash[hash] = newValue
            }
        }
    }

    /// The session that these bytes name; `hash` is theirs.
    subscript(id: UnsafeRawBufferPointer, hash: StableHash) -> ActiveSession? {
        let active = byHash[hash.value]
        if let active, unsafe active.session.id.isMade(of: id) { return active }
        return others.isEmpty ? nil : unsafe others[String(decoding: id, as: UTF8.self)]
    }

    /// All open sessions, in no order.
    var all: [ActiveSession] { Array(byHash.values) + others.values }
}

extension String {
    /// Whether its UTF-8 is these bytes. Allocates nothing.
    func isMade(of bytes: UnsafeRawBufferPointer) -> Bool {
        let own = utf8.span
        guard own.count == bytes.count, let start = bytes.baseAddress else { return false }
        return unsafe own.withUnsafeBytes { own in
            guard let ownStart = own.baseAddress else { return false }
            return unsafe memcmp(ownStart, start, bytes.count) == 0
        }
    }
}
