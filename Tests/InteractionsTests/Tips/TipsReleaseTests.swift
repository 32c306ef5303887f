import Foundation
import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Where a released tip goes: d = x − c.x decides, x the finger's.
@Suite struct TipsReleaseTests {
    @Test(
        arguments: [
            (0, "returning"), (99.9, "returning"), (-99.9, "returning"), (100, "leaving"),
            (-100, "leaving"), (100.1, "leaving"), (-1_000_000 + 160, "leaving"),
        ] as [(Double, String)], [Phase.ended, .cancelled])
    func atAHundredPointsItLeaves(release: (offset: Double, phase: String), as end: Phase) throws {
        var stage = try TipsStage.inPhase("resting")
        try stage.release(at: release.offset, as: end)
        #expect(stage.phase == release.phase)
    }

    /// It is the finger that decides, wherever it took the tip.
    @Test func aTipTakenAtItsEdgeLeavesAsTheFingerDoes() throws {
        var stage = try TipsStage.inPhase("resting")
        try stage.pan(.began, middle.x + 130, middle.y)
        try stage.pan(.ended, middle.x + 130, middle.y)
        #expect(stage.phase == "leaving")
        var other = try TipsStage.inPhase("resting")
        try other.pan(.began, middle.x - 130, middle.y)
        for step in 1...130 {
            other.step()
            try other.pan(.changed, middle.x - 130 + Double(step), middle.y)
        }
        #expect(try #require(other.tip).center.x > middle.x + 100)
        try other.pan(.ended, middle.x, middle.y)
        #expect(other.phase == "returning")
    }

    @Test func theThresholdIsAParameter() throws {
        for (offset, phase) in [(29.0, "returning"), (30, "leaving")] {
            var stage = tipsStage { $0.threshold = 30 }
            stage.run(to: "resting")
            try stage.release(at: offset)
            #expect(stage.phase == phase)
        }
    }

    /// How far the pinned point of the tip is from the pin.
    private func gap(_ stage: TipsStage) throws -> Double {
        let tip = try #require(stage.tip)
        let lever = Vector(-500 * sin(tip.rotation), 500 * cos(tip.rotation))
        return (tip.center + lever - (middle + Vector(0, 500))).length
    }

    @Test(arguments: 0..<32 as Range<UInt64>)
    func thePinHoldsWithinAPointAfterTheRelease(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stage = try TipsStage.inPhase("resting")
        var finger = middle + Vector(random.unit() * 200 - 100, random.unit() * 300 - 150)
        try stage.pan(.began, finger.x, finger.y)
        for _ in 0..<40 {
            stage.step(random.whole(in: 1...3))
            finger += Vector(random.unit() * 60 - 30, random.unit() * 60 - 30)
            try stage.pan(.changed, finger.x, finger.y)
        }
        try stage.pan(.ended, finger.x, finger.y)
        for step in 1...240 where stage.tip != nil {
            stage.step()
            if stage.phase == "dismissing" { break }
            #expect(try gap(stage) < 1, "seed \(seed), step \(step), \(stage.phase)")
        }
    }

    /// The rod keeps the tip's center as far from the finger as it was when it was taken.
    @Test func theTipFollowsTheFingerOnItsRod() throws {
        var stage = try TipsStage.inPhase("resting")
        try stage.pan(.began, middle.x + 30, middle.y - 40)
        #expect(stage.needsPublish && stage.tip?.center == middle)
        for step in 1...90 {
            stage.step()
            let turn = Double(step) / 90 * 0.15
            let finger = middle + Vector(30 + 540 * sin(turn), -40 + 540 * (1 - cos(turn)))
            try stage.pan(.changed, finger.x, finger.y)
        }
        stage.step(30)
        let finger = middle + Vector(30 + 540 * sin(0.15), -40 + 540 * (1 - cos(0.15)))
        let tip = try #require(stage.tip)
        #expect(abs((tip.center - finger).length - 50) < 1)
        #expect(tip.rotation > 0.05)
    }

    /// A second began takes the tip where it is, on a rod of its own, in whatever motion.
    @Test(arguments: ["entering", "resting", "returning", "dragging"])
    func aSecondFingerTakesOver(phase: String) throws {
        var stage = try TipsStage.inPhase(phase)
        try stage.pan(.began, 150, 270)
        try stage.pan(.changed, 190, 280)
        stage.step(10)
        let place = try #require(stage.tip).center
        try stage.pan(.began, place.x + 40, place.y)
        #expect(stage.phase == "dragging" && stage.tip?.center == place)
        let finger = Vector(middle.x + 60, middle.y)
        try stage.pan(.changed, finger.x, finger.y)
        stage.step(90)
        let tip = try #require(stage.tip)
        #expect(abs((tip.center - finger).length - 40) < 1)
        try stage.pan(.ended, finger.x, finger.y)
        #expect(stage.phase == "returning")
        stage.run(to: "resting")
        #expect(stage.tip?.center == middle)
    }

    @Test func threeSecondsOfSilenceLetItGo() throws {
        for (offset, phase) in [(20.0, "returning"), (-130, "leaving")] {
            var stage = try TipsStage.inPhase("resting")
            try stage.pan(.began, middle.x, middle.y)
            stage.step(100)
            try stage.pan(.changed, middle.x + offset, middle.y)
            stage.step(359)
            #expect(stage.phase == "dragging")
            stage.step()
            #expect(stage.phase == phase)
        }
    }
}

@Suite struct TipsSettlingTests {
    /// Random drags from random instants of any motion; whatever was done, all comes to rest.
    @Test(arguments: 0..<96 as Range<UInt64>)
    func everyReleaseSettles(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stage = tipsStage(4, seed: seed)
        for _ in 0..<3 {
            stage.step(random.whole(in: 37...260))
            func finger() -> (Double, Double) {
                (random.unit() * 420 - 50, random.unit() * 668 - 50)
            }
            let start = finger()
            guard
                refusal({ () throws(Rejection) in try stage.pan(.began, start.0, start.1) }) == nil
            else { continue }
            for _ in 0..<random.whole(in: 0...30) {
                stage.step(random.whole(in: 0...4))
                let next = finger()
                try stage.pan(.changed, next.0, next.1)
            }
            let end = finger()
            try stage.pan(random.whole(in: 0...3) == 0 ? .cancelled : .ended, end.0, end.1)
        }
        let steps = stage.steps { $0.phase == "resting" || $0.phase == "dismissed" }
        #expect(steps != nil, "seed \(seed) never settled")
        if stage.phase == "resting" {
            #expect(stage.tip?.center == middle && stage.tip?.rotation == 0, "seed \(seed)")
        } else {
            #expect(stage.picture.views.isEmpty, "seed \(seed)")
        }
        #expect(!stage.machine.isMoving && stage.machine.nextTimer == nil, "seed \(seed)")
    }
}
