import Foundation
import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

@Suite struct TossThrowTests {
    /// Above 1,000 pt/s it is thrown; the number itself is not above.
    @Test(arguments: [
        (Vector(1_000, 0), "returning"), (Vector(1_000.001, 0), "thrown"),
        (Vector(-1_000.001, 0), "thrown"), (Vector(600, 800), "returning"),
        (Vector(600, 800.01), "thrown"), (Vector(-999, 0), "returning"), (.zero, "returning"),
        (Vector(1_000_000, -1_000_000), "thrown"),
    ])
    func aboveAThousandPointsASecondItIsThrown(velocity: Vector, phase: String) throws {
        var stage = tossStage()
        try stage.fling(velocity)
        #expect(stage.phase == phase)
    }

    @Test(arguments: [nil, Vector(1_500, 0), Vector(1_000_000, 0)])
    func aCancelledOneIsNeverThrown(velocity: Vector?) throws {
        var stage = tossStage()
        try stage.fling(velocity, as: .cancelled)
        #expect(stage.phase == "returning")
    }

    /// mass = w·h/10⁴ kg; a push of |v|/35 is 100 pt/s per kg; resistance 0.1.
    @Test(arguments: [Vector(1_500, 0), Vector(-900, 1_200), Vector(0, -4_000)])
    func thePushIsTheVelocityDividedBy35(velocity: Vector) throws {
        let mass = 254.0 * 172 / 10_000
        let speed = velocity / 35 * 100 / mass
        let step = speed / (1 + 0.1 / 120) / 120
        var stage = tossStage()
        try stage.fling(velocity)
        #expect(stage.item?.center == tossHome)
        var before = tossHome
        var expected = step
        for _ in 1...5 {
            stage.step()
            let center = try #require(stage.item).center
            #expect((center - before - expected).length < 1e-9)
            before = center
            expected = expected / (1 + 0.1 / 120)
        }
    }

    /// From Box2D 2.3, with a seed that draws the spin 5.
    @Test func theGoldenTossFlies() throws {
        let seed = (0..<1_000 as Range<UInt64>).first {
            var random = SplitMix64(seed: $0)
            return random.whole(in: -10...9) == 5
        }
        var stage = tossStage(seed: try #require(seed))
        try stage.fling(Vector(1_500, 0))
        stage.step()
        let first = try #require(stage.item)
        #expect((first.center - Vector(168.168, 223)).length < 0.001)
        #expect(abs(first.rotation - 0.0416) < 1e-4)
        stage.step(47)
        let last = try #require(stage.item)
        #expect((last.center - Vector(544.492, 223)).length < 0.02)
        #expect(abs(last.rotation - 1.9597) < 1e-3)
        #expect(stage.phase == "returning")
    }

    /// The rotation after one step tells the spin: whole, within −10…9, and each of them comes.
    @Test func everySpinIsDrawnAndNoOther() throws {
        var drawn: [Int: Int] = [:]
        for seed in 0..<1_000 as Range<UInt64> {
            var stage = tossStage(seed: seed)
            try stage.fling(Vector(1_500, 0))
            stage.step()
            let spin = try #require(stage.item).rotation * 120 * (1 + 0.1 / 120)
            #expect(abs(spin - spin.rounded()) < 1e-9, "seed \(seed)")
            drawn[Int(spin.rounded()), default: 0] += 1
        }
        #expect(drawn.keys.sorted() == Array(-10...9))
        // 50 of each are expected: 20 would be 4 standard deviations away.
        #expect(drawn.values.allSatisfy { (20...80).contains($0) }, "\(drawn)")
    }

    /// 300 pt/s are above 200; 0.11 s are 13.2 steps, 0.07 s are 8.4.
    @Test func everyParameterCounts() throws {
        var stage = tossStage {
            ($0.frame, $0.throwingThreshold) = (Rect(10, 20, 100, 40), 200)
            ($0.velocityPadding, $0.spin) = (60, 7...7)
            ($0.returnDelay, $0.returnDuration) = (0.11, 0.07)
        }
        let home = Vector(60, 40)
        #expect(stage.item?.center == home && stage.item?.size == Size(100, 40))
        #expect(stage.field("frame") == .frame(Rect(10, 20, 100, 40)))
        try stage.pan(.began, 60, 40)
        try stage.pan(.ended, 60, 40, velocity: Vector(300, 0))
        stage.step()
        // A push of 5 on 0.4 kg: 1,250 pt/s.
        let item = try #require(stage.item)
        let slowed = 120 * (1 + 0.1 / 120)
        #expect((item.center - home - Vector(1_250 / slowed, 0)).length < 1e-9)
        #expect(abs(item.rotation - 7 / slowed) < 1e-9)
        stage.step(12)
        #expect(stage.phase == "thrown")
        stage.step()
        #expect(stage.phase == "returning")
        stage.step(8)
        #expect(stage.phase == "returning")
        stage.step()
        #expect(stage.phase == "resting" && stage.item?.center == home)
        try stage.pan(.began, 60, 40)
        try stage.pan(.ended, 60, 40, velocity: Vector(0, 200))
        #expect(stage.phase == "returning")
        #expect(
            stage.lines(since: 0) == [
                "toss began 0.11", "toss ended 0.11", "return began 0.07 ease-in-out",
                "return ended 0.07 ease-in-out", "return began 0.07 ease-in-out",
            ])
    }

    @Test func oneAfterTheOtherTheSpinsDiffer() throws {
        var stage = tossStage(seed: 3)
        var spins: [Int] = []
        for _ in 0..<8 {
            try stage.fling(Vector(0, -1_500))
            let before = try #require(stage.item).rotation
            stage.step()
            let spin = (try #require(stage.item).rotation - before) * 120 * (1 + 0.1 / 120)
            spins.append(Int(spin.rounded()))
            stage.step(120)
        }
        var random = SplitMix64(seed: 3)
        #expect(spins == (0..<8).map { _ in random.whole(in: -10...9) })
    }

    /// Without a velocity of its own a release is measured from its samples: 1,002 pt/s.
    @Test(arguments: VelocityTracker.Kind.allCases, [(8.35, "thrown"), (8.25, "returning")])
    func aReleaseIsMeasuredFromItsSamples(
        tracker: VelocityTracker.Kind, pull: (points: Double, phase: String)
    ) throws {
        var stage = tossStage(tracker: tracker)
        try stage.pan(.began, 100, 200)
        for sample in 1...10 {
            stage.step()
            try stage.pan(sample == 10 ? .ended : .changed, 100 + Double(sample) * pull.points, 200)
        }
        #expect(stage.phase == pull.phase)
    }

    /// A finger that rested 40 ms throws nothing: 4 steps are 33 ms, 5 are 42.
    @Test(arguments: [(4, "thrown"), (5, "returning")])
    func aFingerThatRestedThrowsNothing(pause: Int, phase: String) throws {
        var stage = tossStage()
        try stage.pan(.began, 100, 200)
        for sample in 1...10 {
            stage.step()
            try stage.pan(.changed, 100 + Double(sample) * 20, 200)
        }
        stage.step(pause)
        try stage.pan(.ended, 300, 200)
        #expect(stage.phase == phase)
    }
}
