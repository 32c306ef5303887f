import Dynamics
import Geometry
import Gestures

/// The fingers' hold on items. A pan, a pinch and a rotation may go on at once.
struct WorldHold: Hashable, Sendable, Codable {
    /// An item that hangs on a finger.
    struct Grip: Hashable, Sendable, Codable {
        let item: String
        var drag: Drag
        let attachment: BehaviorID
    }

    /// An item that two fingers change, with its value when they began.
    struct Pair: Hashable, Sendable, Codable {
        let item: String
        /// Its scale, or its rotation in radians.
        let base: Double
        var lastSample: Step

        var deadline: Step { lastSample + Silence.stepsMax }
    }

    var grip: Grip?
    var pinch: Pair?
    var turn: Pair?

    var isEmpty: Bool { grip == nil && pinch == nil && turn == nil }

    /// The items that fingers hold.
    var items: [String] { [grip?.item, pinch?.item, turn?.item].compactMap { $0 } }

    /// The first step at which a finger's silence is too long; never: no finger.
    var deadline: Step {
        min(
            grip?.drag.deadline ?? .never,
            min(pinch?.deadline ?? .never, turn?.deadline ?? .never))
    }
}
