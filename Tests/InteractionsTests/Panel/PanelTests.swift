import Geometry
import Gestures
import Interactions
import Motion
import Notation
import TestSupport
import Testing

@Suite struct PanelTests {
    // MARK: Letting go

    /// UIScrollView's projection: it goes to the anchor nearest to p + 0.499 v.
    @Test(arguments: [
        (-20.0, 0.0, "low"), (-90, 0, "low"), (-110, 0, "middle"), (-20, -161, "middle"),
        (-20, -159, "low"), (-20, -563, "high"), (-20, -559, "middle"), (-250, 200, "middle"),
        (-250, 320, "low"),
    ])
    func itGoesToTheAnchorNearestToItsProjection(
        way: Double, velocity: Double, anchor: String
    ) throws {
        var stage = panelStage()
        try stage.pan(.began, 160, 520)
        try stage.pan(.changed, 160, 520 + way)
        try stage.pan(.ended, 160, 520 + way, velocity: Vector(0, velocity))
        #expect(stage.phase == "settling" && stage.at == nil && stage.position == 500 + way)
        let arrived = stage.steps { $0.phase == "resting" }
        #expect(arrived != nil && stage.at == anchor)
    }

    /// SwiftUI's spring without a bounce is critically damped: 1 − (1 + ωt) e^−ωt of the way.
    @Test func itSettlesAsSwiftUIsSpring() throws {
        var stage = panelStage()
        try stage.go(to: "high")
        let frequency = 2 * Double.pi / 0.5
        for step in 1...60 {
            stage.step()
            let angle = frequency * Double(step) / 120
            let exact = 100 + 400 * (1 + angle) * Exponential.natural(-angle)
            #expect((stage.position - exact).magnitude < 1e-6, "step \(step)")
        }
    }

    @Test(arguments: [(0.3, true), (0.0, false), (-0.3, false)])
    func aBounceSwingsBeyondItsAnchor(bounce: Double, isBeyond: Bool) throws {
        var stage = panelStage { $0.spring.bounce = bounce }
        try stage.go(to: "middle")
        var highest = 500.0
        for _ in 0..<480 {
            stage.step()
            highest = min(highest, stage.position)
        }
        #expect((highest < 299) == isBeyond && stage.position == 300 && stage.at == "middle")
    }

    /// It begins with the finger's velocity, and an interruption keeps it.
    @Test func nothingJumpsInSpeed() throws {
        var stage = panelStage()
        try stage.drag(by: -60)
        var places = [stage.position]
        for number in 0..<40 {
            stage.step()
            places.append(stage.position)
            if number == 10 { try stage.go(to: "low") }
            if number == 20 { try stage.go(to: "high") }
        }
        let speeds = zip(places, places.dropFirst()).map { ($1 - $0) * 120 }
        #expect((speeds[0] + 600).magnitude < 200, "\(speeds[0]) pt/s after 600")
        // The spring pulls with (2π/0.5)² · 400 pt/s² at the most.
        for (former, next) in zip(speeds, speeds.dropFirst()) {
            #expect((next - former).magnitude < 530, "\(speeds)")
        }
    }

    // MARK: Dragging

    @Test func beyondItsEndsARubberBandStretches() throws {
        var stage = panelStage()
        try stage.drag(.began, 0)
        try stage.drag(.changed, 100)
        let stretched = ScrollPhysics.rubberBand(100, extent: 568)
        #expect((stage.position - 500 - stretched).magnitude < 1e-9)
        // Back by as much, and nothing is lost.
        try stage.drag(.changed, 0)
        #expect((stage.position - 500).magnitude < 1e-9)
        try stage.drag(.changed, -500)
        #expect(stage.position < 100 && stage.position > 0)
    }

    @Test func withoutOvershootItStopsAtItsEnds() throws {
        var stage = panelStage { $0.overshoot = false }
        try stage.drag(.began, 0)
        try stage.drag(.changed, 100)
        #expect(stage.position == 500)
        try stage.drag(.changed, -450)
        #expect(stage.position == 100)
    }

    @Test func aContactStopsItOnItsWayAndLetsItGoOn() throws {
        var stage = panelStage()
        try stage.go(to: "high")
        stage.step(12)
        let place = stage.position
        stage.touch(.down(Vector(160, 400)))
        #expect(stage.phase == "dragging")
        #expect(short(stage.lines(since: 1)) == ["settle cancelled low→high 1.25 spring"])
        stage.step(30)
        #expect(stage.position == place)
        stage.touch(.up)
        #expect(stage.phase == "settling")
        let arrived = stage.steps { $0.phase == "resting" }
        #expect(arrived != nil)
    }

    /// The spring comes to its end long after anybody sees it move: a tap then is a tap.
    @Test func itsLastMotionStopsNoTap() throws {
        var stage = panelStage()
        try stage.go(to: "high")
        var seen = 0
        while stage.machine.isInMotion(at: Vector(160, 400)) {
            stage.step(1)
            seen += 1
        }
        #expect((stage.position - 100).magnitude <= 0.5 && stage.phase == "settling")
        #expect((60..<100).contains(seen), "0.5 to 0.8 s")
        stage.touch(.down(Vector(160, 400)))
        stage.step(1)
        stage.touch(.up)
        #expect(stage.phase == "settling", "nothing has stopped it")
        stage.step(120)
        #expect(stage.at == "high")
    }

    @Test func aSilentPublisherLetsGo() throws {
        var stage = panelStage()
        try stage.pan(.began, 160, 520)
        try stage.pan(.changed, 160, 290)
        stage.step(Silence.stepsMax + 1)
        #expect(stage.phase == "settling")
    }

    @Test func aHandleAloneDragsIt() throws {
        var stage = panelStage {
            $0.drag = .handle
            $0.handle = Rect(130, 0, 60, 24)
        }
        #expect(stage.view("handle")?.center == Vector(160, 512))
        #expect(stage.machine.takesLanding(at: Vector(160, 510)))
        #expect(!stage.machine.takesLanding(at: Vector(160, 530)))
        #expect(throws: Rejection.self) { try stage.pan(.began, 160, 530) }
        try stage.pan(.began, 160, 510)
        try stage.pan(.changed, 160, 410)
        #expect(stage.view("handle")?.center == Vector(160, 412))
    }

    @Test func nothingDragsOneWhoseDragIsNone() throws {
        var stage = panelStage { $0.drag = .none }
        #expect(stage.machine.recognizers.isEmpty)
        #expect(throws: Rejection.self) { try stage.pan(.began, 160, 510) }
        try stage.go(to: "high")
        stage.touch(.down(Vector(160, 510)))
        #expect(stage.phase == "settling")
    }

    /// A slider: the panel is the knob, and the finger's slop does not count.
    @Test func aHorizontalOneFollowsAcross() throws {
        var parameters = PanelParameters(viewport: Size(300, 40))
        parameters.axis = .horizontal
        parameters.size = Size(40, 40)
        parameters.anchors = [.init("off", .points(0)), .init("on", .percent(50))]
        var stage = Stage(Panel(parameters, viewport: Size(300, 40), tracker: .uikit))
        stage.touch(.down(Vector(20, 20)))
        try stage.pan(.began, 35, 20)
        #expect(stage.position == 5)
        try stage.pan(.changed, 105, 20)
        #expect(stage.position == 75 && stage.progress == 0.5)
        #expect(stage.view("panel")?.center == Vector(95, 20))
    }

    // MARK: What is shown

    @Test(arguments: [
        ("low", 0.0, 0.0), ("middle", 0.0, 0.25), ("high", 1.0, 0.5),
    ])
    func progressAndBackdropGrowOnTheWay(anchor: String, progress: Double, alpha: Double) throws {
        var stage = panelStage { $0.backdropAlpha = 0.5 }
        try stage.go(to: anchor, animated: false)
        #expect(stage.at == anchor && stage.progress == progress)
        #expect((stage.view("backdrop")?.alpha ?? 0) == alpha)
        #expect(stage.view("panel") != nil && stage.view("content") != nil)
    }

    @Test func betweenTwoAnchorsProgressIsTheShareOfTheWay() throws {
        var stage = panelStage()
        try stage.drag(.began, 0)
        for (way, share) in [(-50.0, 0.25), (-150, 0.75), (-250, 0.25), (-399, 0.995)] {
            try stage.drag(.changed, way)
            #expect((stage.progress - share).magnitude < 1e-9, "\(way)")
        }
        try stage.drag(.changed, -600)
        #expect(stage.progress == 1)
    }

    @Test func aTapOnTheBackdropSendsItBack() throws {
        var stage = panelStage { $0.backdropAlpha = 0.5 }
        try stage.go(to: "high", animated: false)
        try stage.gesture(.tap(.point(Vector(160, 300))))
        #expect(stage.phase == "resting", "on the panel it does nothing")
        try stage.gesture(.tap(.point(Vector(160, 50))))
        let arrived = stage.steps { $0.phase == "resting" }
        #expect(arrived != nil && stage.at == "low" && stage.view("backdrop") == nil)
    }

    /// UIView's rule: below an alpha of 0.01 it takes no touches.
    @Test(arguments: [(0.0, false), (9.9, false), (10.1, true), (200, true)])
    func aBackdropThatIsHardlySeenTakesNoTouches(way: Double, isTouchable: Bool) throws {
        var stage = panelStage { $0.backdropAlpha = 0.4 }
        try stage.drag(.began, 0)
        try stage.drag(.changed, -way)
        #expect(((stage.view("backdrop")?.alpha ?? 0) - way / 1_000).magnitude < 1e-9)
        #expect(stage.machine.isTouchable("backdrop", isOccupied: false) == isTouchable)
        #expect(stage.machine.isTouchable("panel", isOccupied: false))
        #expect(!stage.machine.isTouchable("content", isOccupied: true))
    }

    @Test(arguments: [(0.009, "resting"), (0.01, "settling")])
    func aTapMeansTheBackdropThatItCanHit(alpha: Double, phase: String) throws {
        var stage = panelStage { $0.backdropAlpha = alpha }
        try stage.go(to: "high", animated: false)
        try stage.gesture(.tap(.point(Vector(160, 50))))
        #expect(stage.phase == phase)
    }

    /// Lines of transitions with their seconds to 1/100.
    private func short(_ lines: [String]) -> [String] {
        lines.map { line in
            line.split(separator: " ").map { word in
                Double(word).map { "\(($0 * 100).rounded() / 100)" } ?? String(word)
            }.joined(separator: " ")
        }
    }

    // MARK: Commands

    @Test func commandsLeadToAnchorsByTheirNames() throws {
        var stage = panelStage()
        try stage.command("toggle")
        #expect(short(stage.lines(since: 0)) == ["settle began low→high 1.25 spring"])
        // Once more before it is there: back again.
        stage.step(6)
        try stage.command("toggle")
        #expect(
            short(stage.lines(since: 1)) == [
                "settle cancelled low→high 1.25 spring", "settle began low→low 1.18 spring",
            ])
        _ = stage.steps { $0.phase == "resting" }
        let mark = stage.told.count
        try stage.go(to: "low")
        #expect(stage.told.count == mark && stage.at == "low", "it is there")
        try stage.go(to: "middle", animated: false)
        #expect(
            stage.lines(since: mark)
                == ["settle began low→middle", "settle ended low→middle"])
        #expect(stage.view("panel")?.cut == 1 && stage.view("content")?.cut == 1)
    }

    @Test(arguments: ["go", "toggle"])
    func aFingerThatHoldsItRefusesCommands(name: String) throws {
        var stage = panelStage()
        try stage.drag(.began, 0)
        var code: RejectionCode?
        do throws(Rejection) {
            try stage.command(name, members: [.init("to", Node(.string("high")))])
        } catch { code = error.code }
        #expect(code == .busy)
    }

    @Test func anUnknownAnchorIsToldWithTheKnownOnes() throws {
        var stage = panelStage()
        var message = ""
        do throws(Rejection) { try stage.go(to: "hgih") } catch { message = error.message }
        #expect(message.contains("hgih") && message.contains("high"), "\(message)")
    }

    // MARK: Other scenes, and stores

    @Test func anotherSceneMovesTheAnchorItRestsAt() throws {
        var stage = panelStage()
        try stage.go(to: "middle", animated: false)
        var parameters = PanelParameters.sheet
        parameters.anchors[1].place = .points(250)
        stage.adapt(to: parameters)
        #expect(stage.position == 250 && stage.at == "middle" && stage.view("panel")?.cut == 2)
        parameters.anchors.remove(at: 1)
        stage.adapt(to: parameters)
        #expect(stage.at == "high", "the nearest")
        parameters.start = "low"
        stage.adapt(to: parameters)
        #expect(stage.phase == "settling")
    }

    @Test func onItsWayItGoesOnToWhereItsAnchorIsNow() throws {
        var stage = panelStage()
        try stage.go(to: "high")
        stage.step(12)
        let place = stage.position
        var parameters = PanelParameters.sheet
        parameters.anchors[2].place = .points(50)
        stage.adapt(to: parameters)
        #expect(stage.position == place && stage.phase == "settling")
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.position == 50 && stage.at == "high")
    }

    @Test func itComesBackWhereItWasGoing() throws {
        var stage = panelStage()
        try stage.go(to: "high")
        stage.step(3)
        let saved = stage.machine.saved
        #expect(saved == Panel.Saved(anchor: "high"))
        func restored(_ saved: Panel.Saved) -> Panel {
            var panel = panelStage().machine
            var effects = Effects(random: SplitMix64(seed: 1))
            panel.restore(saved, counts: BadgeCounts(), into: &effects)
            return panel
        }
        let fields = Picture(restored(saved)).fields
        #expect(fields["at"] == .text("high") && fields["position"] == .points(100))
        #expect(restored(Panel.Saved(anchor: "gone")).saved == Panel.Saved(anchor: "low"))
    }
}
