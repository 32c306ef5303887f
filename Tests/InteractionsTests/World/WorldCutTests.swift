import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

@Suite struct WorldCutTests {
    private func cut(_ stage: WorldStage) -> Int? { stage.view("card")?.cut }

    @Test(
        arguments: [
            (["center": [170, 284]], 1), (["rotation": 0.5], 1), (["scale": 2], 1),
            (["center": [170, 284], "rotation": 0.5, "scale": 2], 1),
            (["size": [90, 60]], 0), (["center": [160, 284], "rotation": 0, "scale": 1], 0),
            ([:], 0),
        ] as [(Sheet, Int)])
    func whatIsSetIsPlacedAnew(values: Sheet, cuts: Int) throws {
        var stage = try worldStage(cardAtHome)
        #expect(stage.settle() != nil && cut(stage) == 0)
        for round in 1...2 {
            try stage.command("set", ["item": "card", "values": values])
            #expect(cut(stage) == cuts)
            // It moves back to its home.
            if round == 1 { #expect(stage.settle() != nil && cut(stage) == cuts) }
            if values["center"] == nil { break }
            guard cuts > 0 else { continue }
            try stage.command("set", ["item": "card", "values": ["center": [100, 100]]])
            #expect(cut(stage) == 2)
            break
        }
    }

    @Test func aRefusedSetCutsNothing() throws {
        var stage = try worldStage(cardAtHome)
        let values: Sheet = ["center": [1, 1], "scale": 0]
        #expect(
            refusal { () throws(Rejection) in
                try stage.command("set", ["item": "card", "values": values])
            } == .badValue)
        #expect(cut(stage) == 0)
    }

    @Test func anItemThatIsAddedAgainHasAnotherCut() throws {
        var stage = try worldStage(cardAtHome)
        for round in 1...3 {
            try stage.command("remove-item", ["item": "card"])
            #expect(cut(stage) == nil)
            try stage.command(
                "add-item", ["item": ["id": "card", "center": [1, 2], "size": [3, 4]]])
            #expect(cut(stage) == round)
        }
        try stage.command("add-item", ["item": ["id": "new", "center": [1, 2], "size": [3, 4]]])
        #expect(stage.view("new")?.cut == 0)
    }

    /// Fingers move what they hold, however far they jump.
    @Test func whatFingersMoveIsNotCut() throws {
        var stage = try worldStage(cardAtHome)
        try stage.pan(.began, 160, 284)
        try stage.pan(.changed, 20, 30)
        stage.step(10)
        try stage.pan(.ended, 20, 30)
        stage.step(30)
        let place = try #require(stage.view("card")).center
        try stage.pinch(.began, place, 1)
        try stage.pinch(.ended, place, 3)
        try stage.turn(.began, place, 0)
        try stage.turn(.ended, place, 2)
        #expect(stage.settle() != nil && stage.view("card")?.scale == 3 && cut(stage) == 0)
    }
}
