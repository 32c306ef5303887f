import Geometry
import Interactions
import Notation
import Sessions

/// Requests that take long, each with what came behind it for the same session.
///
/// The lane serves one at a time, in the time that events and frames leave: first the request,
/// then what came behind it. Peers take turns, so that one peer's hundred requests delay another
/// one's by one. Work of one session keeps its order: what comes for a session with a request here
/// waits behind it.
struct CostlyWork {
    /// One request and what follows it.
    struct Unit {
        let envelope: Envelope
        let request: any LaneRequest
        var followers = Batch()
    }

    /// A line of units that keep their order.
    private enum Key: Hashable {
        case session(UInt64)
        /// A request about no session, with its number.
        case alone(Int)
    }

    private var units: [Key: [Unit]] = [:]
    /// Each peer's lines, by the peer of the first unit of each; the next peer is the first.
    private var turns: [(peer: [UInt8], keys: [Key])] = []
    private var countByPeer: [[UInt8]: Int] = [:]
    private var aloneCount = 0
    /// Requests, their bytes of documents, and the events behind them with their bytes.
    private(set) var count = 0
    private(set) var documentBytes = 0
    private(set) var eventCount = 0
    private var eventBytes = 0

    var isEmpty: Bool { count == 0 }

    /// Whether a session has a request here, so that its other work waits behind it.
    func holds(_ hash: StableHash) -> Bool {
        !units.isEmpty && units[.session(hash.value)] != nil
    }

    // MARK: Adding

    /// Adds a request, behind all that waits for its session. Throws `busy` beyond the bounds.
    mutating func add(
        _ request: any LaneRequest, _ envelope: Envelope, of session: StableHash?
    ) throws(Rejection) {
        let (bytes, ofPeer) = (request.documentBytes, countByPeer[envelope.identity, default: 0])
        guard ofPeer < Limits.costlyRequestsOfPeerMax, count < Limits.costlyRequestsMax,
            documentBytes == 0 || documentBytes + bytes <= Limits.costlyBytesMax
        else { throw Self.busy }
        countByPeer[envelope.identity] = ofPeer + 1
        count += 1
        documentBytes += bytes
        let key: Key
        if let session {
            key = .session(session.value)
        } else {
            aloneCount += 1
            key = .alone(aloneCount)
        }
        let unit = Unit(envelope: envelope, request: request)
        if units[key] == nil {
            units[key] = [unit]
            queue(key, of: envelope.identity)
        } else {
            units[key]?.append(unit)
        }
    }

    /// Whether one more event of so many bytes may wait here.
    func hasRoom(forEvent bytes: Int) -> Bool {
        eventCount < Limits.costlyEventsMax && eventBytes + bytes <= Limits.costlyBytesMax
    }

    /// Adds other work of a session that has a request here.
    mutating func follow(
        _ session: StableHash, eventBytes bytes: Int? = nil, _ add: (inout Batch) -> Void
    ) {
        let key = Key.session(session.value)
        guard var line = units.removeValue(forKey: key), let last = line.indices.last else {
            preconditionFailure("no request of this session waits")
        }
        add(&line[last].followers)
        units[key] = line
        guard let bytes else { return }
        eventCount += 1
        eventBytes += bytes
    }

    private mutating func queue(_ key: Key, of peer: [UInt8]) {
        if let place = turns.firstIndex(where: { $0.peer == peer }) {
            turns[place].keys.append(key)
        } else {
            turns.append((peer, [key]))
        }
    }

    // MARK: Serving

    /// Takes the next unit; nil: none waits.
    mutating func next() -> Unit? {
        guard !turns.isEmpty else { return nil }
        var turn = turns.removeFirst()
        let key = turn.keys.removeFirst()
        if !turn.keys.isEmpty { turns.append(turn) }
        guard var line = units.removeValue(forKey: key), !line.isEmpty else {
            preconditionFailure("a turn without a request")
        }
        let unit = line.removeFirst()
        if let head = line.first {
            queue(key, of: head.envelope.identity)
            units[key] = line
        }
        leave(unit)
        return unit
    }

    /// Takes all units of a session, in their order.
    mutating func takeAll(of session: StableHash) -> [Unit] {
        let key = Key.session(session.value)
        guard let line = units.removeValue(forKey: key), let head = line.first,
            let place = turns.firstIndex(where: { $0.peer == head.envelope.identity })
        else { return [] }
        turns[place].keys.removeAll { $0 == key }
        if turns[place].keys.isEmpty { turns.remove(at: place) }
        for unit in line { leave(unit) }
        return line
    }

    /// Counts a unit off.
    private mutating func leave(_ unit: Unit) {
        count -= 1
        documentBytes -= unit.request.documentBytes
        eventCount -= unit.followers.eventCount
        eventBytes -= unit.followers.bytes.count
        let left = countByPeer[unit.envelope.identity, default: 1] - 1
        countByPeer[unit.envelope.identity] = left > 0 ? left : nil
    }

    /// Takes all units of sessions, in their order.
    mutating func takeAll(where isMeant: (any LaneRequest) -> Bool) -> [Unit] {
        let sessions = units.values.compactMap { line in
            line.first.flatMap { isMeant($0.request) ? $0.request.subject : nil }
        }
        return sessions.sorted().flatMap { takeAll(of: StableHash($0)) }
    }

    static let busy = Rejection(.busy, "too much that takes long waits already; ask again later")
}

extension Limits {
    /// Requests of one peer that wait on a lane because they take long: what a client asks at once
    /// when it moves its sessions.
    static let costlyRequestsOfPeerMax = 256
    /// The same of all peers together.
    static let costlyRequestsMax = 2_048
    /// Bytes of the documents of requests that wait so, and of the events behind them: read, they
    /// take a multiple. One larger document may wait alone.
    static let costlyBytesMax = 2 * 1024 * 1024
    /// Events that wait behind such requests for their order: four seconds of a finger. One more
    /// has its session's requests served at once, since no event is lost for them.
    static let costlyEventsMax = 512
}
