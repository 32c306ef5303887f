import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

typealias WorldStage = Stage<World>

func worldStage(_ table: Sheet) throws -> WorldStage {
    Stage(World(try WorldParameters(table.node), viewport: .phone, tracker: .uikit))
}

/// A card that is drawn to the middle of the viewport, where it rests.
let cardAtHome: Sheet = [
    "items": [["id": "card", "center": [160, 284], "size": [100, 60]]],
    "behaviors": [
        ["id": "home", "kind": "snap", "item": "card", "point": [160, 284], "damping": 1]
    ],
]

/// The message of a refused command.
func objection(_ body: () throws(Rejection) -> Void) -> String? {
    do throws(Rejection) {
        try body()
        return nil
    } catch {
        return "\(error.code.rawValue): \(error.message)"
    }
}

extension Stage<World> {
    mutating func command(_ name: String, _ body: Sheet = [:]) throws(Rejection) {
        try command(name, members: body.members)
    }

    mutating func pinch(_ phase: Phase, _ location: Vector?, _ scale: Double) throws(Rejection) {
        try gesture(.pinch(Pinch(phase: phase, location: location, scale: scale)))
    }

    mutating func turn(_ phase: Phase, _ location: Vector?, _ angle: Double) throws(Rejection) {
        try gesture(.rotation(Rotation(phase: phase, location: location, angle: angle)))
    }

    mutating func token(
        _ phase: Phase, _ symbol: Int, _ location: Vector, _ angle: Double = 0
    ) throws(Rejection) {
        try gesture(
            .token(Token(phase: phase, symbol: symbol, location: location, angle: angle)))
    }

    /// Steps until everything rests.
    mutating func settle(limit: Int = 1_200) -> Int? {
        steps(until: { $0.phase == "resting" }, limit: limit)
    }
}
