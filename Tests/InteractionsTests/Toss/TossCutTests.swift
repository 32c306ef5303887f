import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

@Suite struct TossCutTests {
    @Test func whatIsDraggedThrownAndReturnsIsMoved() throws {
        var stage = tossStage()
        for velocity in [Vector(1_500, 300), Vector(20, 0)] {
            try stage.fling(velocity)
            #expect(stage.item?.cut == 0)
            _ = stage.steps { $0.phase == "resting" }
            #expect(stage.item?.cut == 0)
        }
        #expect(try TossStage.inPhase("dragging").view("touch")?.cut == 0)
    }

    @Test func aReturnOfNoTimeIsACut() throws {
        var stage = tossStage { $0.returnDuration = 0 }
        try stage.fling(Vector(1_500, 300))
        stage.step(47)
        #expect(stage.item?.cut == 0)
        stage.step()
        #expect(stage.phase == "resting" && stage.item?.cut == 1)
        // The view is at home already.
        try stage.pan(.began, tossHome.x, tossHome.y)
        try stage.pan(.cancelled, tossHome.x, tossHome.y)
        #expect(stage.item?.cut == 1)
    }
}
