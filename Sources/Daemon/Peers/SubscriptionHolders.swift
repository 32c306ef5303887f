import Notation
import ZeroMQ

/// Mirrors libzmq's table of subscriptions: which connection holds which prefix.
///
/// libzmq reports an end of a subscription even of a peer that never had it. So an end counts only
/// if its connection is a holder. When a connection closes, libzmq reports the end of each of its
/// subscriptions without saying whose they were: then one of the holders is gone, and it does not
/// matter which. `count` is exact at any time, and an interest lasts until it is 0.
struct SubscriptionHolders {
    /// The connections that subscribed to one prefix and did not end that themselves.
    private struct Holders {
        var numbers: [Int] = []
        /// How many of them have closed. Below 0 where a connection that is known to have closed
        /// was taken out before libzmq reported its ends.
        var closed = 0

        var count: Int { numbers.count - closed }
    }

    /// The subscriptions of one connection.
    private struct Connection {
        let descriptor: CInt
        /// The group of readers to whose socket it came; 0: none.
        let group: Int
        /// Its client's number; −1: it has shown no key.
        let client: Int
        var prefixes: Set<String> = []
        var bytes = 0
        var isCut = false
        /// Subscriptions and ends that it may still send.
        private var allowance = Allowance(
            burst: Limits.subscriptionBurstMax, perSecond: Limits.subscriptionsPerSecondMax)
        private var allowanceTime = 0

        init(_ sender: Sender, group: Int) {
            descriptor = sender.descriptor
            client = sender.client
            self.group = group
        }

        /// Takes one message. Returns whether it was one too many.
        mutating func takeOne(at now: Int) -> Bool {
            allowance.refill(seconds: Double(now - allowanceTime) / 1e9)
            allowanceTime = now
            allowance.take(1)
            return allowance.isOverdrawn
        }
    }

    /// The change of a prefix: whether anybody holds it.
    enum Change {
        case begins
        case ends
        case none
    }

    private var holders: [String: Holders] = [:]
    private var connections: [Int: Connection] = [:]
    /// The newest connection of each descriptor: two cannot be open at once.
    private var newest: [CInt: Int] = [:]
    /// The descriptors whose connections hold other prefixes than when they were forgotten here:
    /// no more than were ever open at once.
    private(set) var changed: Set<CInt> = []
    /// Bytes of all connections' prefixes, with what each costs beside.
    private(set) var bytes = 0

    /// The number of different prefixes that somebody holds.
    var count: Int { holders.count }

    /// The number of connections that hold a prefix.
    func count(of prefix: String) -> Int { holders[prefix]?.count ?? 0 }

    /// The number of connections that hold one; some of them may have closed.
    var connectionCount: Int { connections.count }

    /// How many prefixes the connection of a descriptor holds, the first of them in their order, at
    /// most so many, and the number of its client, −1: it has shown no key; nil: it never
    /// subscribed.
    func held(
        by descriptor: CInt, listing max: Int
    ) -> (count: Int, first: [String], client: Int)? {
        guard let number = newest[descriptor], let connection = connections[number] else {
            return nil
        }
        // Not all are sorted: there may be thousands.
        var first: [String] = []
        for prefix in connection.prefixes {
            if first.count == max {
                guard let last = first.last, prefix < last else { continue }
                first.removeLast()
            }
            first.insert(prefix, at: first.firstIndex { prefix < $0 } ?? first.count)
        }
        return (connection.prefixes.count, first, connection.client)
    }

    /// All prefixes of the connection of a descriptor; nil: it never subscribed.
    func prefixes(of descriptor: CInt) -> Set<String>? {
        newest[descriptor].flatMap { connections[$0]?.prefixes }
    }

    mutating func forgetChanged() { changed.removeAll(keepingCapacity: true) }

    /// Notes a subscription. Nil is a sender that cannot be told: it counts until as many unknown
    /// ends came.
    mutating func insert(_ prefix: String, by sender: Sender?, group: Int = 0) -> Change {
        let countBefore = holders[prefix]?.count ?? 0
        if let sender {
            record(sender, group: group)
            guard connections[sender.number]?.prefixes.insert(prefix).inserted == true else {
                return .none
            }
            changed.insert(sender.descriptor)
            charge(sender.number, Self.cost(of: prefix))
            holders[prefix, default: Holders()].numbers.append(sender.number)
        } else {
            holders[prefix, default: Holders()].closed -= 1
        }
        return countBefore == 0 ? .begins : .none
    }

    /// Notes an end. Nil: libzmq reports that a connection which held it has closed.
    mutating func remove(_ prefix: String, by sender: Sender?) -> Change {
        if let sender {
            record(sender)
            guard connections[sender.number]?.prefixes.remove(prefix) != nil else { return .none }
            changed.insert(sender.descriptor)
            charge(sender.number, -Self.cost(of: prefix))
            holders[prefix]?.numbers.removeAll { $0 == sender.number }
        } else {
            guard holders[prefix] != nil else { return .none }
            holders[prefix]?.closed += 1
        }
        return endIfUnheld(prefix)
    }

    /// Forgets the table of a group whose socket closes: its connections and their prefixes.
    /// Returns the keys of these, with how many held each.
    mutating func close(group: Int) -> [(key: String, count: Int)] {
        let tag = SubscriptionBook.tag(group)
        let ended = holders.filter { $0.key.hasPrefix(tag) }.map { ($0.key, $0.value.count) }
        for (key, _) in ended { holders[key] = nil }
        for (number, connection) in connections where connection.group == group {
            if newest[connection.descriptor] == number { newest[connection.descriptor] = nil }
            drop(number)
        }
        return ended
    }

    /// Counts one message of a connection. Returns whether it sent too many, and is to be cut.
    mutating func isFlood(from sender: Sender?, at now: Int) -> Bool {
        guard let sender, !isCut(sender),
            connections[sender.number]?.takeOne(at: now) == true
        else { return false }
        markCut(sender.number)
        return true
    }

    /// The connection to cut, if one holds too much, or all together do: then the largest.
    mutating func nextToCut(after sender: Sender?) -> Sender? {
        var number: Int?
        if let sender, let connection = connections[sender.number], !connection.isCut,
            connection.bytes > Limits.subscriptionBytesPerPeerMax
        {
            number = sender.number
        } else if bytes > Limits.subscriptionBytesInAllMax {
            number =
                connections.filter { !$0.value.isCut }.max { $0.value.bytes < $1.value.bytes }?
                .key
        }
        guard let number, let descriptor = connections[number]?.descriptor else { return nil }
        markCut(number)
        return Sender(number: number, descriptor: descriptor)
    }

    /// Counts its bytes no longer: they are gone in a moment, and until then nobody else is cut for
    /// them.
    private mutating func markCut(_ number: Int) {
        connections[number]?.isCut = true
        bytes -= connections[number]?.bytes ?? 0
    }

    /// Whether a connection is being cut: it is not answered any more.
    func isCut(_ sender: Sender?) -> Bool {
        sender.flatMap { connections[$0.number]?.isCut } ?? false
    }

    private static func cost(of prefix: String) -> Int {
        prefix.utf8.count + Limits.subscriptionOverheadBytes
    }

    private mutating func charge(_ number: Int, _ cost: Int) {
        connections[number]?.bytes += cost
        if connections[number]?.isCut != true { bytes += cost }
    }

    /// Meets a connection. An older one of the same descriptor has closed.
    private mutating func record(_ sender: Sender, group: Int = 0) {
        guard connections[sender.number] == nil else { return }
        connections[sender.number] = Connection(sender, group: group)
        let former = newest.updateValue(sender.number, forKey: sender.descriptor)
        if let former { forget(former) }
    }

    /// Takes a connection that has closed out of the holders. The counts stay as they are: libzmq
    /// has reported its ends already, or will.
    private mutating func forget(_ number: Int) {
        guard let connection = connections[number] else { return }
        for prefix in connection.prefixes {
            holders[prefix]?.numbers.removeAll { $0 == number }
            holders[prefix]?.closed -= 1
        }
        drop(number)
    }

    private mutating func drop(_ number: Int) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        if !connection.isCut { bytes -= connection.bytes }
    }

    /// Forgets a prefix that nobody holds any more.
    private mutating func endIfUnheld(_ prefix: String) -> Change {
        guard let left = holders[prefix], left.count <= 0 else { return .none }
        holders[prefix] = nil
        for number in left.numbers {
            guard connections[number]?.prefixes.remove(prefix) != nil else { continue }
            charge(number, -Self.cost(of: prefix))
            // All of these have closed.
            if connections[number]?.prefixes.isEmpty == true { leave(number) }
        }
        return .ends
    }

    /// Drops a closed connection without prefixes.
    private mutating func leave(_ number: Int) {
        if let descriptor = connections[number]?.descriptor, newest[descriptor] == number {
            newest[descriptor] = nil
        }
        drop(number)
    }
}

extension Limits {
    /// Subscriptions and their ends that a connection may send at once, and in a second beyond.
    static let subscriptionBurstMax = 32_768
    static let subscriptionsPerSecondMax = 8_192
    /// Bytes of one connection's subscriptions, each with its overhead: 50,000 usual ones. A
    /// connection with more is cut: libzmq takes 35 times as much for random ones.
    static let subscriptionBytesPerPeerMax = 3 * 1024 * 1024
    /// Bytes of all connections' subscriptions; beyond it the largest is cut.
    static let subscriptionBytesInAllMax = 8 * 1024 * 1024
    /// Bytes that a subscription costs beside its own.
    static let subscriptionOverheadBytes = 32
}
