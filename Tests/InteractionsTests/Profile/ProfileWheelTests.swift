import Geometry
import Gestures
import Notation
import TestSupport
import Testing

@testable import Interactions

/// A wheel on a content of 1,200 in a viewport of 568: offsets of 0…632.
@Suite struct ProfileWheelTests {
    private func band(_ pull: Double) -> Double { 568 * (1 - 1 / (1 + 0.55 * pull / 568)) }

    @Test func withoutPhasesTheHeaderFollowsWithinTheEdges() throws {
        var stage = try profile(at: 0)
        try stage.wheel(60)
        #expect(stage.offset == 60 && stage.needsPublish && stage.phase == "collapsed")
        try stage.wheel(60)
        #expect(stage.offset == 120 && stage.phase == "titled")
        try stage.wheel(-500)
        #expect(stage.offset == 0 && stage.phase == "expanded")
        try stage.wheel(-500)
        #expect(stage.offset == 0 && !stage.needsPublish)
        #expect(
            stage.lines(since: 0) == [
                "collapse began", "title began", "title ended", "collapse ended",
            ])
        try stage.wheel(9_000)
        #expect(stage.offset == 632)
        stage.step(17)
        #expect(stage.machine.nextTimer == stage.now + 1)
        stage.step()
        #expect(stage.machine.nextTimer == nil && !stage.machine.isMoving && stage.offset == 632)
    }

    @Test(arguments: [Phase.ended, .cancelled])
    func withPhasesItIsPulledAndSpringsBack(phase: Phase) throws {
        var stage = try profile(at: 0)
        try stage.wheel(0, .began)
        try stage.wheel(-90, .changed)
        #expect(abs(stage.offset + band(90)) < 1e-9 && stage.phase == "pulled")
        stage.step(100)
        #expect(abs(stage.offset + band(90)) < 1e-9)
        #expect(stage.machine.saved.offset == 0, "it would settle at the edge")
        try stage.wheel(-10, phase)
        #expect(abs(stage.offset + band(100)) < 1e-9 && stage.machine.isMoving)
        _ = stage.steps { !$0.machine.isMoving }
        #expect(stage.offset == 0 && stage.phase == "expanded")
        #expect(stage.lines(since: 0) == ["pull began", "pull ended"])
    }

    @Test func silenceEndsASeriesWithPhases() throws {
        var stage = try profile(at: 632)
        try stage.wheel(100, .began)
        stage.step(359)
        #expect(abs(stage.offset - 632 - band(100)) < 1e-9)
        stage.step()
        #expect(stage.machine.isMoving)
        _ = stage.steps { !$0.machine.isMoving }
        #expect(stage.offset == 632)
    }

    /// The client's offset replaces the wheel's in any phase.
    @Test(arguments: Phase.allCases)
    func aClientsScrollEndsItsSeries(phase: Phase) throws {
        var stage = try profile(at: 0)
        try stage.wheel(-50, .began)
        try stage.scroll(phase, 33)
        #expect(stage.offset == 33 && stage.machine.nextTimer == nil)
        let code = refusal { () throws(Rejection) in try stage.wheel(1, .changed) }
        #expect(code == .outOfOrder && stage.offset == 33)
    }

    @Test func aContactThatDragsRefusesIt() throws {
        var stage = try profile(at: 100)
        stage.touch(.down(Vector(160, 300)))
        try stage.wheel(10)
        #expect(stage.offset == 110, "a contact that only lies there does not")
        try stage.drag(.began, 0)
        #expect(stage.machine.nextTimer == nil)
        let code = refusal { () throws(Rejection) in try stage.wheel(10) }
        #expect(code == .busy && stage.offset == 110)
    }

    @Test func momentumLeavesASpringAlone() throws {
        var stage = try profile(at: 0)
        try stage.wheel(-90, .began)
        try stage.wheel(0, .ended)
        let before = stage.machine
        try stage.wheel(-9, .began, isMomentum: true)
        #expect(stage.machine == before)
        _ = stage.steps { !$0.machine.isMoving }
        try stage.wheel(9, .changed, isMomentum: true)
        #expect(stage.offset == 9)
    }

    @Test(arguments: [nil, Phase.began])
    func inTheMidstOfASeriesItIsEncodedAndGoesOn(phase: Phase?) throws {
        var stage = try profile(at: 10)
        try stage.wheel(-40, phase)
        let parameters = ProfileParameters(viewport: .phone)
        let back = try parameters.decode(Profile.self, Node(encoding: stage.machine))
        #expect(back == stage.machine && back.nextTimer == stage.machine.nextTimer)
        #expect(back.isSound(viewport: .phone, tracker: .uikit))
    }
}
