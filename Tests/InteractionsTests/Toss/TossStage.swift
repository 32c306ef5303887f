import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

typealias TossStage = Stage<Toss>

/// The middle of the view in its frame.
let tossHome = Vector(160, 223)

func tossStage(
    seed: UInt64 = 1, tracker: VelocityTracker.Kind = .uikit,
    _ change: (inout TossParameters) -> Void = { _ in }
) -> TossStage {
    var parameters = TossParameters(viewport: .phone)
    change(&parameters)
    return Stage(Toss(parameters, viewport: .phone, tracker: tracker), seed: seed)
}

extension Stage<Toss> {
    var item: ViewState? { view("item") }

    /// Takes the view in its middle and lets it go there at once.
    mutating func fling(_ velocity: Vector?, as phase: Phase = .ended) throws {
        try pan(.began, tossHome.x, tossHome.y)
        try pan(phase, tossHome.x, tossHome.y, velocity: velocity)
    }

    /// A stage in a phase, away from its frame where that can be.
    static func inPhase(_ phase: String) throws -> TossStage {
        var stage = tossStage()
        switch phase {
        case "dragging":
            try stage.pan(.began, 140, 200)
            try stage.pan(.changed, 180, 260)
            stage.step(20)
        case "thrown":
            try stage.fling(Vector(1_500, 300))
            stage.step(20)
        case "returning":
            try stage.fling(Vector(1_500, 300))
            stage.step(60)
        default: break
        }
        try #require(stage.phase == phase)
        return stage
    }

    static var phases: [String] { ["dragging", "resting", "returning", "thrown"] }
}

/// How far two angles are apart, whole turns aside.
func turn(from a: Double, to b: Double) -> Double {
    abs((a - b).remainder(dividingBy: 2 * Double.pi))
}
