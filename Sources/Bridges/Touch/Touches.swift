package import Geometry
import Notation
import Protocol

/// The contacts of a device as `pointer` events for one session, and its objects as `token` events.
///
/// It knows when the daemon may be told: a contact begins once the viewport is known and the daemon
/// is there. One that began too long before that, or was down when either went, is over for good: a
/// finger must be lifted and put down again, so that nothing is touched where nobody landed. Points
/// are the device's, 0 … 1, and `map` carries them into the viewport.
///
/// An object is put as long as it lies there: again when the daemon or the session has come back.
/// If several have one symbol, the first counts until it is lifted.
package struct Touches<Key: Hashable & Sendable>: Sendable {
    private enum State: Hashable {
        /// Not told yet, since a time; nil: it lies there and waits for as long as may be.
        case waiting(since: Int?)
        /// Told, last at a time.
        case down(since: Int)
        /// The daemon is told nothing of it any more.
        case over
    }

    private struct Contact {
        /// Numbers contacts and objects in their order.
        var pointer: Int
        /// Nil: it is no object.
        var mark: TokenMark?
        /// The number of the person to whom it belongs; nil: it is not known.
        var user: Int?
        var state: State
        /// Where it landed, and where it is.
        var landing: Vector
        var place: Vector

        var isDown: Bool {
            if case .down = state { true } else { false }
        }

        var isWaiting: Bool {
            if case .waiting = state { true } else { false }
        }

        /// Whether it waits for as long as may be.
        var isPatient: Bool {
            if case .waiting(nil) = state { true } else { false }
        }
    }

    package let topic: String
    package let map: TouchMap
    private var contacts: [Key: Contact] = [:]
    private var lastPointer: Int
    private var viewport: Size?
    private var isDaemonThere = false
    private var events: [BridgeEvent] = []
    package private(set) var counters = Counters<TouchCount>()

    /// - Parameter firstPointer: contacts are numbered from here; devices of one session must not
    ///   share numbers.
    package init(session: String, map: TouchMap, firstPointer: Int) {
        topic = "gesture/\(session)"
        self.map = map
        lastPointer = firstPointer
    }

    /// The events since the last call, in their order.
    package mutating func takeEvents() -> [BridgeEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Contacts and objects that the daemon knows of.
    package var downCount: Int { contacts.values.count { $0.isDown } }
    /// The objects among them.
    package var tokenCount: Int { contacts.values.count { $0.isDown && $0.mark != nil } }
    package var isEmpty: Bool { contacts.isEmpty }
    /// Whether a contact waits for the session to be open. An object that is not told in time lies
    /// there, and opens nothing.
    package var wantsViewport: Bool {
        viewport == nil && contacts.values.contains { $0.isWaiting && !$0.isPatient }
    }

    // MARK: The world

    /// The session's viewport; nil while it is not open.
    package mutating func setViewport(_ size: Size?, at moment: Moment) {
        viewport = size
        if size == nil { giveUp() }
        tick(at: moment)
    }

    package mutating func setDaemon(isThere: Bool, at moment: Moment) {
        if isThere == isDaemonThere { return }
        isDaemonThere = isThere
        if isThere {
            // The daemon has come back: its session opens again for what lies there.
            for key in contacts.keys where contacts[key]?.isPatient == true {
                contacts[key]?.state = .waiting(since: moment.steady)
            }
        } else {
            giveUp()
        }
        tick(at: moment)
    }

    private mutating func giveUp() {
        for key in contacts.keys where contacts[key]?.isDown == true {
            if contacts[key]?.mark != nil {
                contacts[key]?.state = .waiting(since: nil)
            } else {
                contacts[key]?.state = .over
                counters.count(.lost)
            }
        }
    }

    // MARK: Contacts

    /// Puts a contact down, or moves it if it is there already.
    ///
    /// - Parameter user: the number of the person to whom it belongs; nil: it is not known.
    package mutating func place(
        _ key: Key, _ x: Double, _ y: Double, user: Int? = nil, at moment: Moment
    ) {
        if contacts[key] == nil {
            land(key, Vector(x, y), user: user, at: moment)
        } else {
            move(key, x, y, at: moment)
        }
    }

    /// Puts an object down, or moves and turns it if it lies there already.
    package mutating func place(
        _ key: Key, _ mark: TokenMark, _ x: Double, _ y: Double, at moment: Moment
    ) {
        if contacts[key] == nil {
            land(key, Vector(x, y), mark, at: moment)
        } else {
            move(key, mark, x, y, at: moment)
        }
    }

    /// Moves and turns an object; one with another symbol is another one, and one that was refused
    /// when it was put is none.
    package mutating func move(
        _ key: Key, _ mark: TokenMark, _ x: Double, _ y: Double, at moment: Moment
    ) {
        guard let former = contacts[key] else { return }
        guard former.mark?.symbol == mark.symbol else {
            lift(key, at: moment)
            return land(key, Vector(x, y), mark, at: moment)
        }
        guard former.place != Vector(x, y) || former.mark != mark else { return }
        contacts[key]?.place = Vector(x, y)
        contacts[key]?.mark = mark
        if former.isDown { tell(key, .changed, Vector(x, y), at: moment) }
    }

    /// Moves a contact; one that was refused when it landed is none.
    package mutating func move(_ key: Key, _ x: Double, _ y: Double, at moment: Moment) {
        guard let contact = contacts[key] else { return }
        let place = Vector(x, y)
        guard contact.place != place else { return }
        contacts[key]?.place = place
        if contact.isDown { tell(key, .changed, place, at: moment) }
    }

    private mutating func land(
        _ key: Key, _ place: Vector, _ mark: TokenMark? = nil, user: Int? = nil,
        at moment: Moment
    ) {
        guard contacts.count < TouchCount.contactsMax else {
            counters.count(.refused)
            return
        }
        lastPointer += 1
        contacts[key] = Contact(
            pointer: lastPointer, mark: mark, user: user, state: .waiting(since: moment.steady),
            landing: place, place: place)
        begin(key, at: moment)
    }

    private mutating func begin(_ key: Key, at moment: Moment) {
        guard let contact = contacts[key], contact.isWaiting, isDaemonThere, viewport != nil
        else { return }
        if let mark = contact.mark { return put(key, mark, contact.place, at: moment) }
        guard downCount < TouchCount.downMax else {
            contacts[key]?.state = .over
            counters.count(.refused)
            return
        }
        counters.count(.contacts)
        tell(key, .began, contact.landing, at: moment)
        // It went on while it waited, and what it began with is where it landed.
        if contact.place != contact.landing { tell(key, .changed, contact.place, at: moment) }
    }

    /// Puts an object where it lies now, unless another one with its symbol lies there, or too much
    /// does: then it waits until there is room.
    private mutating func put(
        _ key: Key, _ mark: TokenMark, _ place: Vector, at moment: Moment
    ) {
        let isTaken = contacts.values.contains { $0.isDown && $0.mark?.symbol == mark.symbol }
        guard !isTaken, downCount < TouchCount.downMax else { return }
        counters.count(.tokens)
        tell(key, .began, place, at: moment)
    }

    package mutating func lift(_ key: Key, at moment: Moment) { end(key, .ended, at: moment) }

    package mutating func cancel(_ key: Key, at moment: Moment) {
        if contacts[key]?.isDown == true { counters.count(.cancelled) }
        end(key, .cancelled, at: moment)
    }

    private mutating func end(_ key: Key, _ phase: Phase, at moment: Moment) {
        guard let contact = contacts[key] else { return }
        if contact.isDown { tell(key, phase, contact.place, at: moment) }
        if contact.isWaiting, contact.mark == nil { counters.count(.unplaced) }
        contacts[key] = nil
        guard contact.isDown, let mark = contact.mark else { return }
        // Another one with its symbol may lie there.
        for key in ordered where contacts[key]?.mark?.symbol == mark.symbol {
            begin(key, at: moment)
        }
    }

    /// Cancels all contacts.
    package mutating func cancelAll(at moment: Moment) {
        // Those that wait would else take the place of those that go.
        for key in ordered where contacts[key]?.isDown == false { cancel(key, at: moment) }
        for key in ordered { cancel(key, at: moment) }
    }

    /// Begins what waited, gives up what waited too long, and repeats what rests.
    package mutating func tick(at moment: Moment) {
        for key in ordered {
            guard let contact = contacts[key] else { continue }
            switch contact.state {
            case .waiting(nil): begin(key, at: moment)
            case .waiting(let since?):
                if moment.steady - since <= TouchCount.patienceMilliseconds {
                    begin(key, at: moment)
                } else if contact.mark != nil {
                    contacts[key]?.state = .waiting(since: nil)
                    begin(key, at: moment)
                } else {
                    contacts[key]?.state = .over
                    counters.count(.unplaced)
                }
            case .down(let since) where moment.steady - since >= TouchCount.repeatMilliseconds:
                tell(key, .changed, contact.place, at: moment)
            case .down, .over: break
            }
        }
    }

    private var ordered: [Key] {
        contacts.sorted { $0.value.pointer < $1.value.pointer }.map(\.key)
    }

    // MARK: Events

    private enum Phase: String { case began, changed, ended, cancelled }

    private mutating func tell(
        _ key: Key, _ phase: Phase, _ place: Vector, at moment: Moment
    ) {
        guard let contact = contacts[key], let viewport else { return }
        contacts[key]?.state = .down(since: moment.steady)
        let point = map.point(place.x, place.y, in: viewport)
        var body = ByteBuffer(capacity: 128)
        body.append("{\"gesture\":")
        body.json(contact.mark == nil ? "pointer" : "token")
        body.key("phase")
        body.json(phase.rawValue)
        body.key(contact.mark == nil ? "pointer" : "symbol")
        body.json(contact.mark?.symbol ?? contact.pointer)
        body.key("x")
        body.json(points: point.x)
        body.key("y")
        body.json(points: point.y)
        // A contact keeps the user of its first sample.
        if phase == .began, let user = contact.user {
            body.key("user")
            body.json(String(user))
        }
        if let mark = contact.mark {
            body.key("angle")
            body.json(radians: map.angle(mark.angle))
        }
        body.key("t")
        body.json(exactly: (moment.wall * 1_000).rounded() / 1_000)
        body.append("}")
        events.append(BridgeEvent(topic: topic, body: body.array()))
    }
}

/// Counters of contacts, and their bounds.
package enum TouchCount: String, CaseIterable, Sendable {
    /// Told to the daemon.
    case contacts
    /// Objects told to the daemon.
    case tokens
    /// Ended by `cancelled`.
    case cancelled
    /// Down when the daemon or the session went.
    case lost
    /// Beyond a bound.
    case refused
    /// The session was not open, or the daemon not there, while they were down.
    case unplaced

    /// Contacts of a session that the daemon takes at once: its `limit_routes`.
    package static let downMax = 64
    /// Contacts that are followed, told or not: a crowd of 25 with ten fingers each, and some.
    package static let contactsMax = 256
    /// Milliseconds after which a resting contact is told again. The protocol wants it each second.
    package static let repeatMilliseconds = 900
    /// Milliseconds that a contact waits for the session to open; later it would surprise.
    package static let patienceMilliseconds = 1_000
}
