import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

typealias TipsStage = Stage<Tips>

/// The middle of the viewport.
let middle = Vector(160, 284)

/// Phases by letters of their own, since three begin with a d.
let tipsLetters: [String: Character] = [
    "dismissed": ".", "presenting": "p", "entering": "e", "resting": "r", "dragging": "D",
    "returning": "b", "leaving": "l", "dismissing": "x",
]

func tipsStage(
    _ count: Int = 3, seed: UInt64 = 1, _ change: (inout TipsParameters) -> Void = { _ in }
) -> TipsStage {
    var parameters = TipsParameters.counting(count)
    change(&parameters)
    return Stage(Tips(parameters, viewport: .phone, tracker: .uikit), seed: seed)
}

extension TipsParameters {
    /// Read from a component's table.
    init(_ table: Sheet, viewport: Size) throws {
        var reader = try TableReader(table.node, path: "component tips")
        try self.init(&reader, viewport: viewport)
    }
}

extension Stage<Tips> {
    var tip: ViewState? { view("tip") }
    var backdrop: ViewState? { view("backdrop") }
    var index: Picture.Value? { field("index") }

    /// Steps until a phase is reached.
    @discardableResult
    mutating func run(to phase: String) -> Int? { steps(until: { $0.phase == phase }) }

    /// Lets the tip that rests go at `offset` from the middle, by a finger that jumps there.
    mutating func release(at offset: Double, as phase: Phase = .ended) throws {
        try pan(.began, middle.x, middle.y)
        try pan(phase, middle.x + offset, middle.y)
    }

    /// A stage in a phase, reached as a user would; the first of three tips.
    static func inPhase(_ phase: String) throws -> TipsStage {
        var stage = tipsStage()
        if phase == "presenting" {
            stage.step(10)
            return stage
        }
        if phase == "entering" {
            stage.step(50)
            return stage
        }
        stage.run(to: "resting")
        switch phase {
        case "dragging": try stage.pan(.began, 150, 270)
        case "returning": try stage.release(at: 40)
        case "leaving": try stage.release(at: -140)
        case "dismissing", "dismissed": try stage.command("dismiss")
        default: break
        }
        if phase == "dismissed" {
            stage.run(to: phase)
        } else if phase != "resting" {
            stage.step(5)
        }
        try #require(stage.phase == phase)
        return stage
    }

    static var phases: [String] { tipsLetters.keys.sorted() }
}
