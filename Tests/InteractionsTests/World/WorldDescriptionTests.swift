import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// A world described after many events is that world again.
@Suite struct WorldDescriptionTests {
    private static let card: Sheet = ["id": "card", "center": [160, 284], "size": [100, 60]]

    private static let ties: [Sheet] = [
        ["type": "distance", "anchor": [160, 100], "frequency": 1],
        ["type": "distance", "to": "other", "frequency": 1],
        ["type": "limit", "anchor": [160, 100]],
        ["type": "pin", "anchor": [130, 284], "offset": [-30, 0], "range": [0, 0.7]],
        ["type": "sliding", "to": "other", "axis": [0, 1]],
    ]

    private func world(_ behaviors: [Sheet], items: [Sheet] = [card]) throws -> WorldStage {
        try worldStage(["items": Sheet(items), "behaviors": Sheet(behaviors)])
    }

    private func again(_ stage: WorldStage) -> WorldStage {
        Stage(World(stage.machine.description, viewport: .phone, tracker: .uikit))
    }

    private func gravity(_ id: String, _ dx: Double, _ dy: Double) -> Sheet {
        ["id": Sheet(id), "kind": "gravity", "items": ["card"], "dx": Sheet(dx), "dy": Sheet(dy)]
    }

    @Test func theGravityThatWasWrittenLastPulls() throws {
        var stage = try world([gravity("down", 0, 1), gravity("right", 1, 0)])
        try stage.command("set", ["behavior": "down", "values": ["magnitude": 2]])
        var copy = again(stage)
        stage.step(60)
        copy.step(60)
        #expect(copy.picture.views == stage.picture.views)
        #expect(copy.view("card")?.center.x.rounded() == 160)
    }

    /// A removed gravity takes the vector of all with it, and what hovers then goes on hovering.
    @Test func noGravityPullsAfterOneWasRemoved() throws {
        var stage = try world([gravity("down", 0, 1), gravity("right", 1, 0)])
        try stage.command("remove-behavior", ["behavior": "right"])
        var copy = again(stage)
        copy.step(120)
        #expect(copy.view("card")?.center == Vector(160.0, 284.0))
        // The direction is kept for a magnitude to come.
        try copy.command("set", ["behavior": "down", "values": ["magnitude": 1]])
        copy.step(10)
        #expect(try #require(copy.view("card")).center.y > 284)
        #expect(copy.view("card")?.center.x.rounded() == 160)
    }

    /// Lengths, ranges and axes stay as they were when the scene was opened.
    @Test(arguments: ties)
    func initialLengthsRangesAndAxesDoNotFollowTheItems(keys: Sheet) throws {
        let other: Sheet = ["id": "other", "center": [60, 284], "size": [40, 40]]
        var tie = keys
        (tie["id"], tie["kind"], tie["item"]) = ("tie", "attachment", "card")
        var stage = try world(
            [gravity("gravity", 0.3, 0.5), tie], items: [Self.card, other])
        for (name, x) in [("card", 150.0), ("other", 60)] {
            let place: Sheet = ["center": [Sheet(x), 240], "rotation": 0.5]
            try stage.command("set", ["item": Sheet(name), "values": place])
        }
        var copy = again(stage)
        for step in 0..<240 {
            stage.step()
            copy.step()
            for name in ["card", "other"] {
                let first = try #require(stage.view(name))
                let second = try #require(copy.view(name))
                #expect((first.center - second.center).length < 1e-6, "\(name) at \(step)")
                #expect(abs(first.rotation - second.rotation) < 1e-6, "\(name) at \(step)")
            }
        }
    }

    /// An item further away than a command can put it can still be changed and described.
    @Test func anItemThatFellOutOfReachCanBeMovedBack() throws {
        var stage = try world([gravity("down", 0, 1)])
        stage.step(120 * 115)
        #expect(try #require(stage.view("card")).center.y > 1_000_000)
        try stage.command("set", ["item": "card", "values": ["rotation": 1]])
        let center = try #require(stage.view("card")).center
        #expect(stage.view("card")?.rotation == 1 && center.y > 1_000_000)
        try stage.command("set", ["item": "card", "values": ["center": [10, 20]]])
        #expect(stage.view("card")?.center == Vector(10.0, 20.0))
    }
}
