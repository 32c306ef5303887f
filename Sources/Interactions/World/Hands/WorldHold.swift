import Dynamics
import Geometry
import Gestures

/// The items that hands hold: each hand pans, pinches and turns, or has its item placed.
struct WorldHold: Hashable, Sendable {
    /// An item that hangs on a finger.
    struct Grip: Hashable, Sendable, Codable {
        /// Nil: the shared one.
        private let ownHand: Hand?
        let item: String
        var drag: Drag
        let attachment: BehaviorID

        private enum CodingKeys: String, CodingKey {
            case ownHand = "hand"
            case item, drag, attachment
        }

        init(_ hand: Hand, item: String, drag: Drag, attachment: BehaviorID) {
            ownHand = hand == .shared ? nil : hand
            self.item = item
            self.drag = drag
            self.attachment = attachment
        }

        var hand: Hand { ownHand ?? .shared }
    }

    /// An item that two fingers change, with its value when they began.
    struct Pair: Hashable, Sendable, Codable {
        /// Nil: the shared one.
        private let ownHand: Hand?
        let item: String
        /// Its scale, or its rotation in radians.
        let base: Double
        var lastSample: Step

        private enum CodingKeys: String, CodingKey {
            case ownHand = "hand"
            case item, base, lastSample
        }

        init(_ hand: Hand, item: String, base: Double, lastSample: Step) {
            ownHand = hand == .shared ? nil : hand
            self.item = item
            self.base = base
            self.lastSample = lastSample
        }

        var hand: Hand { ownHand ?? .shared }
        var deadline: Step { lastSample + Silence.stepsMax }
    }

    /// An item that stands where two fingers or more say, at each step.
    struct Placement: Hashable, Sendable, Codable {
        /// Center in points, rotation in radians.
        struct Pose: Hashable, Sendable, Codable {
            var center: Vector
            var rotation: Double
            /// 1 for a group, which has one size.
            var scale: Double

            /// Whether more lies between two than a number of points, radians or multiples.
            func isFar(from other: Pose, _ most: Double) -> Bool {
                (center - other.center).length > most
                    || (rotation - other.rotation).magnitude > most
                    || (scale - other.scale).magnitude > most
            }
        }

        let hand: Hand
        let item: String
        /// Its pose when these fingers began.
        var base: Pose
        /// Its pose now.
        var pose: Pose
        var lastSample: Step

        var deadline: Step { lastSample + Silence.stepsMax }

        /// The item is at another pose: what the fingers have done is kept, and the base is where
        /// it would have led to this one.
        mutating func goOn(from now: Pose) {
            let (sine, cosine) = Angle.sineCosine(base.rotation - pose.rotation)
            let way = (now.center - pose.center).rotated(sine: sine, cosine: cosine)
            base.center += way * (base.scale / pose.scale)
            base.rotation += now.rotation - pose.rotation
            base.scale *= now.scale / pose.scale
            pose = now
        }
    }

    var grips: [Grip] = []
    var pinches: [Pair] = []
    var turns: [Pair] = []
    var placements: [Placement] = []

    var isEmpty: Bool {
        grips.isEmpty && placements.isEmpty && pinches.isEmpty && turns.isEmpty
    }

    /// The hands with the items that they hold. A hand may be there more than once, as it may pinch
    /// and turn.
    var hands: [(hand: Hand, item: String)] {
        var hands: [(hand: Hand, item: String)] = []
        for grip in grips { hands.append((grip.hand, grip.item)) }
        for placement in placements { hands.append((placement.hand, placement.item)) }
        for pair in pinches { hands.append((pair.hand, pair.item)) }
        for pair in turns { hands.append((pair.hand, pair.item)) }
        return hands
    }

    /// The items that hands hold.
    var items: [String] { hands.map(\.item) }

    /// A hand that does not drag an item lets it go.
    mutating func remove(_ hand: Hand, from item: String) {
        if let place = placement(of: hand), placements[place].item == item {
            placements.remove(at: place)
        }
        if let place = pinch(of: hand), pinches[place].item == item { pinches.remove(at: place) }
        if let place = turn(of: hand), turns[place].item == item { turns.remove(at: place) }
    }

    /// The item that is told as the one that is dragged.
    var dragged: String? {
        grips.first?.item ?? placements.first { !$0.hand.isObject }?.item
    }

    /// The first step at which a finger's silence is too long; never: no finger.
    var deadline: Step {
        var deadline = Step.never
        for grip in grips { deadline = min(deadline, grip.drag.deadline) }
        for pair in pinches { deadline = min(deadline, pair.deadline) }
        for pair in turns { deadline = min(deadline, pair.deadline) }
        for placement in placements { deadline = min(deadline, placement.deadline) }
        return deadline
    }

    func grip(of hand: Hand) -> Int? { grips.firstIndex { $0.hand.isSame(as: hand) } }
    func pinch(of hand: Hand) -> Int? { pinches.firstIndex { $0.hand.isSame(as: hand) } }
    func turn(of hand: Hand) -> Int? { turns.firstIndex { $0.hand.isSame(as: hand) } }
    func placement(of hand: Hand) -> Int? {
        placements.firstIndex { $0.hand.isSame(as: hand) }
    }
}

/// The keys are a file format. One value stands alone, as before there were several hands.
extension WorldHold: Codable {
    private enum CodingKeys: String, CodingKey { case grip, pinch, turn, placed }

    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        func values<Value: Decodable>(_ key: CodingKeys) throws -> [Value] {
            guard table.contains(key) else { return [] }
            if let one = try? table.decode(Value.self, forKey: key) { return [one] }
            return try table.decode([Value].self, forKey: key)
        }
        grips = try values(.grip)
        pinches = try values(.pinch)
        turns = try values(.turn)
        placements = try values(.placed)
    }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        func encode<Value: Encodable>(_ values: [Value], _ key: CodingKeys) throws {
            if values.count == 1 {
                try table.encode(values[0], forKey: key)
            } else if !values.isEmpty {
                try table.encode(values, forKey: key)
            }
        }
        try encode(grips, .grip)
        try encode(pinches, .pinch)
        try encode(turns, .turn)
        try encode(placements, .placed)
    }
}
