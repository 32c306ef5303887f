import Geometry
import Glibc
import Notation
import Sessions

/// The open sessions of a lane, found by name: a string, or the bytes of a topic.
///
/// Keyed by the hash of the bytes, so that an event's bytes need not become a string. An object,
/// for each look into a lane's value would retain all of its parts. The lane's own.
final class ActiveSessions {
    private var byHash: [SessionKey: ActiveSession] = [:]
    /// Sessions whose hash another one has: none, unless somebody chose their names for it.
    private var others: [String: ActiveSession] = [:]
    /// Sessions that may have something to publish at the end of the batch.
    private(set) var changed: [ActiveSession] = []
    /// The last versions of the counts of closed sessions.
    var formerVersions: FormerVersions

    init(versionFloor: Int) { formerVersions = FormerVersions(versionFloor: versionFloor) }

    /// Lists a session as changed, once.
    func markChanged(_ active: ActiveSession) {
        guard !active.isChanged else { return }
        active.isChanged = true
        changed.append(active)
    }

    func forgetChanged() { changed.removeAll(keepingCapacity: true) }

    subscript(id: String) -> ActiveSession? {
        get {
            let active = byHash[SessionKey(StableHash(id))]
            if let active, active.session.id == id { return active }
            return others.isEmpty ? nil : others[id]
        }
        set {
            let hash = SessionKey(StableHash(id))
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
        let active = byHash[SessionKey(hash)]
        if let active, unsafe active.isNamed(id) { return active }
        return others.isEmpty ? nil : unsafe others[String(decoding: id, as: UTF8.self)]
    }

    /// Whether they are more than a processor's caches hold.
    var fillCaches: Bool { byHash.count > Limits.cachedSessionsMax }

    /// Has the processor read the session with this hash, for an event that comes soon.
    func readAhead(_ hash: StableHash) { byHash[SessionKey(hash)]?.readAhead() }

    /// All open sessions, in no order.
    var all: [ActiveSession] { Array(byHash.values) + others.values }
}

/// The hash of a session's name as a key.
///
/// A name's hash is known to everybody, so its place among the others is decided by a multiplier
/// that every start draws anew: whoever chose two hashes, few multipliers bring both to one place.
/// The standard library's own hashing of a number would cost a lookup twice as much.
private struct SessionKey: Hashable {
    let value: UInt64

    init(_ hash: StableHash) { value = hash.value }

    private static let multiplier = UInt64.random(in: .min ... .max) | 1

    // A table takes the lowest bits, in which one half of the product has too little of the name.
    func _rawHashValue(seed: Int) -> Int {
        let product = value.multipliedFullWidth(by: Self.multiplier)
        return Int(truncatingIfNeeded: product.high ^ product.low)
    }
}

extension ActiveSession {
    /// Whether these bytes are its name.
    @inline(__always)
    fileprivate func isNamed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let word = session.identity.word
        return word.isWhole
            ? unsafe word == NameWord(bytes) : unsafe session.id.isMade(of: bytes)
    }

    /// The place of the component whose id these bytes spell. It reaches for the ids where they
    /// are: the session, a component or the scene would be copied.
    func component(named bytes: UnsafeRawBufferPointer) -> Int? {
        let word = unsafe NameWord(bytes)
        for index in 0..<session.scene.components.count
        where session.scene.components[index].word == word {
            guard !word.isWhole else { return index }
            if unsafe session.scene.components[index].id.isMade(of: bytes) { return index }
        }
        return nil
    }
}

extension NameWord {
    /// Unsafe only because the caller must keep the bytes valid.
    @inline(__always)
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        let isWhole = 1...Self.bytesMax ~= bytes.count
        self.init(value: isWhole ? unsafe RawSpan(_unsafeBytes: bytes).word(from: 0) : 0)
    }
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

extension Limits {
    /// Sessions of a lane beyond which they are read ahead: their memory is some two megabytes.
    static let cachedSessionsMax = 512
}
