import Geometry
import Gestures
import Notation

/// A contact or a gesture on `gesture/<session>`, from its beginning to its end.
struct Route: Hashable, Sendable, Codable {
    let gesture: GestureKind
    /// The contact's number, where it is a raw one.
    let pointer: PointerNumber?
    /// The symbol of a token.
    var symbol: Int?
    /// The hit of its beginning; nil: nothing lay there.
    var hit: Hit?
    /// The components that hear of it, from the innermost. One that loses it leaves.
    var listeners: [Int]
    var lastSample: Step
    /// Whether it is a wheel's series that has had no way yet: the first way decides who scrolls.
    var isUndecided: Bool?

    /// The number that tells it apart from others of its gesture; see `Gesture.number`.
    fileprivate var number: PointerNumber? { pointer ?? symbol.map(PointerNumber.init) }
}

/// The contacts and gestures on `gesture/<session>` that are open.
///
/// One that is silent for as long as any gesture may be is lost: its components have cancelled it
/// by themselves, and its place is free.
struct Routes: Hashable, Sendable, Codable {
    private(set) var open: [Route] = []

    init() {}

    init(from decoder: any Decoder) throws {
        open = try decoder.singleValueContainer().decode([Route].self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(open)
    }

    var isEmpty: Bool { open.isEmpty }

    /// Whether a raw contact is down that is not lost by a step.
    func hasContact(at now: Step) -> Bool {
        open.contains { $0.pointer != nil && now < $0.lastSample + Silence.stepsMax }
    }

    /// The place of an open one; nil: there is none, or it was lost.
    func place(of gesture: Gesture, at now: Step) -> Int? {
        if open.isEmpty { return nil }
        return open.firstIndex {
            $0.gesture == gesture.kind && $0.number == gesture.number
                && now <= $0.lastSample + Silence.stepsMax
        }
    }

    subscript(place: Int) -> Route {
        get { open[place] }
        _modify { yield &open[place] }
    }

    /// Adds one in the place of a former one of its gesture. False: too many are open.
    mutating func add(_ route: Route) -> Bool {
        open.removeAll {
            ($0.gesture == route.gesture && $0.number == route.number)
                || $0.lastSample + Silence.stepsMax < route.lastSample
        }
        guard open.count < Limits.routesMax else { return false }
        open.append(route)
        return true
    }

    mutating func remove(at place: Int) { open.remove(at: place) }

    /// The components stand at other places; what has closed hears of nothing any more.
    mutating func move(to places: [Int?]) {
        for place in open.indices {
            open[place].listeners = open[place].listeners.compactMap { places[$0] }
            open[place].hit = open[place].hit.flatMap { hit in
                places[hit.component].map { Hit(component: $0, view: hit.view) }
            }
        }
    }

    /// A component hears of a contact no more.
    mutating func leave(_ component: Int, _ pointer: PointerNumber) {
        for place in open.indices where open[place].pointer == pointer {
            open[place].listeners.removeAll { $0 == component }
        }
    }

    /// The contacts that a component hears of.
    func pointers(heardBy component: Int) -> [PointerNumber] {
        open.filter { $0.listeners.contains(component) }.compactMap(\.pointer)
    }
}

extension Routes {
    /// Whether decoded routes could be those of a session.
    func isSound(componentCount: Int, now: Step) -> Bool {
        open.count <= Limits.routesMax
            && open.allSatisfy { route in
                route.lastSample <= now && route.lastSample >= .zero
                    && (route.gesture == .pointer) == (route.pointer != nil)
                    && (route.gesture == .token) == (route.symbol != nil)
                    && route.symbol.map(Token.symbols.contains) != false
                    && route.listeners.count <= componentCount
                    && (route.listeners + [route.hit?.component].compactMap { $0 })
                        .allSatisfy((0..<componentCount).contains)
                    && (route.hit?.view.map { $0.utf8.count <= 2 * Name.bytesMax } ?? true)
            }
    }
}

extension Limits {
    /// Contacts and gestures on a session's own topic that are open at once: ten people with four
    /// fingers each, sixteen objects, and one of each gesture.
    package static let routesMax = 64
}
