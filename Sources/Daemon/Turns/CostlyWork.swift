import Geometry
import Interactions
import Notation
import Sessions

/// Work that takes long, each piece with what came behind it for the same session: requests, and
/// events that change a scene.
///
/// The lane serves one piece at a time, in the time that events and frames leave: first the piece,
/// then what came behind it. Peers take turns, so that one peer's hundred requests delay another
/// one's by one; all publishers of events that ask for no answer count as one peer. Work of one
/// session keeps its order: what comes for a session with work here waits behind it.
struct CostlyWork {
    /// A costly piece of work, and what follows it.
    struct Unit {
        /// The peer that has asked; empty where no answer is asked for.
        let asker: [UInt8]
        /// The session that it is about; nil: none.
        let session: String?
        /// The request that comes first; nil: it is answered, or there was none.
        var request: Request?
        /// Whether the request was performed, and is answered when the changes that it led to are
        /// made.
        var isPerformed = false
        /// The work that comes behind it. Where there was no request, the first one is costly.
        var followers = Batch()
        /// The first follower that is not done.
        var place = 0
        /// Whether its session has moved for the event at `place`, which led to changes.
        var hasMoved = false
        /// The receipt of the event at `place`, which is answered when the changes that it led to
        /// are made; nil: it was not received yet.
        var receipt: EventReceipt?

        /// Whether its request was set apart from its session's line.
        var isApart: Bool { if case .alone = key { session != nil } else { false } }

        fileprivate let key: Key
        /// The events among the followers that change the scene and are not done.
        fileprivate var changeCount = 0

        /// Whether all of it is done, but for changes that are left.
        var isEmpty: Bool { request == nil && place >= followers.work.count }

        /// The follower at `place` is done.
        mutating func pass(isChange: Bool) {
            if followers.work[place].event != nil { followers.eventCount -= 1 }
            if isChange { changeCount -= 1 }
            hasMoved = false
            place += 1
        }

        /// Whether more may be added behind it. It begins no new one for each event, and gives the
        /// memory of what is done back before long.
        fileprivate func takes(_ session: String?) -> Bool {
            self.session == session && place == 0
                && followers.work.count < Limits.costlyFollowersMax
        }
    }

    struct Request {
        let envelope: Envelope
        let request: any LaneRequest
    }

    /// A line of units that keep their order. A session's is kept by a key that no peer can work
    /// out: by ``StableHash`` a peer's own session could stand in the line of another one's.
    fileprivate enum Key: Hashable {
        case session(NameKey)
        /// A request about no session, or one that was set apart, with its number.
        case alone(Int)
    }

    /// The units of one session, with what they hold of the bounds.
    private struct Line {
        var units = WaitingLine<Unit>()
        var eventCount = 0
        var eventBytes = 0
        var changeCount = 0
    }

    private var lines: [Key: Line] = [:]
    /// Each peer's lines, by the peer of the first unit of each; the next peer is the first.
    private var turns: [(peer: [UInt8], keys: [Key])] = []
    private var countByPeer: [[UInt8]: Int] = [:]
    private var aloneCount = 0
    /// Requests, their bytes of documents, and the events with their bytes.
    private(set) var requestCount = 0
    private(set) var documentBytes = 0
    private(set) var eventCount = 0
    private var eventBytes = 0

    var isEmpty: Bool { lines.isEmpty }

    /// Whether a session has work here, so that its other work waits behind it.
    func holds(_ session: NameKey) -> Bool { !lines.isEmpty && lines[.session(session)] != nil }

    // MARK: Adding

    /// Adds a request, behind all that waits for its session, whose key is given. Throws `busy`
    /// beyond the bounds.
    mutating func add(
        _ request: any LaneRequest, of session: NameKey?, _ envelope: Envelope
    ) throws(Rejection) {
        let (bytes, ofPeer) = (request.documentBytes, countByPeer[envelope.identity, default: 0])
        // A peer that has few here is let in beyond the bound of all: it waits for its turn alone.
        let countMax = (ofPeer < Limits.costlyRequestsOfPeerMin ? 2 : 1) * Limits.costlyRequestsMax
        guard ofPeer < Limits.costlyRequestsOfPeerMax, requestCount < countMax,
            documentBytes == 0 || documentBytes + bytes <= Limits.costlyBytesMax
                || (ofPeer == 0 && bytes <= Limits.largeRequestBytesMin
                    && documentBytes + bytes <= 2 * Limits.costlyBytesMax)
        else { throw Self.busy }
        let key: Key
        if let session {
            key = .session(session)
        } else {
            aloneCount += 1
            key = .alone(aloneCount)
        }
        add(
            Unit(
                asker: envelope.identity, session: request.subject,
                request: Request(envelope: envelope, request: request), key: key))
    }

    /// Adds the changes that a session's own motion has led to. It has no other work here.
    mutating func addMotion(of session: String, _ key: NameKey) {
        add(Unit(asker: [], session: session, key: .session(key)))
    }

    /// Whether one more scene change of a session may wait here, where each takes so long.
    func hasRoom(forChangeOf session: NameKey, nanoseconds: Int) -> Bool {
        let waiting = lines[.session(session)]?.changeCount ?? 0
        return waiting == 0
            || (waiting + 1) * nanoseconds <= Limits.changesMillisecondsMax * 1_000_000
    }

    /// Whether one more event of a session may wait here, where each takes so long.
    func hasRoom(forEventOf session: NameKey, nanoseconds: Int) -> Bool {
        let waiting = lines[.session(session)]?.eventCount ?? 0
        return waiting == 0
            || (waiting + 1) * nanoseconds <= Limits.longEventsMillisecondsMax * 1_000_000
    }

    /// Whether the events of a unit that was taken, and those behind it, may all be done, where
    /// each takes so long. Twice as many may be here as are let in by then: that is an average.
    func mayServeAll(_ unit: Unit, nanoseconds: Int) -> Bool {
        let waiting = unit.followers.eventCount + (lines[unit.key]?.eventCount ?? 0)
        return waiting * nanoseconds <= 2 * Limits.longEventsMillisecondsMax * 1_000_000
    }

    /// Whether one more event of so many bytes may wait here for a session.
    func hasRoom(forEvent bytes: Int, of session: NameKey) -> Bool {
        let line = lines[.session(session)] ?? Line()
        guard line.eventCount < Limits.costlyEventsOfSessionMax,
            line.eventBytes + bytes <= Limits.costlyBytesOfSessionMax
        else { return false }
        // A session of which little waits has room, however much others take.
        let isSmall =
            line.eventCount < Limits.costlyEventsOfSessionMin
            && bytes <= Limits.shortDocumentBytesMax
        let times = isSmall ? 2 : 1
        return eventCount < times * Limits.costlyEventsMax
            && eventBytes + bytes <= times * Limits.costlyBytesMax
    }

    /// Adds an event: behind the other work of its session, or as its first. Returns whether that
    /// made a new unit.
    mutating func add(
        eventOf session: String, _ key: NameKey, isChange: Bool, by asker: [UInt8],
        _ add: (inout Batch) -> Void
    ) -> Bool {
        change(lastOf: .session(key), session, asker) { unit in
            add(&unit.followers)
            if isChange { unit.changeCount += 1 }
        }
    }

    /// Adds other work of a session behind what it has here. Returns whether that made a new unit.
    mutating func follow(
        _ key: NameKey, of session: String?, _ work: LaneWork
    ) -> Bool {
        change(lastOf: .session(key), session, []) { $0.followers.work.append(work) }
    }

    /// Changes the last unit of a line, or a new one, and counts what that does to the bounds.
    private mutating func change(
        lastOf key: Key, _ session: String?, _ asker: [UInt8], _ body: (inout Unit) -> Void
    ) -> Bool {
        let isNew = lines[key]?.units.last?.takes(session) != true
        if isNew { add(Unit(asker: asker, session: session, key: key)) }
        guard var line = lines.removeValue(forKey: key), var last = line.units.popLast() else {
            preconditionFailure("a line without units")
        }
        count(last, -1, in: &line)
        body(&last)
        count(last, 1, in: &line)
        line.units.append(last)
        lines[key] = line
        return isNew
    }

    /// Counts a unit in or out.
    private mutating func count(_ unit: Unit, _ times: Int, in line: inout Line) {
        let (events, bytes) = (unit.followers.eventCount, unit.followers.bytes.count)
        line.eventCount += times * events
        line.eventBytes += times * bytes
        line.changeCount += times * unit.changeCount
        eventCount += times * events
        eventBytes += times * bytes
        guard let request = unit.request else { return }
        requestCount += times
        documentBytes += times * request.request.documentBytes
        let ofPeer = countByPeer[unit.asker, default: 0] + times
        countByPeer[unit.asker] = ofPeer > 0 ? ofPeer : nil
    }

    private mutating func add(_ unit: Unit) {
        let isFirst = lines[unit.key] == nil
        // Nothing else may hold the line meanwhile, or all of it would be copied.
        var line = lines.removeValue(forKey: unit.key) ?? Line()
        line.units.append(unit)
        count(unit, 1, in: &line)
        lines[unit.key] = line
        // Otherwise it comes behind others, or behind the one that is being served.
        if isFirst { queue(unit.key, of: unit.asker) }
    }

    private mutating func queue(_ key: Key, of peer: [UInt8]) {
        if let place = turns.firstIndex(where: { $0.peer == peer }) {
            turns[place].keys.append(key)
        } else {
            turns.append((peer, [key]))
        }
    }

    // MARK: Serving

    /// Takes the next unit; nil: none waits. `end` or `putBack` must follow: until then its session
    /// counts as having work here.
    mutating func next() -> Unit? {
        guard !turns.isEmpty else { return nil }
        var turn = turns.removeFirst()
        let key = turn.keys.removeFirst()
        if !turn.keys.isEmpty { turns.append(turn) }
        return takeFirst(key)
    }

    /// Takes the first unit of a session out of turn; nil: it has none, or that is being served.
    /// `end` or `putBack` must follow.
    mutating func next(of session: NameKey) -> Unit? { next(of: .session(session)) }

    private mutating func next(of key: Key) -> Unit? {
        guard let head = lines[key]?.units.first,
            let place = turns.firstIndex(where: { $0.peer == head.asker })
        else { return nil }
        turns[place].keys.removeAll { $0 == key }
        if turns[place].keys.isEmpty { turns.remove(at: place) }
        return takeFirst(key)
    }

    private mutating func takeFirst(_ key: Key) -> Unit {
        guard var line = lines.removeValue(forKey: key), let unit = line.units.popFirst() else {
            preconditionFailure("a turn without work")
        }
        count(unit, -1, in: &line)
        lines[key] = line
        return unit
    }

    /// A unit that was taken is done.
    mutating func end(_ unit: Unit) {
        guard let line = lines[unit.key] else { return }
        if let head = line.units.first {
            queue(unit.key, of: head.asker)
        } else {
            lines[unit.key] = nil
        }
    }

    /// Puts a unit back that was taken and is not done: it stays the first of its session, and all
    /// other peers have their turns before it.
    mutating func putBack(_ unit: Unit) {
        guard var line = lines.removeValue(forKey: unit.key) else {
            preconditionFailure("a unit without a line")
        }
        line.units.putFirst(unit)
        count(unit, 1, in: &line)
        lines[unit.key] = line
        queue(unit.key, of: unit.asker)
    }

    /// Moves the request of a unit that was taken to a line of its own. It keeps its turn among the
    /// requests of its peer, and has no place any more among the other work of its session.
    mutating func setApart(requestOf unit: inout Unit) {
        aloneCount += 1
        add(
            Unit(
                asker: unit.asker, session: unit.session, request: unit.request,
                key: .alone(aloneCount)))
        unit.request = nil
    }

    /// Takes all units of sessions, in their order.
    mutating func takeAll(of isMeant: (String) -> Bool) -> [Unit] {
        // Their numbers alone: who held the lines would have each of them copied.
        let meant = lines.compactMap { key, line in
            line.units.first?.session.flatMap { session in
                isMeant(session) ? (session: session, key: key, count: line.units.count) : nil
            }
        }
        var taken: [Unit] = []
        for (_, key, count) in meant.sorted(by: { $0.session < $1.session }) {
            for _ in 0..<count {
                guard let unit = next(of: key) else { break }
                taken.append(unit)
                end(unit)
            }
        }
        return taken
    }

    static let busy = Rejection(.busy, "too much that takes long waits already; ask again later")
    static let busyWorking = Rejection(
        .busy,
        "events of this session that wait take \(Limits.longEventsMillisecondsMax) ms already; "
            + "send fewer")
    static let busyChanging = Rejection(
        .busy,
        "changes of this session's scene that wait take \(Limits.changesMillisecondsMax) ms "
            + "already; send fewer")
}

extension Limits {
    /// Requests of one peer that wait on a lane because they take long: what a client asks at once
    /// when it moves its sessions.
    static let costlyRequestsOfPeerMax = 256
    /// The same of all peers together; twice as many where a peer has few.
    static let costlyRequestsMax = 2_048
    /// Requests of one peer that may wait whatever others have here: a session, its scene, a hit
    /// and the like.
    static let costlyRequestsOfPeerMin = 8
    /// Bytes of the documents of requests that wait so, and of the events: read, they take a
    /// multiple. One larger document may wait alone.
    static let costlyBytesMax = 2 * 1024 * 1024
    /// Those of the events of one session: eight of the largest.
    static let costlyBytesOfSessionMax = 512 * 1024
    /// Events that wait so on a lane, and of one session: four seconds of a finger. One more has
    /// what is light of its session done at once.
    static let costlyEventsMax = 2_048
    /// Events of one session that may wait whatever others take, up to twice the bounds of a lane:
    /// a tap, and a change or two.
    static let costlyEventsOfSessionMin = 8
    /// Pieces of work behind one costly piece before the next ones stand by themselves.
    static let costlyFollowersMax = 64
    static let costlyEventsOfSessionMax = 512
    /// Milliseconds of changes of one session's scene that may wait, by what they took so far: more
    /// come than its lane can make, and its viewers would see what was sent long ago.
    static let changesMillisecondsMax = 1_000
    /// The same of its events that take long. They are touches and the like, which are sooner out
    /// of date.
    static let longEventsMillisecondsMax = 250
}
