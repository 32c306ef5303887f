import Notation
import Sessions

/// The channels that subscribers want of a lane's sessions.
///
/// A subscription that ends within a name concerns every session whose name begins so. No index of
/// the sessions' names is needed for that: each session asks, when it is looked at next, which
/// beginnings of its own name are among the subscriptions, and only if these have changed since.
struct Interests {
    /// By name, also of sessions that are not open yet.
    private var byName: [String: Channels] = [:]
    /// By the beginnings of names.
    private var byBeginning: [String: Channels] = [:]
    /// How many beginnings have each number of bytes, from 1; and a bit for each that some have.
    private var lengthCounts = [Int](repeating: 0, count: Name.bytesMax)
    private var lengths: UInt64 = 0
    /// Grows when a beginning comes, goes or changes.
    private var version = 0
    /// The channels that subscribers want of every session.
    var broad: Channels = []

    /// The channels that somebody wants of one session by its name.
    subscript(id: String) -> Channels {
        get { byName[id] ?? [] }
        set { byName[id] = newValue.isEmpty ? nil : newValue }
    }

    /// Takes the channels that subscribers want of every session whose name begins so.
    mutating func set(_ channels: Channels, ofBeginning name: String) {
        let former = byBeginning[name]
        guard channels != former ?? [] else { return }
        version += 1
        byBeginning[name] = channels.isEmpty ? nil : channels
        let change = (channels.isEmpty ? 0 : 1) - (former == nil ? 0 : 1)
        guard change != 0 else { return }
        let place = name.utf8.count - 1
        lengthCounts[place] += change
        lengths = lengthCounts[place] > 0 ? lengths | 1 << place : lengths & ~(1 << place)
    }

    /// The channels that subscribers want of sessions whose names begin as a name does: one look for
    /// each length that any beginning has.
    func channels(ofNameBeginningAs name: String) -> Channels {
        var channels: Channels = []
        var rest = lengths
        let count = name.utf8.count
        while rest != 0 {
            let length = rest.trailingZeroBitCount + 1
            if length > count { break }
            rest &= rest - 1
            channels.formUnion(byBeginning[String(name.prefix(length))] ?? [])
        }
        return channels
    }

    /// The sessions of which somebody wants something by name.
    var names: some Sequence<String> { byName.keys }

    /// All that somebody wants of an open session.
    @inline(__always)
    func channels(of active: ActiveSession) -> Channels {
        if active.wanted.version != version { look(for: active) }
        return active.wanted.byName.union(broad).union(active.wanted.byBeginning)
    }

    private func look(for active: ActiveSession) {
        active.wanted.byBeginning = channels(ofNameBeginningAs: active.session.id)
        active.wanted.version = version
    }

    /// Whether anybody wants these channels of a session, open or not.
    func includes(_ channels: Channels, of id: String) -> Bool {
        broad.union(self[id]).union(self.channels(ofNameBeginningAs: id)).isSuperset(of: channels)
    }
}
