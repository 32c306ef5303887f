import Sessions
import Wire

/// What the subscribers of the updates socket asked for, as far as it decides what is encoded.
///
/// Bounded by `Limits.subscriptionsTrackedMax`: beyond it, all channels count as wanted.
struct SubscriptionBook {
    /// What one subscription asks for.
    enum Interest: Equatable {
        /// Whole channels: it names no session.
        case broad(Channels)
        /// One session's topic; `topic` is the prefix itself.
        case session(String, Channels, topic: String)
        /// The answer to a subscriber that wants to know that all before is in force.
        case sync(nonce: String)
        /// Nothing that this daemon ever publishes for sessions.
        case other
    }

    private static let roots: [(name: String, channel: Channels)] = [
        ("state/", .state), ("transition/", .transition), ("badge/", .badge),
        ("session/", .session), ("rejected/", .rejected),
    ]

    private var broad: [String: Channels] = [:]
    private var sessions: [String: [String: Channels]] = [:]
    private(set) var count = 0
    /// Whether more was asked for than is tracked.
    private(set) var isOverflown = false

    static func interest(of prefix: String) -> Interest {
        var channels: Channels = []
        for (root, channel) in roots {
            if root.hasPrefix(prefix) {
                channels.insert(channel)
            } else if prefix.hasPrefix(root) {
                let session = prefix.dropFirst(root.count).prefix { $0 != "/" }
                guard Topic.isName(String(session)) else { return .other }
                return .session(String(session), channel, topic: prefix)
            }
        }
        if !channels.isEmpty { return .broad(channels) }
        guard prefix.hasPrefix("sync/") else { return .other }
        let nonce = prefix.dropFirst("sync/".count)
        return Topic.isName(String(nonce)) ? .sync(nonce: String(nonce)) : .other
    }

    /// The channels that somebody wants of every session.
    var broadChannels: Channels {
        if isOverflown { return .all }
        return broad.values.reduce(into: []) { $0.formUnion($1) }
    }

    /// The channels that somebody wants of one session by its name.
    func channels(of session: String) -> Channels {
        sessions[session]?.values.reduce(into: []) { $0.formUnion($1) } ?? []
    }

    /// Whether it was tracked; what is not counts as wanting everything.
    mutating func insert(_ prefix: String, _ interest: Interest) -> Bool {
        switch interest {
        case .sync, .other: return true
        case .broad, .session: break
        }
        guard count < Limits.subscriptionsTrackedMax else {
            isOverflown = true
            return false
        }
        switch interest {
        case .broad(let channels):
            if broad.updateValue(channels, forKey: prefix) == nil { count += 1 }
        case .session(let session, let channels, _):
            if sessions[session, default: [:]].updateValue(channels, forKey: prefix) == nil {
                count += 1
            }
        case .sync, .other: break
        }
        return true
    }

    mutating func remove(_ prefix: String, _ interest: Interest) {
        switch interest {
        case .broad:
            if broad.removeValue(forKey: prefix) != nil { count -= 1 }
        case .session(let session, _, _):
            guard sessions[session]?.removeValue(forKey: prefix) != nil else { return }
            count -= 1
            if sessions[session]?.isEmpty == true { sessions[session] = nil }
        case .sync, .other: break
        }
    }
}
