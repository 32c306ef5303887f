import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// The marks of the finger's first and present place.
@Suite struct TossMarkerTests {
    @Test(arguments: [
        ("dragging", [false, true, false, false]), ("always", [true, true, true, true]),
        ("never", [false, false, false, false]),
    ])
    func theyAreShownAsTheSceneSays(markers: String, shown: [Bool]) throws {
        let choice = try #require(TossParameters.Markers(rawValue: markers))
        var stage = tossStage { $0.markers = choice }
        var found = [stage.hasMarks]
        try stage.pan(.began, 140, 200)
        try stage.pan(.changed, 180, 260)
        stage.step(5)
        found.append(stage.hasMarks)
        try stage.pan(.ended, 180, 260, velocity: Vector(2_000, 0))
        stage.step(5)
        try #require(stage.phase == "thrown")
        found.append(stage.hasMarks)
        _ = stage.steps { $0.phase == "resting" }
        found.append(stage.hasMarks)
        #expect(found == shown)
    }

    /// They stay where the last finger was; before any they are where the item rests.
    @Test func alwaysTheyAreWhereTheLastFingerWas() throws {
        var stage = tossStage { $0.markers = .always }
        #expect(stage.marks == [tossHome, tossHome])
        try stage.pan(.began, 140, 200)
        #expect(stage.marks == [Vector(140, 200), Vector(140, 200)])
        try stage.pan(.changed, 180, 260)
        #expect(stage.marks == [Vector(140, 200), Vector(180, 260)])
        try stage.pan(.ended, 180, 260, velocity: .zero)
        #expect(stage.phase == "returning")
        #expect(stage.marks == [Vector(140, 200), Vector(180, 260)])
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.marks == [Vector(140, 200), Vector(180, 260)])
        let mark = try #require(stage.view("touch"))
        #expect(mark.size == Size(8, 8) && mark.z == 1 && mark.cut == 0)
        #expect(stage.view("anchor")?.z == 2)
        try stage.fling(Vector(0, 2_000))
        #expect(stage.phase == "thrown" && stage.marks == [tossHome, tossHome])
    }
}

extension Stage<Toss> {
    fileprivate var hasMarks: Bool { view("touch") != nil && view("anchor") != nil }
    fileprivate var marks: [Vector?] { [view("touch")?.center, view("anchor")?.center] }
}
