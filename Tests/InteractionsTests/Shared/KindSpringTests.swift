import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

extension SpringParameters {
    /// One that goes far beyond its target.
    static let bouncing = SpringParameters(duration: 0.3, bounce: 0.4)
}

/// A spring in place of a duration and a curve.
@Suite struct KindSpringTests {
    private let calm = SpringParameters()

    /// How far a spring is after so many steps: the shown values are its closed form.
    private func share(
        _ spring: SpringParameters, _ step: Int, velocity: Double = 0
    ) -> Double {
        SpringProgress(
            Spring(duration: spring.duration, bounce: spring.bounce), velocity: velocity
        ).value(at: Double(step) / 120)
    }

    // MARK: Ways

    @Test func aScreenSlidesOnASpring() throws {
        var stage = try navigationStage(over: []) { $0.spring = calm }
        try stage.command("present", screen: "a", transition: "in-from-bottom")
        for step in 0..<60 {
            let y = try #require(stage.view("a")).center.y - 284
            #expect(abs(y - 568 * (1 - share(calm, step))) < 1e-9, "step \(step)")
            stage.step()
        }
        let steps = try #require(stage.steps { $0.phase == "resting" })
        // (1 + ωt) e^−ωt comes down to 1/568,000 at ωt = 16.2, with ω = 4π: 1.29 s.
        #expect(60 + steps == 154)
        #expect(stage.transitions.map(\.event) == [.began, .ended])
        let began = stage.transitions[0]
        #expect(abs(began.duration - 1.29) < 0.01)
        #expect(began.curve == .spring(SpringProgress(Spring(duration: 0.5, bounce: 0))))
        #expect(stage.transitions[1].duration == began.duration)
    }

    @Test func aShrinkingScreenIsNeverTurnedInsideOut() throws {
        var stage = try navigationStage(over: ["a"]) { $0.spring = .bouncing }
        try stage.command("back")
        var least = 1.0
        while let view = stage.view("a") {
            least = min(least, view.scale)
            stage.step()
        }
        #expect(least == 0 && stage.phase == "resting")
    }

    @Test func aDurationOfACommandTakesItsOwnTimeAndCurve() throws {
        var stage = try navigationStage(over: []) { $0.spring = calm }
        try stage.command("present", screen: "a", transition: "in-from-top", lasting: 0.1)
        #expect(stage.lines(since: 0) == ["in-from-top began dashboard→a 0.1 ease-in-out"])
        #expect(stage.steps { $0.phase == "resting" } == 12)
    }

    /// A pan lets go at 120 points with these velocities.
    @Test(arguments: [0, 900, -2_000.0])
    func aScreenThatIsDrawnOffGoesOnAsFastAsTheFinger(velocity: Double) throws {
        var stage = try navigationStage(over: ["a"]) { $0.spring = calm }
        try stage.pan(.began, 10, 300)
        try stage.pan(.changed, 130, 300)
        stage.step(60)
        try stage.pan(.ended, 130, 300, velocity: Vector(velocity, 0))
        let goal = velocity > 500 ? 320.0 : 0
        for step in 0..<12 {
            let way = goal - 120
            let x = 120 + way * share(calm, step, velocity: velocity / way)
            let found = try #require(stage.view("a")).center.x - 160
            #expect(abs(found - min(max(0, x), 320)) < 1e-9, "step \(step)")
            stage.step()
        }
        #expect(stage.steps { $0.phase == "resting" } != nil)
        #expect(stage.stack == (goal > 0 ? ["dashboard"] : ["dashboard", "a"]))
    }

    @Test func aRowOpensAndClosesOnOneSpring() throws {
        var stage = listStage { $0.spring = .bouncing }
        try stage.gesture(.swipe(Swipe(direction: .right, target: .row(1))))
        for step in 0..<24 {
            let x = try #require(stage.view("row-1")).center.x - 160
            #expect(abs(x - 320 * share(.bouncing, step)) < 1e-9, "step \(step)")
            stage.step()
        }
        _ = stage.steps { $0.phase == "open" }
        try stage.gesture(.swipe(Swipe(direction: .right, target: .row(1))))
        for step in 0..<24 {
            let x = try #require(stage.view("row-1")).center.x - 160
            #expect(abs(x - 320 * (1 - share(.bouncing, step))) < 1e-9, "step \(step)")
            stage.step()
        }
        #expect(stage.steps { $0.phase == "closed" } != nil)
        #expect(stage.transitions.map(\.name) == ["open", "open", "close", "close"])
        #expect(Set(stage.transitions.map(\.curve)).count == 1, "from rest, each way")
        #expect(stage.transitions[3].duration == stage.transitions[2].duration)
    }

    // MARK: Pages

    @Test func aPageComesInOnASpringAndStopsInItsPlace() throws {
        var stage = readerStage { $0.spring = .bouncing }
        try stage.command("next")
        for step in 0..<60 {
            let top = 568 * (1 - min(share(.bouncing, step), 1))
            if stage.phase == "paging" {
                #expect(isNear(stage.top("incoming"), top), "step \(step)")
            }
            stage.step()
        }
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.field("index") == .whole(5))
        let curve = try #require(stage.transitions.first?.curve)
        #expect(curve == .spring(SpringProgress(Spring(duration: 0.3, bounce: 0.4))))
        #expect(stage.transitions.first?.duration == stage.transitions.last?.duration)
    }

    /// The page leaves as fast as the finger pulled it.
    @Test func aPageThatIsLetGoKeepsItsSpeed() throws {
        var stage = readerStage { $0.spring = calm }
        stage.touch(.down(Vector(160, 500)))
        try stage.drag(.began, 0)
        for way in 1...25 {
            stage.step()
            try stage.drag(.changed, Double(-12 * way))
        }
        let before = try #require(stage.top("page"))
        stage.step()
        try stage.drag(.ended, -312)
        let at = try #require(stage.top("page"))
        #expect(stage.phase == "paging")
        let curve = try #require(stage.transitions.last { $0.name == "page" }?.curve)
        guard case .spring(let spring) = curve else {
            Issue.record("\(curve)")
            return
        }
        #expect(spring.velocity > 0)
        stage.step()
        let after = try #require(stage.top("page"))
        #expect(after < at && at <= before)
    }

    @Test(arguments: moments)
    func aPageThatAContactHoldsGoesOnFromThere(moment: Int) throws {
        var stage = readerStage { $0.spring = .bouncing }
        try stage.command("previous")
        stage.step(moment)
        let top = stage.top("incoming")
        stage.touch(.down(Vector(160, 300)))
        stage.step(50)
        #expect(stage.top("incoming") == top && stage.phase == "paging")
        stage.touch(.up)
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.field("index") == .whole(3))
    }

    @Test func theArrowOfABarTurnsOnASpringBetweenItsEnds() throws {
        var stage = readerStage { $0.spring = .bouncing }
        try stage.pull(to: 40)
        try stage.scroll(.changed, 60)
        for _ in 0..<240 {
            #expect((0...Double.pi).contains(stage.view("footer_arrow")?.rotation ?? -1))
            stage.step()
        }
        let turn = try #require(stage.transitions.first { $0.name == "footer-loaded" })
        #expect(turn.curve == .spring(SpringProgress(Spring(duration: 0.3, bounce: 0.4))))
        #expect(stage.view("footer_arrow")?.rotation == .pi)
    }

    // MARK: Interruptions

    /// Each is interrupted at these steps; 1/120 s later it is where its velocity leads.
    private static let moments = [1, 5, 12, 20]

    /// Values before, at and after an interruption: the speed does not jump.
    private func expectSmooth(
        _ values: [Double], acceleration: Double, _ words: String
    ) {
        let (before, after) = (values[1] - values[0], values[2] - values[1])
        #expect(abs(after - before) <= acceleration / 14_400, "\(words): \(values)")
    }

    @Test(arguments: moments)
    func anotherTabTurnsTheArrowWithItsSpeed(moment: Int) throws {
        var stage = tabsStage { $0.spring = .bouncing }
        try stage.tap(4)
        stage.step(moment - 1)
        var values = [stage.arrowLeft]
        stage.step()
        values.append(stage.arrowLeft)
        try stage.tap(1)
        #expect(stage.arrowLeft == values[1])
        stage.step()
        values.append(stage.arrowLeft)
        // (2π/0.3)² over the longest way, and the damping beside it.
        expectSmooth(values, acceleration: 439 * 320 * 2, "the arrow")
        let curve = try #require(stage.transitions.last?.curve)
        guard case .spring(let spring) = curve else {
            Issue.record("\(curve)")
            return
        }
        let way = 86 - values[1]
        #expect(abs(spring.velocity * way - (values[2] - values[0]) * 60) < 300)
        #expect(stage.steps { $0.phase == "resting" } != nil && stage.arrowLeft == 86)
    }

    @Test(arguments: moments)
    func aLabelThatFadesTurnsWithItsSpeed(moment: Int) throws {
        var parameters = LabelParameters(viewport: .phone)
        parameters.spring = .bouncing
        var stage = Stage(Label(parameters, viewport: .phone, tracker: .uikit))
        func alpha() -> Double { stage.view("label")?.alpha ?? 0 }
        try stage.command("hide")
        stage.step(moment - 1)
        var values = [alpha()]
        stage.step()
        values.append(alpha())
        try stage.command("show")
        stage.step()
        values.append(alpha())
        if values.allSatisfy({ $0 > 0 && $0 < 1 }) {
            expectSmooth(values, acceleration: 439 * 2, "the alpha")
        }
        #expect(stage.steps { $0.phase == "shown" } != nil)
        #expect(stage.transitions.allSatisfy { if case .spring = $0.curve { true } else { false } })
    }

    @Test(arguments: moments)
    func aThrownViewComesBackWithItsSpeed(moment: Int) throws {
        var parameters = TossParameters(viewport: .phone)
        parameters.spring = calm
        var stage = Stage(Toss(parameters, viewport: .phone, tracker: .uikit))
        func x() -> Double { stage.view("item")?.center.x ?? 0 }
        try stage.pan(.began, 160, 223)
        try stage.pan(.ended, 160, 223, velocity: Vector(1_500, 300))
        stage.step(moment)
        var values = [x()]
        stage.step()
        values.append(x())
        try stage.command("reset")
        #expect(x() == values[1])
        stage.step()
        values.append(x())
        expectSmooth(values, acceleration: 158 * 2_000, "the view")
        #expect(stage.steps { $0.phase == "resting" } != nil)
        let frame = parameters.frame.center
        #expect(stage.view("item")?.center == frame && stage.view("item")?.rotation == 0)
    }

    // MARK: Tips and bubbles

    @Test func tipsFadeOnASpringWithinTheirAlphas() throws {
        var parameters = TipsParameters(viewport: .phone)
        parameters.tips = [.init(), .init()]
        parameters.spring = .bouncing
        var stage = Stage(Tips(parameters, viewport: .phone, tracker: .uikit))
        #expect(stage.phase == "presenting")
        stage.step(9)
        #expect(abs((stage.view("backdrop")?.alpha ?? 0) - 0.5 * share(.bouncing, 9)) < 1e-12)
        _ = stage.steps { $0.phase == "resting" }
        try stage.command("dismiss")
        var alphas: [Double] = []
        while let tip = stage.view("tip") {
            alphas.append(tip.alpha)
            stage.step()
        }
        #expect(alphas.allSatisfy { (0...1).contains($0) } && alphas.contains(0))
        let curves = stage.transitions.map(\.curve)
        #expect(curves.count == 4 && Set(curves).count == 1 && curves[0] != .easeInOut)
    }

    // MARK: Stored

    /// In mid-flight each kind goes through a document as it is.
    @Test(arguments: moments)
    func whatMovesOnASpringComesBackAlike(moment: Int) throws {
        var items = TabsParameters.five
        items.spring = .bouncing
        items.bubbleSpring = calm
        var tabs = Stage(Tabs(items, viewport: .phone, tracker: .uikit))
        try tabs.tap(4)
        try tabs.command("show", index: 2)
        tabs.step(moment)
        #expect(try comesBackAlike(tabs.machine, of: items, viewport: .phone))
        var rows = ListParameters(rows: 20)
        rows.spring = .bouncing
        var list = Stage(List(rows, viewport: .phone, tracker: .uikit))
        try list.gesture(.swipe(Swipe(direction: .left, target: .row(1))))
        list.step(moment)
        #expect(try comesBackAlike(list.machine, of: rows, viewport: .phone))
        var root = NavigationParameters(root: "dashboard")
        root.spring = .bouncing
        var screens = Stage(Navigation(root, viewport: .phone, tracker: .uikit))
        try screens.present("a", "in-via-scale")
        screens.step(moment)
        #expect(try comesBackAlike(screens.machine, of: root, viewport: .phone))
    }
}
