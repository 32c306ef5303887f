import Notation
import Protocol
import Sessions

/// The subscriptions in force, by which lanes decide what they encode.
///
/// Bounded by `Limits.subscriptionsTrackedMax`. Further subscriptions are only counted, and all
/// channels count as wanted until as many unknown ones have ended.
struct SubscriptionBook {
    /// The meaning of one subscription.
    enum Interest: Equatable {
        /// Whole channels, of every session.
        case broad(Channels)
        /// Topics of one session; `topic` is the prefix itself.
        case session(String, Channels, topic: String)
        /// A question whether all earlier subscriptions are in force.
        case sync(nonce: String)
        /// Topics that belong to no session.
        case other
    }

    private static let roots: [(name: String, channel: Channels)] = [
        ("state/", .state), ("transition/", .transition), ("badge/", .badge),
        ("session/", .session), ("rejected/", .rejected),
    ]

    /// The subscriptions to one session: their prefixes, and how many of them want each channel.
    fileprivate struct Asked {
        var prefixes: [String: Channels] = [:]
        var counts = ChannelCounts()
    }

    private var broad: [String: Channels] = [:]
    private var sessions: [String: Asked] = [:]
    /// `sync/…`, `heartbeat` and others. They count, since ZeroMQ keeps them all.
    private var others: Set<String> = []
    /// The number of different subscriptions in force.
    private(set) var count = 0
    /// The number of subscriptions that came without room. ZeroMQ reports one end for two equal
    /// ones, so this is never below the number in force.
    private var untracked = 0
    private let countMax: Int

    init(countMax: Int = Limits.subscriptionsTrackedMax) { self.countMax = countMax }

    /// Whether some subscriptions are not tracked.
    var isOverflown: Bool { untracked > 0 }

    static func interest(of prefix: String) -> Interest {
        var channels: Channels = []
        for (root, channel) in roots {
            if root.hasPrefix(prefix) {
                channels.insert(channel)
            } else if prefix.hasPrefix(root) {
                let session = prefix.dropFirst(root.count).prefix { $0 != "/" }
                guard Name.isValid(String(session)) else { return .other }
                return .session(String(session), channel, topic: prefix)
            }
        }
        if !channels.isEmpty { return .broad(channels) }
        guard prefix.hasPrefix("sync/") else { return .other }
        let nonce = prefix.dropFirst("sync/".count)
        return Name.isValid(String(nonce)) ? .sync(nonce: String(nonce)) : .other
    }

    /// The channels that are wanted of every session.
    var broadChannels: Channels {
        if isOverflown { return .all }
        return broad.values.reduce(into: []) { $0.formUnion($1) }
    }

    /// The channels that are wanted of one session by its name.
    func channels(of session: String) -> Channels { sessions[session]?.counts.channels ?? [] }

    /// Returns whether it is tracked. One that is not counts as wanting everything.
    mutating func insert(_ prefix: String, _ interest: Interest) -> Bool {
        guard count < countMax || isTracked(prefix, interest) else {
            untracked += 1
            return false
        }
        let isNew =
            switch interest {
            case .broad(let channels): broad.updateValue(channels, forKey: prefix) == nil
            case .session(let session, let channels, _):
                sessions[session, default: Asked()].insert(prefix, channels)
            case .sync, .other: others.insert(prefix).inserted
            }
        if isNew { count += 1 }
        return true
    }

    mutating func remove(_ prefix: String, _ interest: Interest) {
        let isGone: Bool
        switch interest {
        case .broad: isGone = broad.removeValue(forKey: prefix) != nil
        case .session(let session, _, _):
            isGone = sessions[session]?.remove(prefix) ?? false
            if sessions[session]?.isEmpty == true { sessions[session] = nil }
        case .sync, .other: isGone = others.remove(prefix) != nil
        }
        if isGone { count -= 1 } else { untracked = max(0, untracked - 1) }
    }

    private func isTracked(_ prefix: String, _ interest: Interest) -> Bool {
        switch interest {
        case .broad: broad[prefix] != nil
        case .session(let session, _, _): sessions[session]?.prefixes[prefix] != nil
        case .sync, .other: others.contains(prefix)
        }
    }
}

extension SubscriptionBook.Asked {
    fileprivate var isEmpty: Bool { prefixes.isEmpty }

    fileprivate mutating func insert(_ prefix: String, _ channels: Channels) -> Bool {
        guard prefixes.updateValue(channels, forKey: prefix) == nil else { return false }
        counts.add(channels, 1)
        return true
    }

    fileprivate mutating func remove(_ prefix: String) -> Bool {
        guard let channels = prefixes.removeValue(forKey: prefix) else { return false }
        counts.add(channels, -1)
        return true
    }
}

/// The number of subscriptions that want each channel.
private struct ChannelCounts {
    private var counts: [5 of Int] = .init(repeating: 0)

    mutating func add(_ channels: Channels, _ amount: Int) {
        for bit in 0..<5 where channels.rawValue & (1 << UInt8(bit)) != 0 { counts[bit] += amount }
    }

    var channels: Channels {
        var channels: Channels = []
        for bit in 0..<5 where counts[bit] > 0 {
            channels.insert(Channels(rawValue: 1 << UInt8(bit)))
        }
        return channels
    }
}

extension Limits {
    /// Subscriptions that are told apart; with more, everything counts as wanted.
    static let subscriptionsTrackedMax = 1_000_000
}
