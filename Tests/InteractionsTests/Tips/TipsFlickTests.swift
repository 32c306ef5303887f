import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// A tip that a moving finger lets go moves on as fast as it was seen to move.
@Suite struct TipsFlickTests {
    /// The tip's way in points during so many steps.
    private func way(_ stage: inout TipsStage, _ steps: Int) throws -> Double {
        let before = try #require(stage.tip).center
        stage.step(steps)
        return (try #require(stage.tip).center - before).length
    }

    /// Takes the tip at `rod` from its middle and goes by `way` at `speed`, with a sample each
    /// `period` steps. Returns the way of the last four steps before the release.
    private func flick(
        _ stage: inout TipsStage, by way: Double, speed: Double, period: Int,
        rod: Vector = .zero, as end: Phase = .ended
    ) throws -> Double {
        stage.run(to: "resting")
        let start = middle + rod
        try stage.pan(.began, start.x, start.y)
        let sample = speed * Double(period) / 120
        let samples = Int((way.magnitude / sample).rounded(.up))
        var centers = [try #require(stage.tip).center]
        func place(_ number: Int) -> Double {
            start.x + (way < 0 ? -1 : 1) * sample * Double(number)
        }
        for number in 1...samples {
            for _ in 0..<period {
                stage.step()
                centers.append(try #require(stage.tip).center)
            }
            try stage.pan(.changed, place(number), start.y)
        }
        for _ in 0..<period {
            stage.step()
            centers.append(try #require(stage.tip).center)
        }
        try stage.pan(end, place(samples), start.y)
        return (centers[centers.count - 1] - centers[max(0, centers.count - 5)]).length
    }

    @Test(arguments: [600, 1_200, 2_400, 4_000] as [Double], [1, 2, 4])
    func aFlickGoesOutAsFastAsItCame(speed: Double, period: Int) throws {
        for sign in [-1.0, 1] {
            for rod in [Vector(0, 0), Vector(60, -80), Vector(-40, 120)] {
                var stage = tipsStage()
                let towards = sign * 130 - rod.x
                let before = try flick(
                    &stage, by: towards, speed: speed, period: period, rod: rod)
                try #require(stage.phase == "leaving")
                let after = try way(&stage, 4)
                #expect(
                    after > before * 0.7 && after < before * 1.4 + 14,
                    "\(sign) \(rod): \(before), then \(after)")
            }
        }
    }

    /// It never turns back, and is at the exit in time, or sooner if it is faster.
    @Test(arguments: [600, 2_400, 6_000, 20_000] as [Double])
    func itsTurnOnlyGoesOut(speed: Double) throws {
        var stage = tipsStage()
        _ = try flick(&stage, by: -130, speed: speed, period: 2)
        var turns = [try #require(stage.tip).rotation]
        for _ in 1...36 {
            stage.step()
            turns.append(try #require(stage.tip).rotation)
        }
        #expect(zip(turns.dropFirst(), turns.dropFirst(2)).allSatisfy { $1 < $0 + 1e-3 })
        #expect(abs(turns[36] + Double.pi / 2) < 0.01, "\(turns)")
        #expect(turns[11] > -Double.pi / 2 + 0.01, "it is to be seen")
        stage.run(to: "entering")
        #expect(stage.index == .whole(1))
    }

    /// Released at the right while it goes to the left, it turns round and leaves to the right.
    @Test func aFlickBackTurnsRound() throws {
        for speed in [600.0, 2_400] {
            var stage = tipsStage()
            stage.run(to: "resting")
            try stage.pan(.began, middle.x, middle.y)
            for x in [100.0, 200] {
                try stage.pan(.changed, middle.x + x, middle.y)
                stage.step(30)
            }
            for number in 1...3 {
                try stage.pan(.changed, middle.x + 200 - speed * Double(number) / 60, middle.y)
                stage.step(2)
            }
            let before = try #require(stage.tip).center.x
            try stage.pan(.ended, middle.x + 140, middle.y)
            try #require(stage.phase == "leaving")
            stage.step(2)
            #expect(try #require(stage.tip).center.x < before)
            stage.run(to: "entering")
            #expect(stage.index == .whole(0), "\(speed)")
        }
    }

    /// Let go near the middle it swings on, and then back.
    @Test(arguments: [Phase.ended, .cancelled], [1, 2])
    func aShortFlickSwingsOn(end: Phase, period: Int) throws {
        var stage = tipsStage()
        _ = try flick(&stage, by: 40, speed: 2_400, period: period, as: end)
        try #require(stage.phase == "returning")
        let released = try #require(stage.tip).center.x
        stage.step()
        // 20 points a step, less what the snap takes.
        let after = try #require(stage.tip).center.x - released
        #expect(after > 8 && after < 24, "\(after)")
        stage.run(to: "resting")
        #expect(stage.tip?.center == middle)
    }

    @Test func aTipThatIsDismissedWhileAFingerMovesItSwingsOn() throws {
        var stage = tipsStage()
        stage.run(to: "resting")
        try stage.pan(.began, middle.x, middle.y)
        for number in 1...2 {
            stage.step(2)
            try stage.pan(.changed, middle.x + 40 * Double(number), middle.y)
        }
        stage.step(2)
        let before = try #require(stage.tip).center.x
        try stage.command("dismiss")
        stage.step()
        #expect(try #require(stage.tip).center.x > before + 3)
    }

    /// A finger that rests before it lifts leaves the tip without a velocity, silent or not.
    @Test(arguments: [true, false])
    func aFingerThatRestedLeavesNoVelocity(repeats: Bool) throws {
        var stage = tipsStage()
        stage.run(to: "resting")
        try stage.pan(.began, middle.x, middle.y)
        for number in 1...4 {
            stage.step(2)
            try stage.pan(.changed, middle.x - 40 * Double(number), middle.y)
        }
        for _ in 1...6 {
            stage.step(2)
            if repeats { try stage.pan(.changed, middle.x - 160, middle.y) }
        }
        try stage.pan(.ended, middle.x - 160, middle.y)
        let turned = try #require(stage.tip).rotation
        stage.step(2)
        #expect(abs(try #require(stage.tip).rotation - turned) < 0.01)
    }

    /// A flick after a long hold is one.
    @Test func aHoldBeforeItTakesNothing() throws {
        var stage = tipsStage()
        stage.run(to: "resting")
        try stage.pan(.began, middle.x, middle.y)
        for _ in 1...20 {
            stage.step(6)
            try stage.pan(.changed, middle.x, middle.y)
        }
        for number in 1...4 {
            stage.step(2)
            try stage.pan(.changed, middle.x - 40 * Double(number), middle.y)
        }
        stage.step(2)
        let before = try #require(stage.tip).center
        try stage.pan(.ended, middle.x - 160, middle.y)
        stage.step(2)
        #expect((try #require(stage.tip).center - before).length > 28)
    }

    @Test func inTheMidstOfItItIsEncodedAndGoesOn() throws {
        var stage = tipsStage()
        _ = try flick(&stage, by: -130, speed: 2_400, period: 2)
        stage.step(3)
        #expect(
            try comesBackAlike(
                stage.machine, of: TipsParameters.counting(3), viewport: .phone))
    }
}
