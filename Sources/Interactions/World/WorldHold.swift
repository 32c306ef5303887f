import Dynamics
import Geometry
import Gestures

/// What fingers do to items: a pan, a pinch and a turn may go on at once.
struct WorldHold: Hashable, Sendable, Codable {
    /// An item that hangs on a finger.
    struct Grip: Hashable, Sendable, Codable {
        let item: String
        var drag: Drag
        let attachment: BehaviorID
    }

    /// An item that two fingers change, from what it was when they began.
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

    /// Whom fingers hold.
    var items: [String] { [grip?.item, pinch?.item, turn?.item].compactMap { $0 } }

    /// When the silence of one of them has lasted too long; never where there is none.
    var deadline: Step {
        min(
            grip?.drag.deadline ?? .never,
            min(pinch?.deadline ?? .never, turn?.deadline ?? .never))
    }
}
