import Geometry

/// One tracker: the frame that is being gathered, and the contacts that it has.
struct TUIOSource: Sendable {
    enum Judgement: Hashable {
        case next, late, restarted
    }

    struct Change {
        var lifted: [Int]
        /// In the order in which the frame set them.
        var placed: [(id: Int, place: Vector, isNew: Bool)]
    }

    let number: Int
    /// When its last message came.
    var heard = 0
    /// Contacts that are alive and have had a place.
    var placed: Set<Int> = []
    /// The last frame that counted; 0: none yet.
    private var lastFrame = 0
    private var gathered = Gathered()

    /// The parts of a frame that is not complete.
    private struct Gathered {
        var frame: Int?
        var alive: Set<Int>?
        var places: [Int: Vector] = [:]
        var order: [Int] = []
        var hovering: Set<Int> = []
    }

    init(number: Int) { self.number = number }

    /// Returns false, and takes nothing, beyond a frame's bound.
    mutating func gather(_ part: TUIOPart) -> Bool {
        switch part.content {
        case .source: break
        case .frame(let number):
            // In 2.0 it begins a frame, and what is left of another one is incomplete.
            if part.version == 2 { gathered = Gathered() }
            gathered.frame = number
        case .alive(let ids): gathered.alive = Set(ids)
        case .set(let id, let place):
            guard note(id) else { return false }
            gathered.places[id] = place
            gathered.hovering.remove(id)
        case .hover(let id):
            guard note(id) else { return false }
            gathered.places[id] = nil
            gathered.hovering.insert(id)
        }
        return true
    }

    private mutating func note(_ id: Int) -> Bool {
        if gathered.places[id] != nil || gathered.hovering.contains(id) { return true }
        guard gathered.order.count < TUIO.aliveMax else { return false }
        gathered.order.append(id)
        return true
    }

    /// Compares the number of the gathered frame with the last one.
    mutating func judge() -> Judgement {
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

    mutating func forgetFrame() { gathered = Gathered() }

    /// Applies the gathered frame.
    mutating func takeFrame() -> Change {
        defer { gathered = Gathered() }
        let alive = gathered.alive ?? placed
        let gone = placed.filter { !alive.contains($0) || gathered.hovering.contains($0) }
        placed.subtract(gone)
        var moved: [(id: Int, place: Vector, isNew: Bool)] = []
        for id in gathered.order where alive.contains(id) {
            guard let place = gathered.places[id] else { continue }
            moved.append((id, place, placed.insert(id).inserted))
        }
        return Change(lifted: gone.sorted(), placed: moved)
    }
}
