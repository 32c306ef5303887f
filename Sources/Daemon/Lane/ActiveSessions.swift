import Geometry
import Glibc
import Sessions

/// The open sessions of a lane, found by name, be it a text or still the bytes of a topic.
///
/// By the hash that chose the lane, so that no text is made of the bytes of each event.
struct ActiveSessions {
    private var byHash: [UInt64: ActiveSession] = [:]
    /// Those whose hash another one has: none, unless somebody has made their names for it.
    private var others: [String: ActiveSession] = [:]
    /// Those that have something to publish at the end of the batch.
    private(set) var changed: [ActiveSession] = []
    /// The versions of counts of sessions that are gone.
    var formerVersions: FormerVersions

    init(versionFloor: Int) { formerVersions = FormerVersions(floor: versionFloor) }

    /// Lists a session as changed, once.
    mutating func markChanged(_ active: ActiveSession) {
        guard !active.isChanged else { return }
        active.isChanged = true
        changed.append(active)
    }

    mutating func forgetChanged() { changed.removeAll(keepingCapacity: true) }

    subscript(id: String) -> ActiveSession? {
        get {
            let resident = byHash[StableHash(id).value]
            if let resident, resident.session.id == id { return resident }
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

    /// The one whose name these bytes are, of this hash.
    subscript(id: UnsafeRawBufferPointer, hash: StableHash) -> ActiveSession? {
        let resident = byHash[hash.value]
        if let resident, unsafe resident.session.id.isMade(of: id) { return resident }
        return others.isEmpty ? nil : unsafe others[String(decoding: id, as: UTF8.self)]
    }

    /// All of them, in no order.
    var all: [ActiveSession] { Array(byHash.values) + others.values }
}

extension String {
    /// Whether its UTF-8 is these bytes; nothing is allocated for the answer.
    func isMade(of bytes: UnsafeRawBufferPointer) -> Bool {
        let own = utf8.span
        guard own.count == bytes.count, let start = bytes.baseAddress else { return false }
        return unsafe own.withUnsafeBytes { own in
            guard let ownStart = own.baseAddress else { return false }
            return unsafe memcmp(ownStart, start, bytes.count) == 0
        }
    }
}
