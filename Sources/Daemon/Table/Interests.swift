import Notation
import Sessions

/// The channels that subscribers want of a lane's sessions.
///
/// A subscription that ends within a name concerns every session whose name begins so. No index of
/// the sessions' names is needed for that: each session asks, when it is looked at next, which
/// beginnings of its own name are among the subscriptions, and only if these have changed since.
///
/// It is an object of its lane, because each look at a value would copy it.
final class Interests {
    /// By name, also of sessions that are not open yet.
    private var byName: [String: Channels] = [:]
    private let beginnings = Beginnings<Channels>()
    /// Grows when a beginning comes, goes or changes.
    private var version = 0
    /// The channels that subscribers want of every session.
    var broad: Channels = []
    /// About how many subscribers there are.
    var subscribers = SubscribersByName()

    /// The channels that somebody wants of one session by its name.
    subscript(id: String) -> Channels {
        get { byName[id] ?? [] }
        set { byName[id] = newValue.isEmpty ? nil : newValue }
    }

    /// Takes the channels that subscribers want of every session whose name begins so.
    func set(_ channels: Channels, ofBeginning name: String) {
        if beginnings.set(channels.isEmpty ? nil : channels, of: name) { version += 1 }
    }

    /// The channels that subscribers want of sessions whose names begin as a name does.
    func channels(ofNameBeginningAs name: String) -> Channels {
        var found: Channels = []
        beginnings.forEach(of: name) { found.formUnion($0) }
        return found
    }

    /// The sessions of which somebody wants something by name.
    var names: some Sequence<String> { byName.keys }

    /// All that somebody wants of an open session.
    @inline(__always)
    func channels(of active: ActiveSession) -> Channels {
        if active.wanted.version != version { tell(active) }
        return active.wanted.byName.union(broad).union(active.wanted.byBeginning)
    }

    /// Tells a session what is wanted by the beginnings of its name.
    @inline(never)
    private func tell(_ active: ActiveSession) {
        active.wanted.byBeginning = channels(ofNameBeginningAs: active.session.id)
        active.wanted.version = version
    }

    /// Whether anybody wants these channels of a session, open or not.
    func includes(_ channels: Channels, of id: String) -> Bool {
        broad.union(self[id]).union(self.channels(ofNameBeginningAs: id)).isSuperset(of: channels)
    }
}

/// About how many subscriptions there are to the updates of a lane's sessions; few are none.
struct SubscribersByName {
    private var broad = 0
    private var own: [String: Int] = [:]
    private let ofBeginnings = Beginnings<Int>()
    private var version = 0

    /// Takes the counts of a name; nil: those of every session.
    mutating func set(_ counts: SubscriberCounts.OfName, of name: String?) {
        version += 1
        guard let name else { return broad = counts.own }
        own[name] = counts.own == 0 ? nil : counts.own
        _ = ofBeginnings.set(counts.ofBeginning == 0 ? nil : counts.ofBeginning, of: name)
    }

    /// Those of an open session.
    func count(of active: ActiveSession) -> Int {
        if active.wanted.subscribersVersion != version {
            active.wanted.subscribers = count(of: active.session.id)
            active.wanted.subscribersVersion = version
        }
        return active.wanted.subscribers
    }

    private func count(of name: String) -> Int {
        var count = broad + (own[name] ?? 0)
        ofBeginnings.forEach(of: name) { count += $0 }
        return count
    }
}

/// Values by the beginnings of names. It stands apart, so that a look at the counts by name copies
/// nothing of it.
private final class Beginnings<Value: Equatable> {
    private var values: [String: Value] = [:]
    /// How many beginnings have each number of bytes, from 1; and a bit for each that some have.
    private var lengthCounts = [Int](repeating: 0, count: Name.bytesMax)
    private var lengths: UInt64 = 0

    /// Sets the value of a beginning; nil: it has none. Returns whether that is a change.
    func set(_ value: Value?, of name: String) -> Bool {
        let former = values[name]
        guard value != former else { return false }
        values[name] = value
        let change = (value == nil ? 0 : 1) - (former == nil ? 0 : 1)
        guard change != 0 else { return true }
        let place = name.utf8.count - 1
        lengthCounts[place] += change
        lengths = lengthCounts[place] > 0 ? lengths | 1 << place : lengths & ~(1 << place)
        return true
    }

    /// Hands on the value of each beginning of a name: one look for each length that any has.
    func forEach(of name: String, _ body: (Value) -> Void) {
        var rest = lengths
        let count = name.utf8.count
        while rest != 0 {
            let length = rest.trailingZeroBitCount + 1
            if length > count { break }
            rest &= rest - 1
            if let value = values[String(name.prefix(length))] { body(value) }
        }
    }
}
