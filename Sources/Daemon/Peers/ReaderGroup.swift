import Interactions
import Notation
import Security
import Sessions
import ZeroMQ

/// The socket of clients that may read the same sessions, and nothing else.
///
/// ZeroMQ sends what a peer subscribes to, whoever it is. So a client whose reading is restricted
/// cannot read at the updates socket: it connects here, where nothing else is ever sent.
final class ReaderGroup {
    let key: ReaderGroupKey
    /// Its number among all groups since the start, from 1; 0 is the updates socket.
    let number: Int
    let socket: Socket
    /// With the ports that the system chose.
    let endpoints: [String]

    init(_ key: ReaderGroupKey, number: Int, socket: consuming Socket, endpoints: [String]) {
        self.key = key
        self.number = number
        self.socket = socket
        self.endpoints = endpoints
    }

    /// The domain of its handshakes.
    static func domain(_ number: Int) -> String { "readers/\(number)" }

    /// Whether it may read an update, by the bytes of its topic.
    func mayRead(_ topic: UnsafeRawBufferPointer) -> Bool {
        let slash = UInt8(ascii: "/")
        guard let start = unsafe topic.firstIndex(of: slash) else { return false }
        if !key.touches, unsafe topic.starts(with: "touches/".utf8) { return false }
        let name = unsafe topic[(start + 1)...].prefix { $0 != slash }
        // Rejections without a session, of whichever client, are for those who may read all.
        guard unsafe name.count > 1 || name.first != UInt8(ascii: "-") else { return false }
        return unsafe key.read.match(name)
    }

    /// Whether it may read a session.
    func mayRead(_ session: String) -> Bool { key.read.match(session) }

    /// Whether something that it may read can come of a subscription.
    func mayRead(_ interest: SubscriptionBook.Interest) -> Bool {
        switch interest {
        case .session(let session, let channels, _):
            (key.touches || channels != .touches)
                && (interest.isBeginning ? key.read.matchBeginning(session) : mayRead(session))
        case .broad(let channels): key.touches || channels != .touches
        case .sync: true
        // A heartbeat's topic, or one that nothing has.
        case .other: true
        }
    }
}

extension Limits {
    /// Groups of readers: each update is asked for by each.
    static let readerGroupsMax = 64
}
