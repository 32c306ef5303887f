import Notation
import Protocol
import Sessions

/// The meaning of the subscriptions in force, by which lanes decide what they encode. Each prefix
/// stands in it once; ``SubscriptionHolders`` knows how long somebody holds it.
struct SubscriptionBook {
    /// The meaning of one subscription.
    enum Interest: Equatable {
        /// Whole channels, of every session.
        case broad(Channels)
        /// Topics of one session; `topic` is the prefix itself. Where that ends within or behind
        /// the name, it is those of every session whose name begins so, too.
        case session(String, Channels, topic: String)
        /// A question whether all earlier subscriptions are in force.
        case sync(nonce: String)
        /// Topics that belong to no session.
        case other

        /// Whether it is the beginning of other names.
        var isBeginning: Bool {
            guard case .session(_, _, let topic) = self else { return false }
            return topic.utf8.count { $0 == UInt8(ascii: "/") } == 1
        }
    }

    private static let roots: [(name: String, channel: Channels)] = [
        ("state/", .state), ("transition/", .transition), ("badge/", .badge),
        ("session/", .session), ("rejected/", .rejected), ("frame/", .frame), ("scene/", .scene),
        ("variables/", .variables), ("rows/", .rows), ("touches/", .touches),
    ]

    /// The subscriptions to one session: their prefixes, how many of them want each channel, and
    /// how many want it of every session whose name begins so.
    fileprivate struct Asked {
        var prefixes: [String: Channels] = [:]
        var counts = ChannelCounts()
        var beginnings = ChannelCounts()
    }

    private var broad: [String: Channels] = [:]
    private var sessions: [String: Asked] = [:]
    /// A text that stands for these bytes and no others. Swift takes some texts for equal that have
    /// other bytes, and repairs what is no UTF-8; so bytes beyond ASCII become private characters.
    static func key(_ bytes: ArraySlice<UInt8>) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        var text = String.UnicodeScalarView()
        for byte in bytes {
            if let scalar = Unicode.Scalar(0xe000 + UInt32(byte)) { text.append(scalar) }
        }
        return String(text)
    }

    /// The key of a prefix at the socket of a group of readers: each socket has a table of its own,
    /// and when it closes the whole table goes. No bytes of a prefix have this key.
    static func key(_ prefix: String, group: Int, isAuthorized: Bool) -> String {
        tag(group) + (isAuthorized ? "+" : "-") + prefix
    }

    /// The beginning of all keys of a group.
    static func tag(_ group: Int) -> String { "\u{f8ff}\(group) " }

    /// The meaning of a key that was made for a group.
    static func interest(ofTagged key: String) -> Interest {
        let rest = key.drop { $0 != " " }.dropFirst()
        return rest.hasPrefix("+") ? interest(of: String(rest.dropFirst())) : .other
    }

    static func interest(of prefix: String) -> Interest {
        var channels: Channels = []
        for (root, channel) in roots {
            if root.hasPrefix(prefix) {
                channels.insert(channel)
            } else if prefix.hasPrefix(root) {
                let session = prefix.dropFirst(root.count).prefix { $0 != "/" }
                guard Name.isValidSession(String(session)) else { return .other }
                return .session(String(session), channel, topic: prefix)
            }
        }
        if !channels.isEmpty { return .broad(channels) }
        guard prefix.hasPrefix("sync/") else { return .other }
        let nonce = prefix.dropFirst("sync/".count)
        return Name.isValid(String(nonce)) ? .sync(nonce: String(nonce)) : .other
    }

    /// The channels that are wanted of every session.
    var broadChannels: Channels { broad.values.reduce(into: []) { $0.formUnion($1) } }

    /// The channels that are wanted of one session by its name.
    func channels(of session: String) -> Channels { sessions[session]?.counts.channels ?? [] }

    /// The channels that are wanted of every session whose name begins so.
    func channels(ofBeginning name: String) -> Channels {
        sessions[name]?.beginnings.channels ?? []
    }

    mutating func insert(_ prefix: String, _ interest: Interest) {
        switch interest {
        case .broad(let channels): broad[prefix] = channels
        case .session(let session, let channels, _):
            sessions[session, default: Asked()].insert(
                prefix, channels, isBeginning: interest.isBeginning)
        case .sync, .other: break
        }
    }

    mutating func remove(_ prefix: String, _ interest: Interest) {
        switch interest {
        case .broad: broad[prefix] = nil
        case .session(let session, _, _):
            sessions[session]?.remove(prefix, isBeginning: interest.isBeginning)
            if sessions[session]?.isEmpty == true { sessions[session] = nil }
        case .sync, .other: break
        }
    }
}

extension SubscriptionBook.Asked {
    fileprivate var isEmpty: Bool { prefixes.isEmpty }

    fileprivate mutating func insert(
        _ prefix: String, _ channels: Channels, isBeginning: Bool
    ) {
        guard prefixes.updateValue(channels, forKey: prefix) == nil else { return }
        counts.add(channels, 1)
        if isBeginning { beginnings.add(channels, 1) }
    }

    fileprivate mutating func remove(_ prefix: String, isBeginning: Bool) {
        guard let channels = prefixes.removeValue(forKey: prefix) else { return }
        counts.add(channels, -1)
        if isBeginning { beginnings.add(channels, -1) }
    }
}

/// The number of subscriptions that want each channel.
private struct ChannelCounts {
    private var counts: [10 of Int] = .init(repeating: 0)

    mutating func add(_ channels: Channels, _ amount: Int) {
        for bit in 0..<Channels.count where channels.rawValue & (1 << UInt16(bit)) != 0 {
            counts[bit] += amount
        }
    }

    var channels: Channels {
        var channels: Channels = []
        for bit in 0..<Channels.count where counts[bit] > 0 {
            channels.insert(Channels(rawValue: 1 << UInt16(bit)))
        }
        return channels
    }
}
