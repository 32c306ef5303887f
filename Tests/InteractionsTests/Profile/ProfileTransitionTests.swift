import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

@Suite struct ProfileTransitionTests {
    /// The transitions of one event from one offset to another, in the order of passing.
    @Test(
        arguments: [
            (0, 30, []), (0, 40, []), (0, 41, ["collapse began"]), (41, 40, ["collapse ended"]),
            (0, 95, ["collapse began"]), (0, 96, ["collapse began", "title began"]),
            (96, 95, ["title ended"]), (96, 40, ["title ended", "collapse ended"]),
            (0, -1, ["pull began"]), (-1, 0, ["pull ended"]), (-1, -500, []),
            (-1, 41, ["pull ended", "collapse began"]),
            (-60, 200, ["pull ended", "collapse began", "title began"]),
            (200, -60, ["title ended", "collapse ended", "pull began"]),
            (41, 95, []), (96, 1_000_000, []), (41, 41, []),
        ] as [(Double, Double, [String])])
    func boundariesAreReportedInTheOrderOfPassing(from: Double, to: Double, told: [String]) throws {
        var stage = try profile(at: from)
        let mark = stage.told.count
        try stage.gesture(.scroll(Scroll(phase: .changed, offset: to)))
        #expect(stage.lines(since: mark) == told)
        #expect(stage.needsPublish == (from != to))
    }

    /// A label that shows before the header stops is passed before it.
    @Test(
        arguments: [
            (0, 60, ["title began", "collapse began"]), (60, 0, ["collapse ended", "title ended"]),
            (-5, 60, ["pull ended", "title began", "collapse began"]),
            (60, -5, ["collapse ended", "title ended", "pull began"]),
        ] as [(Double, Double, [String])])
    func theBoundariesOrderIsTheParameters(from: Double, to: Double, told: [String]) throws {
        var stage = try profile(at: from) { $0.labelOffset = 20 }
        let mark = stage.told.count
        try stage.gesture(.scroll(Scroll(phase: .changed, offset: to)))
        #expect(stage.lines(since: mark) == told)
    }

    /// Phases come in any order; each counts.
    @Test func everyPhaseIsTaken() throws {
        var stage = try profile(at: 0)
        for (index, phase) in [Phase.ended, .changed, .cancelled, .began, .began].enumerated() {
            try stage.gesture(.scroll(Scroll(phase: phase, offset: Double(index + 1) * 30)))
            #expect(stage.field("offset") == .points(Double(index + 1) * 30))
        }
        #expect(stage.lines(since: 0) == ["collapse began", "title began"])
    }

    @Test func itKnowsNothingElse() throws {
        var stage = try profile(at: 50)
        let before = stage.machine
        let pan = refusal { () throws(Rejection) in try stage.pan(.began, 3, 3) }
        let command = refusal { () throws(Rejection) in try stage.command("reset") }
        #expect(pan == .unknownGesture && command == .unknownCommand)
        #expect(stage.machine == before)
    }
}
