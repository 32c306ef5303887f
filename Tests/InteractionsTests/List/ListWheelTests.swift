import Geometry
import Gestures
import Notation
import TestSupport
import Testing

@testable import Interactions

/// A wheel on twenty rows of 70 in a viewport of 568: offsets of 0…832.
@Suite struct ListWheelTests {
    /// Beyond an edge by x a drag shows d · (1 − 1/(1 + 0.55 · x/d)).
    private func band(_ pull: Double) -> Double { 568 * (1 - 1 / (1 + 0.55 * pull / 568)) }

    private func isNear(_ offset: Double?, _ expected: Double) -> Bool {
        offset.map { abs($0 - expected) < 1e-9 } ?? false
    }

    @Test func withoutPhasesItScrollsWithinTheEdges() throws {
        var stage = listStage()
        try stage.wheel(35)
        #expect(stage.offset == 35 && stage.needsPublish)
        try stage.wheel(-20.5, dx: 9)
        #expect(stage.offset == 14.5)
        try stage.wheel(-100)
        #expect(stage.offset == 0)
        try stage.wheel(-100)
        #expect(stage.offset == 0 && !stage.needsPublish)
        try stage.wheel(5_000)
        #expect(stage.offset == 832)
        for _ in 0..<1_000 { try stage.wheel(1_000_000) }
        try stage.wheel(-32)
        #expect(stage.offset == 800 && stage.told.isEmpty && !stage.machine.isMoving)
    }

    @Test(arguments: [0, 8])
    func aShortListStays(rows: Int) throws {
        var stage = listStage(rows: rows)
        try stage.wheel(50)
        #expect(stage.offset == 0 && stage.machine.nextTimer != nil)
    }

    @Test func aSeriesEndsEighteenStepsAfterItsLastEvent() throws {
        var stage = listStage()
        try stage.wheel(10)
        stage.step(17)
        try stage.wheel(10)
        #expect(stage.machine.nextTimer == stage.now + 18)
        stage.step(17)
        #expect(stage.machine.nextTimer == stage.now + 1)
        stage.step()
        #expect(stage.machine.nextTimer == nil && stage.offset == 20 && !stage.machine.isMoving)
    }

    /// A new series closes; what belongs to an older one does not.
    @Test func theBeginningOfASeriesClosesTheOpenRow() throws {
        var stage = listStage()
        try stage.wheel(10)
        stage.step(10)
        try stage.swipe(.left, row: 3)
        for _ in 0..<3 {
            stage.step(10)
            try stage.wheel(1)
        }
        #expect(stage.phase == "open", "it was open while the series went on")
        stage.step(18)
        try stage.wheel(1)
        #expect(stage.phase == "closing" && stage.offset == 14)
        stage.step(80)
        try stage.swipe(.left, row: 3)
        stage.step(24)
        try stage.wheel(0, .began)
        #expect(stage.phase == "closing" && stage.offset == 14)
    }

    /// An event across is none for a list.
    @Test func acrossNothingHappens() throws {
        var stage = try ListStage.inPhase("open")
        let before = stage.machine
        try stage.wheel(0, dx: 40)
        #expect(stage.machine == before && !stage.needsPublish)
    }

    @Test func withPhasesItStretchesAndSpringsBack() throws {
        var stage = listStage()
        try stage.wheel(0, .began)
        #expect(stage.offset == 0 && !stage.needsPublish)
        try stage.wheel(30, .changed)
        #expect(stage.offset == 30 && stage.needsPublish)
        try stage.wheel(-100, .changed)
        #expect(isNear(stage.offset, -band(70)))
        try stage.wheel(-30, .changed)
        #expect(isNear(stage.offset, -band(100)))
        try stage.wheel(-50, .ended)
        #expect(isNear(stage.offset, -band(150)) && stage.machine.isMoving)
        stage.step()
        #expect(try #require(stage.offset) > -band(150), "it springs back without a velocity")
        let steps = try #require(stage.steps { !$0.machine.isMoving })
        #expect(stage.offset == 0 && steps < 120 && stage.machine.nextTimer == nil)
    }

    @Test(arguments: [Phase.ended, .cancelled])
    func letGoInsideItStays(phase: Phase) throws {
        var stage = listStage()
        try stage.wheel(100, .began)
        try stage.wheel(100, phase)
        #expect(stage.offset == 200 && !stage.machine.isMoving)
        let code = refusal { () throws(Rejection) in try stage.wheel(1, .changed) }
        #expect(code == .outOfOrder && stage.offset == 200)
    }

    /// At the other end; a single event pulls as far as its points say, and never a viewport.
    @Test(arguments: [1, 400, 1_000_000] as [Double])
    func noWheelPullsAWholeViewport(way: Double) throws {
        var stage = listStage()
        try stage.wheel(832, .began)
        try stage.wheel(way, .changed)
        #expect(isNear(stage.offset, 832 + band(way)))
        for _ in 0..<200 { try stage.wheel(1_000_000, .changed) }
        #expect(try #require(stage.offset) < 832 + 568)
        #expect(stage.machine.isSound(viewport: .phone, tracker: .uikit))
        // The way back is as long as one event can be.
        try stage.wheel(-1_000_000, .changed)
        #expect(isNear(stage.offset, 832))
    }

    @Test func silenceOfThreeSecondsEndsItAndItSpringsBack() throws {
        var stage = listStage()
        try stage.wheel(-80, .began)
        stage.step(359)
        #expect(isNear(stage.offset, -band(80)) && !stage.machine.isMoving)
        stage.step()
        #expect(stage.machine.isMoving)
        _ = stage.steps { !$0.machine.isMoving }
        #expect(stage.offset == 0 && stage.machine.nextTimer == nil)
    }

    @Test func itEndsAFling() throws {
        var stage = listStage()
        try stage.fling()
        stage.step(20)
        let offset = try #require(stage.offset)
        try stage.wheel(5)
        #expect(isNear(stage.offset, offset + 5) && !stage.machine.isMoving)
    }

    /// From where the client left it, even beyond an edge.
    @Test(arguments: [(-40.0, 60.0, 20.0), (-40, 10, 0), (900, -1, 832), (50, 1, 51)])
    func itEndsAClientsScroll(offset: Double, way: Double, shown: Double) throws {
        var stage = listStage()
        try stage.scroll(.began, offset)
        try stage.wheel(way)
        #expect(stage.offset == shown)
        let code = refusal { () throws(Rejection) in try stage.scroll(.changed, 9) }
        #expect(code == .outOfOrder)
    }

    @Test func aClientsScrollAndACommandEndItsSeries() throws {
        for ending in 0..<2 {
            var stage = listStage()
            try stage.wheel(-80, .began)
            if ending == 0 {
                try stage.scroll(.began, 12)
                try stage.scroll(.ended, 12)
            } else {
                try stage.command("scroll-to-top")
            }
            #expect(stage.machine.nextTimer == nil && stage.offset == (ending == 0 ? 12 : 0))
            for phase in [Phase.changed, .ended, .cancelled] {
                let code = refusal { () throws(Rejection) in try stage.wheel(5, phase) }
                #expect(code == .outOfOrder)
            }
        }
    }

    // MARK: Momentum

    @Test func momentumScrollsWithinTheEdges() throws {
        var stage = listStage()
        try stage.wheel(100, .began)
        try stage.wheel(0, .ended)
        for phase in [Phase.began, .changed, nil, .ended] as [Phase?] {
            try stage.wheel(10, phase, isMomentum: true)
        }
        #expect(stage.offset == 140)
        try stage.wheel(-500, .changed, isMomentum: true)
        #expect(stage.offset == 0)
        stage.step(18)
        #expect(stage.machine.nextTimer == nil)
    }

    @Test func momentumLeavesASpringAlone() throws {
        var stage = listStage()
        try stage.wheel(-80, .began)
        try stage.wheel(0, .ended)
        stage.step(3)
        let before = stage.machine
        try stage.wheel(-30, .changed, isMomentum: true)
        try stage.wheel(30, isMomentum: true)
        #expect(stage.machine == before && !stage.needsPublish && stage.machine.isMoving)
    }

    // MARK: Contacts

    @Test func aContactThatDragsRefusesWheels() throws {
        var stage = listStage()
        stage.touch(.down(middle))
        try stage.drag(.began, 0)
        try stage.drag(.changed, -50)
        let before = stage.machine
        for (phase, isMomentum) in [(nil, false), (.began, false), (nil, true), (.ended, true)]
            as [(Phase?, Bool)]
        {
            let code = refusal { () throws(Rejection) in
                try stage.wheel(5, phase, isMomentum: isMomentum)
            }
            #expect(code == .busy && stage.machine == before)
        }
        let code = refusal { () throws(Rejection) in try stage.wheel(5, .changed) }
        #expect(code == .outOfOrder)
        try stage.drag(.changed, -60)
        #expect(stage.offset == 60)
    }

    /// A contact that only lies there moves nothing and stops nothing; once it drags, it wins.
    @Test(arguments: [nil, Phase.began])
    func aContactTakesOverWhenItDrags(phase: Phase?) throws {
        var stage = listStage()
        try stage.wheel(100, phase)
        stage.touch(.down(middle))
        try stage.wheel(20, phase == nil ? nil : .changed)
        #expect(stage.offset == 120)
        try stage.drag(.began, 0)
        try stage.drag(.changed, -7)
        #expect(stage.offset == 127)
        let code = refusal { () throws(Rejection) in try stage.wheel(20, .changed) }
        #expect(code == .outOfOrder)
        stage.step(30)
        try stage.drag(.ended, -7)
        stage.touch(.up)
        #expect(stage.offset == 127 && !stage.machine.isMoving && stage.machine.nextTimer == nil)
    }

    /// A drag that a command ended does not go on in a wheel's series.
    @Test func aDragThatIsOverMovesNoWheelsContent() throws {
        var stage = listStage()
        try stage.drag(.began, 0)
        try stage.command("scroll-to-top")
        try stage.wheel(50, .began)
        for phase in [Phase.changed, .ended, .cancelled] {
            let code = refusal { () throws(Rejection) in try stage.drag(phase, -300) }
            #expect(code == .outOfOrder && stage.offset == 50)
        }
        try stage.wheel(1, .changed)
        #expect(stage.offset == 51)
    }

    /// A contact that caught content beyond an edge, and lifts after a wheel took it from there.
    @Test func aHeldContentCanBeTurnedAway() throws {
        var stage = listStage()
        try stage.hold()
        #expect(try #require(stage.offset) < 0)
        try stage.wheel(300)
        let offset = try #require(stage.offset)
        #expect(offset > 0 && offset < 300)
        stage.touch(.up)
        #expect(stage.offset == offset && !stage.machine.isMoving)
    }

    // MARK: Documents

    @Test(arguments: [nil, Phase.began])
    func inTheMidstOfASeriesItIsEncodedAndGoesOn(phase: Phase?) throws {
        var stage = listStage()
        try stage.wheel(-40, phase)
        try stage.wheel(30, phase == nil ? nil : .changed)
        let parameters = ListParameters(rows: 20)
        let back = try parameters.decode(List.self, Node(encoding: stage.machine))
        #expect(back == stage.machine && back.nextTimer == stage.machine.nextTimer)
        #expect(back.isSound(viewport: .phone, tracker: .uikit))
    }
}
