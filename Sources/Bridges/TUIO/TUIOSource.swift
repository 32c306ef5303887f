import Geometry

/// One tracker: the frame that is being gathered, and the contacts that it has.
struct TUIOSource: Sendable {
    enum Judgement: Hashable {
        case next, late, restarted
    }

    struct Change {
        var lifted: [Int]
        /// In the order in which the frame set them.
        var placed: [(id: Int, sight: Sight, isNew: Bool)]
        /// Objects that have a place and no symbol.
        var namelessCount = 0
    }

    /// A contact or an object, as a frame shows it.
    struct Sight: Hashable {
        var place: Vector
        /// Nil: it is a contact.
        var mark: TokenMark?
        /// The number of the person to whom it belongs; nil: it is not known.
        var user: Int?
    }

    let number: Int
    let profile: TUIOPart.Profile
    /// When its last message came.
    var heard = 0
    /// Contacts and objects that are alive and have had a place.
    var placed: Set<Int> = []
    /// The last frame that counted; 0: none yet.
    private var lastFrame = 0
    private var gathered = Gathered()
    /// By the ids of objects, the numbers that `sym` gives them.
    private var symbols: [Int: Int] = [:]
    /// The frame of 2.0 that `alv` closed last, and what lived then.
    private var closed: (number: Int, alive: Set<Int>)?
    /// A frame without a number came since, so that others may live.
    private var hasOthers = false
    /// The messages are of a frame that a newer one has overtaken, which is being gathered.
    private var isOvertaken = false
    private var incompleteCount = 0

    /// The parts of a frame that is not complete.
    private struct Gathered {
        var frame: Int?
        var alive: Set<Int>?
        var places: [Int: Sight] = [:]
        var order: [Int] = []
        var hovering: Set<Int> = []
    }

    init(number: Int, of profile: TUIOPart.Profile = .second) {
        self.number = number
        self.profile = profile
    }

    /// Returns false, and takes nothing, beyond a frame's bound.
    mutating func gather(_ part: TUIOPart) -> Bool {
        switch part.content {
        case .source: break
        case .frame(let number) where profile == .second: begin(number)
        case .frame(let number): gathered.frame = number
        case _ where isOvertaken: break
        case .alive(let ids): gathered.alive = Set(ids)
        case .set(let id, let place, let user):
            guard note(id) else { return false }
            gathered.places[id] = Sight(place: place, user: user)
            gathered.hovering.remove(id)
        case .object(let id, let place, let mark):
            guard note(id) else { return false }
            gathered.places[id] = Sight(place: place, mark: mark)
            gathered.hovering.remove(id)
        case .symbol(let id, let number):
            guard symbols[id] != nil || symbols.count < TUIO.aliveMax else { return false }
            symbols[id] = number
        case .hover(let id):
            guard note(id) else { return false }
            gathered.places[id] = nil
            gathered.hovering.insert(id)
        }
        return true
    }

    /// A bundle of 2.0 begins, of this frame.
    private mutating func begin(_ number: Int) {
        let open = gathered.frame
        isOvertaken =
            if let open { number > 0 && open > number && open - number < TUIO.lateFramesMax } else {
                false
            }
        if isOvertaken || open == number { return }
        if let open, open != closed?.number { incompleteCount += 1 }
        gathered = Gathered()
        gathered.frame = number
    }

    /// The frames without an end since the last call.
    mutating func takeIncompleteCount() -> Int {
        defer { incompleteCount = 0 }
        return incompleteCount
    }

    private mutating func note(_ id: Int) -> Bool {
        if gathered.places[id] != nil || gathered.hovering.contains(id) { return true }
        guard gathered.order.count < TUIO.aliveMax else { return false }
        gathered.order.append(id)
        return true
    }

    /// Compares the number of the gathered frame with the last one.
    mutating func judge() -> Judgement {
        if isOvertaken { return .late }
        let number = gathered.frame ?? 0
        // Without a number, or repeated to make up for losses.
        if number <= 0 { return .next }
        if number >= lastFrame {
            lastFrame = number
            return .next
        }
        if lastFrame - number < TUIO.lateFramesMax { return .late }
        lastFrame = number
        return .restarted
    }

    mutating func forgetFrame() {
        if !isOvertaken { gathered = Gathered() }
        isOvertaken = false
    }

    /// Applies the gathered frame.
    mutating func takeFrame() -> Change {
        defer { gathered = Gathered() }
        if let number = gathered.frame, number > 0, let alive = gathered.alive {
            closed = (number, alive)
            hasOthers = false
        } else {
            hasOthers = true
        }
        let alive = gathered.alive ?? placed
        if !symbols.isEmpty { symbols = symbols.filter { alive.contains($0.key) } }
        return change(alive: alive)
    }

    /// Applies what a message of 2.0 adds to a frame whose end has overtaken it; nil where it adds
    /// nothing. A contact that did not live then waits, since the tracker may have begun again.
    ///
    /// It is asked for after each message, so the last contact of `order` alone can be one that
    /// lived: those before it wait, and none of them is looked at again.
    mutating func takeRest() -> Change? {
        guard let closed, gathered.frame == closed.number, let id = gathered.order.last,
            closed.alive.contains(id)
        else { return nil }
        var change = Change(lifted: [], placed: [])
        if hasOthers {
            change.lifted = Array(placed.subtracting(closed.alive))
            placed.formIntersection(closed.alive)
            hasOthers = false
        }
        gathered.order.removeLast()
        if gathered.hovering.remove(id) != nil, placed.remove(id) != nil {
            change.lifted.append(id)
        }
        change.lifted.sort()
        if let sight = gathered.places.removeValue(forKey: id) { place(id, sight, &change) }
        return change
    }

    private mutating func change(alive: Set<Int>) -> Change {
        let gone = placed.filter { !alive.contains($0) || gathered.hovering.contains($0) }
        placed.subtract(gone)
        var change = Change(lifted: gone.sorted(), placed: [])
        for id in gathered.order where alive.contains(id) {
            if let sight = gathered.places[id] { place(id, sight, &change) }
        }
        return change
    }

    private mutating func place(_ id: Int, _ sight: Sight, _ change: inout Change) {
        var sight = sight
        if let symbol = sight.mark?.symbol {
            // 0 of 2.0 may be an id, and may stand for none.
            let number = symbol > 0 ? symbol : symbols[id] ?? symbol
            sight.mark?.symbol = number >= 0 ? number : symbol
            guard number >= 0 || symbol >= 0 else { return change.namelessCount += 1 }
        }
        change.placed.append((id, sight, placed.insert(id).inserted))
    }
}
