import Foundation
import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// The three places and what is shown in them. c = (160, 284), the arm 500.
@Suite struct TipsPlaceTests {
    private let right = Vector(660, 784)
    private let left = Vector(-340, 784)

    @Test func theFirstTipComesFromTheRight() throws {
        var stage = tipsStage()
        stage.step(36)
        let tip = try #require(stage.tip)
        #expect(stage.phase == "entering")
        #expect(tip.center == right)
        #expect(tip.rotation == Double.pi / 2)
        #expect(tip.size == Size(300, 400))
        #expect(tip.scale == 1 && tip.alpha == 1 && tip.z == 1)
    }

    @Test func asleepItStandsExactlyInItsPlace() throws {
        var stage = tipsStage()
        let steps = stage.run(to: "resting") ?? 0
        #expect((120...300).contains(steps), "\(steps) steps")
        let tip = try #require(stage.tip)
        #expect(tip.center == middle && tip.rotation == 0)
        #expect(!stage.machine.isMoving && stage.machine.nextTimer == nil)
    }

    /// The way in to the last bit, from the placing to the sleep.
    @Test func theEntryIsTheSameEverywhere() throws {
        var stage = tipsStage()
        var path = ""
        while stage.phase != "resting", stage.now < Step(600) {
            stage.step()
            guard let tip = stage.tip else { continue }
            path += "\(stage.now.count) \(bits(tip.center.x)) \(bits(tip.center.y))"
            path += " \(bits(tip.rotation))\n"
        }
        try expectGolden(path, named: "tips-entry.txt")
    }

    /// From Box2D 2.3, counted in steps after the placing.
    @Test(arguments: [
        (1, 659.46813, 760.94451, 1.52467), (10, 332.97362, 314.873, 0.35325),
        (20, 122.88622, 285.37934, -0.0743), (60, 161.42256, 284.00199, 0.00285),
        (120, 159.99379, 284.00004, -0.00001),
    ])
    func theEntryIsBox2Ds(step: Int, x: Double, y: Double, rotation: Double) throws {
        var stage = tipsStage()
        stage.step(36 + step)
        let tip = try #require(stage.tip)
        #expect((tip.center - Vector(x, y)).length < 0.02)
        #expect(abs(tip.rotation - rotation) < 1e-4)
    }

    /// Towards the right the previous one comes from the left; towards the left the next one
    /// from the right.
    @Test func theNextOneComesFromTheOtherSide() throws {
        var stage = try TipsStage.inPhase("resting")
        try stage.release(at: -120)
        stage.step(47)
        #expect(stage.phase == "leaving" && stage.index == .whole(0))
        stage.step()
        #expect(stage.phase == "entering" && stage.index == .whole(1))
        #expect(stage.tip?.center == right && stage.tip?.rotation == Double.pi / 2)
        stage.run(to: "resting")
        let mark = stage.told.count
        try stage.release(at: 120)
        stage.step(48)
        #expect(stage.phase == "entering" && stage.index == .whole(0))
        #expect(stage.tip?.center == left && stage.tip?.rotation == -Double.pi / 2)
        #expect(stage.lines(since: mark) == ["page began 1→0 0.4", "page ended 1→0 0.4"])
    }

    @Test func beforeTheFirstTheFirstComesAgainFromTheRight() throws {
        var stage = try TipsStage.inPhase("resting")
        let mark = stage.told.count
        try stage.release(at: 120)
        stage.step(48)
        #expect(stage.phase == "entering" && stage.index == .whole(0))
        #expect(stage.tip?.center == right && stage.tip?.rotation == Double.pi / 2)
        #expect(stage.lines(since: mark) == ["page began 0→0 0.4", "page ended 0→0 0.4"])
        stage.run(to: "resting")
        #expect(stage.tip?.center == middle)
    }

    @Test func pastTheLastEverythingFadesWhereItIs() throws {
        var stage = tipsStage(1)
        stage.run(to: "resting")
        let mark = stage.told.count
        try stage.release(at: -120)
        stage.step(48)
        #expect(stage.phase == "dismissing")
        let place = stage.tip?.center
        #expect(stage.tip?.alpha == 1 && stage.backdrop?.alpha == 0.5)
        stage.step(18)
        #expect(abs(try #require(stage.tip).alpha - 0.5) < 1e-9)
        #expect(abs(try #require(stage.backdrop).alpha - 0.25) < 1e-9)
        #expect(stage.tip?.center == place)
        stage.step(17)
        #expect(stage.phase == "dismissing" && !stage.picture.views.isEmpty)
        stage.step()
        #expect(stage.phase == "dismissed" && stage.picture.views.isEmpty)
        let told = ["dismiss began 0.3 ease-in-out", "dismiss ended 0.3 ease-in-out"]
        #expect(stage.lines(since: mark) == told)
    }

    @Test func theBackdropFadesInBeforeAnyTipIsThere() throws {
        var stage = tipsStage()
        #expect(stage.backdrop?.alpha == 0)
        for step in 1...35 {
            stage.step()
            let share = try #require(stage.backdrop).alpha / 0.5
            #expect(share > 0 && share < 1 && stage.tip == nil, "step \(step)")
        }
        stage.step()
        #expect(stage.backdrop?.alpha == 0.5)
        let backdrop = try #require(stage.backdrop)
        #expect(backdrop.center == middle && backdrop.size == .phone && backdrop.z == 0)
        #expect(
            stage.lines(since: 0) == [
                "present began 0.3 ease-in-out", "present ended 0.3 ease-in-out",
            ])
    }

    /// An arm of 200, 0.1 s of fade (12 steps), 0.11 s of leaving (13.2 steps).
    @Test func everyParameterCounts() throws {
        var stage = tipsStage {
            ($0.size, $0.pivotOffset, $0.exitDuration) = (Size(100, 80), 200, 0.11)
            ($0.backdropAlpha, $0.fade) = (0.8, 0.1)
        }
        stage.step(11)
        #expect(stage.phase == "presenting" && stage.backdrop?.alpha != 0.8)
        stage.step()
        #expect(stage.phase == "entering" && stage.backdrop?.alpha == 0.8)
        #expect(stage.tip?.center == Vector(360, 484) && stage.tip?.size == Size(100, 80))
        stage.run(to: "resting")
        #expect(stage.tip?.center == middle)
        try stage.release(at: -120)
        stage.step(13)
        #expect(stage.phase == "leaving" && stage.index == .whole(0))
        stage.step()
        #expect(stage.phase == "entering" && stage.index == .whole(1))
        #expect(stage.tip?.center == Vector(360, 484))
        try stage.command("dismiss")
        stage.step(6)
        #expect(abs(try #require(stage.backdrop).alpha - 0.4) < 1e-9)
        stage.step(6)
        #expect(stage.phase == "dismissed")
        #expect(
            stage.lines(since: 0) == [
                "present began 0.1 ease-in-out", "present ended 0.1 ease-in-out",
                "page began 0→1 0.11", "page ended 0→1 0.11", "dismiss began 0.1 ease-in-out",
                "dismiss ended 0.1 ease-in-out",
            ])
    }

    /// The less the snap is damped, the further the tip swings beyond its place.
    @Test func theSnapsDampingCounts() throws {
        let reaches = try [0.2, 0.5, 0.8].map { damping in
            var stage = tipsStage { $0.snapDamping = damping }
            stage.step(36)
            var reach = 0.0
            for _ in 0..<60 {
                stage.step()
                reach = max(reach, middle.x - (try #require(stage.tip).center.x))
            }
            return reach
        }
        #expect(reaches[0] > reaches[1] + 10 && reaches[1] > reaches[2] + 10, "\(reaches)")
    }

    @Test func theModelDescribesTheTip() throws {
        var parameters = TipsParameters.counting(2)
        parameters.tips[0].summary = "S"
        parameters.tips[0].image = "eye"
        let first = Picture(Tips(parameters, viewport: .phone, tracker: .uikit)).fields
        #expect(first["index"] == .whole(0) && first["count"] == .whole(2))
        #expect(first["title"] == .text("0") && first["summary"] == .text("S"))
        #expect(first["image"] == .text("eye"))
        parameters.tips = []
        let none = Picture(Tips(parameters, viewport: .phone, tracker: .uikit)).fields
        #expect(none["count"] == .whole(0) && none["title"] == .text(nil))
        let untitled = TipsParameters.Tip()
        #expect(untitled.title == "No Title" && untitled.summary == "No Summary")
    }
}
