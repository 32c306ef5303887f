import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// Another scene: the shown tip stays, in flight where it is.
@Suite struct TipsChangeTests {
    private static let wide = Size(568, 320)

    /// Becomes tips in another frame.
    private func adapt(
        _ stage: inout TipsStage, tips: Int = 3, viewport: Size = wide,
        _ change: (inout TipsParameters) -> Void = { _ in }
    ) {
        var parameters = TipsParameters.counting(tips)
        change(&parameters)
        stage.adapt(to: parameters, viewport: viewport)
    }

    @Test(arguments: TipsStage.phases)
    func theSameSceneChangesNothing(phase: String) throws {
        var stage = try TipsStage.inPhase(phase)
        let before = stage.machine
        adapt(&stage, viewport: .phone)
        #expect(stage.machine == before && !stage.needsPublish)
    }

    @Test func atRestItIsInItsNewPlaceAtOnce() throws {
        var stage = try TipsStage.inPhase("resting")
        adapt(&stage)
        let (tip, backdrop) = (try #require(stage.tip), try #require(stage.backdrop))
        #expect(stage.phase == "resting" && tip.center == Vector(284, 160) && tip.cut == 1)
        #expect(backdrop.center == Vector(284, 160) && backdrop.size == Self.wide)
        #expect(backdrop.cut == 1 && stage.needsPublish)
    }

    @Test(arguments: ["entering", "returning", "dragging", "leaving"])
    func inFlightItGoesOnFromWhereItIs(phase: String) throws {
        var stage = try TipsStage.inPhase(phase)
        let tip = try #require(stage.tip)
        adapt(&stage) { $0.size = Size(200, 100) }
        let after = try #require(stage.tip)
        #expect(stage.phase == phase && after.center == tip.center)
        #expect(after.rotation == tip.rotation && after.cut == tip.cut)
        #expect(after.size == Size(200, 100))
        if phase == "dragging" { try stage.pan(.ended, 290, 160) }
        stage.run(to: "resting")
        #expect(stage.tip?.center == Vector(284, 160))
    }

    /// The velocity stays: the next step goes about as far as the last one.
    @Test func theSwingGoesOn() throws {
        var stage = try TipsStage.inPhase("entering")
        let first = try #require(stage.tip).center
        stage.step()
        let second = try #require(stage.tip).center
        adapt(&stage, viewport: Size(330, 568))
        stage.step()
        let third = try #require(stage.tip).center
        #expect((first - second).length > 5)
        #expect((third - second - (second - first)).length < 0.5 * (second - first).length)
    }

    @Test func aFingerHoldsOn() throws {
        var stage = try TipsStage.inPhase("dragging")
        adapt(&stage)
        try stage.pan(.changed, 300, 150)
        #expect(stage.phase == "dragging")
        stage.step(60)
        let moved = try #require(stage.tip).center
        try stage.pan(.changed, 340, 150)
        stage.step(60)
        #expect((try #require(stage.tip)).center.x > moved.x + 10)
    }

    @Test func theIndexIsClamped() throws {
        var stage = try TipsStage.inPhase("resting")
        for _ in 1...2 {
            try stage.release(at: -140)
            stage.run(to: "resting")
        }
        #expect(stage.index == .whole(2))
        adapt(&stage, tips: 2, viewport: .phone)
        #expect(stage.index == .whole(1) && stage.phase == "resting" && stage.tip?.cut == 2)
        #expect(stage.field("title") == .text("1"))
    }

    /// The page that a leaving tip was to turn is not there any more.
    @Test func aTipThatLeavesFindsNoOtherOne() throws {
        var stage = try TipsStage.inPhase("leaving")
        let mark = stage.told.count
        adapt(&stage, tips: 1, viewport: .phone)
        #expect(stage.lines(since: mark) == ["page cancelled 0→1 0.4"])
        stage.run(to: "dismissed")
        #expect(stage.picture.views.isEmpty)
    }

    @Test(arguments: TipsStage.phases)
    func withoutTipsAllIsDismissed(phase: String) throws {
        var stage = try TipsStage.inPhase(phase)
        let views = stage.picture.views
        adapt(&stage, tips: 0, viewport: .phone)
        #expect(stage.phase == (phase == "dismissed" ? phase : "dismissing"))
        #expect(stage.picture.views == views && stage.field("count") == .whole(0))
        stage.run(to: "dismissed")
        #expect(stage.picture.views.isEmpty)
    }

    @Test func presentWhileTheLastOnesFadeShowsAnEmptyCard() throws {
        var stage = try TipsStage.inPhase("resting")
        adapt(&stage, tips: 0, viewport: .phone)
        stage.step(5)
        try stage.command("present")
        stage.run(to: "resting")
        #expect(stage.field("title") == .text("No Title"))
    }

    /// A fade goes on from the alpha that is shown, and ends when it would have.
    @Test func aFadeGoesToTheNewAlpha() throws {
        var stage = try TipsStage.inPhase("presenting")
        let alpha = try #require(stage.backdrop).alpha
        adapt(&stage, viewport: .phone) { $0.backdropAlpha = 0.9 }
        #expect(stage.backdrop?.alpha == alpha && stage.backdrop?.cut == 0)
        stage.step(26)
        #expect(stage.phase == "entering" && stage.backdrop?.alpha == 0.9)
        adapt(&stage, viewport: .phone) { $0.backdropAlpha = 0.2 }
        #expect(stage.backdrop?.alpha == 0.2 && stage.backdrop?.cut == 1)
    }

    @Test func broughtCardsStayUnlessTheScenesChange() throws {
        var stage = tipsStage()
        let card = Node(.object([.init("title", Node(.string("a")))]))
        try stage.command("present", members: [.init("tips", Node(.array([card])))])
        adapt(&stage)
        #expect(stage.field("title") == .text("a"))
        adapt(&stage, tips: 2)
        #expect(stage.field("title") == .text("0") && stage.field("count") == .whole(2))
    }

    /// Random scenes in the midst of everything: no view moves across a change but with a cut, and
    /// from step to step only as far as a body may.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func nothingJumpsWithoutACut(seed: UInt64) throws {
        var viewport = Size.phone
        var parameters = TipsParameters.counting(3)
        var storm = CutStorm(tipsStage(), seed: seed)
        let reach = CutStorm<Tips>.Reach(distance: 260, turn: 2, alpha: 0.2)
        for _ in 0..<60 {
            let place = storm.place()
            switch storm.random.whole(in: 0...9) {
            case 0: storm.play("present") { s throws(Rejection) in try s.command("present") }
            case 1: storm.play("dismiss") { s throws(Rejection) in try s.command("dismiss") }
            case 2, 3: storm.pan(.began, place)
            case 4: storm.pan(.changed, place)
            case 5, 6: storm.pan(.ended, place)
            default:
                (parameters, viewport) = storm.otherTips()
                storm.play("adapt") { $0.adapt(to: parameters, viewport: viewport) }
                let machine = storm.stage.machine
                #expect(
                    try comesBackAlike(machine, of: parameters, viewport: viewport),
                    "seed \(seed), \(machine.phase)")
            }
            for _ in 0..<storm.pick([0, 0, 1, 5, 30, 90]) {
                storm.step(within: reach)
                #expect(storm.stage.machine.isSound(viewport: viewport, tracker: .uikit))
            }
        }
        #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
    }
}

extension CutStorm<Tips> {
    fileprivate mutating func otherTips() -> (TipsParameters, Size) {
        let viewport = pick([
            Size.phone, Size(568, 320), Size(200 + random.unit() * 600, 200 + random.unit() * 600),
        ])
        var parameters = TipsParameters(viewport: viewport)
        parameters.tips = TipsParameters.counting(pick([0, 1, 2, 3, 3, 3])).tips
        parameters.size = pick([Size(300, 400), Size(300, 400), Size(150, 90)])
        parameters.pivotOffset = pick([500, 500, 350, 650])
        parameters.fade = pick([0.3, 0.1, 0.5])
        parameters.exitTravel = pick([0.3, 0.3, 0, 0.15])
        parameters.snapDamping = pick([0.5, 0.5, 0.8])
        parameters.backdropAlpha = pick([0.5, 0.5, 0.8])
        parameters.resistance = pick([0, 0, 1])
        return (parameters, viewport)
    }
}
