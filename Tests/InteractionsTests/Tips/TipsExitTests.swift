import Foundation
import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// The way out: seen, pulled at the tip's center, and outside at its end.
@Suite struct TipsExitTests {
    /// Takes the tip with a rod, goes to the side, and stops.
    private func leaving(
        rod: Vector = .zero, by offset: Double = -140,
        _ change: (inout TipsParameters) -> Void = { _ in }
    ) throws -> TipsStage {
        var stage = tipsStage(3, change)
        stage.run(to: "resting")
        try stage.pan(.began, middle.x + rod.x, middle.y + rod.y)
        for step in 1...40 {
            stage.step()
            let x = middle.x + rod.x + (offset - rod.x) * Double(step) / 40
            try stage.pan(.changed, x, middle.y + rod.y)
        }
        stage.step(40)
        try stage.pan(.ended, middle.x + offset, middle.y + rod.y)
        try #require(stage.phase == "leaving")
        return stage
    }

    /// 0.3 s, eased in, for rods of any length; also for such as are a pin to the physics.
    @Test(arguments: [Vector(0, 0), Vector(0.5, 0.5), Vector(30, -40), Vector(-80, 150)])
    func theTipIsSeenToTurnOut(rod: Vector) throws {
        var stage = try leaving(rod: rod)
        var turns = [try #require(stage.tip).rotation]
        for _ in 1...36 {
            stage.step()
            turns.append(try #require(stage.tip).rotation)
        }
        let steps = zip(turns, turns.dropFirst()).map { $0 - $1 }
        // It never turns back, and no frame shows more than a seventh of the way.
        #expect(steps.dropFirst().allSatisfy { $0 > -1e-3 }, "\(turns)")
        #expect((steps.max() ?? 9) < 0.22, "\(turns)")
        #expect(abs(turns[36] + Double.pi / 2) < 0.01, "\(turns[36])")
        // Eased in: half of the time is less than a third of the way.
        let half = (turns[18] - turns[0]) / (turns[36] - turns[0])
        #expect(half > 0.2 && half < 0.36, "\(half)")
        let tip = try #require(stage.tip)
        #expect((tip.center - Vector(-340, 784)).length < 2)
    }

    /// UIKit's attachment: its anchor is at the exit at once, and a rod that is a pin jumps.
    @Test func withoutATravelItIsSentThereAtOnce() throws {
        var stage = try leaving { $0.exitTravel = 0 }
        stage.step()
        #expect(((try #require(stage.tip)).center - Vector(-340, 784)).length < 60)
        var hanging = try leaving(rod: Vector(30, -40)) { $0.exitTravel = 0 }
        hanging.step(47)
        // The rod of 50 points keeps it from the exit.
        let tip = try #require(hanging.tip)
        #expect(abs((tip.center - Vector(-340, 784)).length - 50) < 2)
    }

    @Test func theTravelDoesNotOutlastTheExit() throws {
        var stage = try leaving { ($0.exitTravel, $0.exitDuration) = (2, 0.2) }
        stage.step(23)
        #expect(stage.phase == "leaving")
        #expect((try #require(stage.tip)).rotation < -1.3)
        stage.step()
        #expect(stage.phase == "entering")
    }

    /// Whatever the viewport, the tip and the rod are, at the end nothing is to be seen of it.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func theExitIsOutsideTheViewport(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func length(_ most: Double) -> Double { 20 + random.unit() * (most - 20) }
        let viewport = Size(length(2_000), length(2_000))
        var scene: Sheet = ["tips": [[:], [:], [:]], "fade": 0]
        if seed % 4 != 0 { scene["size"] = [Sheet(length(1_500)), Sheet(length(1_500))] }
        let parameters = try TipsParameters(scene, viewport: viewport)
        var stage = Stage(Tips(parameters, viewport: viewport, tracker: .uikit), seed: seed)
        stage.run(to: "resting")
        let home = Vector(viewport.width / 2, viewport.height / 2)
        func finger() -> Vector {
            Vector(random.unit() * viewport.width, random.unit() * viewport.height)
        }
        let first = finger()
        try stage.pan(.began, first.x, first.y)
        for _ in 0..<random.whole(in: 0...8) {
            stage.step(random.whole(in: 0...9))
            let next = finger()
            try stage.pan(.changed, next.x, next.y)
        }
        let side = random.unit() < 0.5 ? -1.0 : 1
        try stage.pan(.ended, home.x + side * (100 + random.unit() * 300), finger().y)
        try #require(stage.phase == "leaving", "seed \(seed)")
        stage.step(47)
        try #require(stage.phase == "leaving", "seed \(seed)")
        let tip = try #require(stage.tip)
        #expect(!tip.isSeen(in: viewport), "seed \(seed): \(tip) in \(viewport)")
    }

    @Test func thePivotIsAsFarAsTheTipNeeds() throws {
        for (viewport, size, offset) in [
            (Size(320, 568), [300, 400], 500), (Size(1_000, 600), [300, 400], 750),
            (Size(320, 568), [900, 1_200], 910),
        ] as [(Size, Sheet, Double)] {
            let parameters = try TipsParameters(["tips": [], "size": size], viewport: viewport)
            #expect(parameters.pivotOffset == offset)
        }
        let given = try TipsParameters(
            ["tips": [], "pivot_offset": 200], viewport: Size(1_000, 600))
        #expect(given.pivotOffset == 200)
    }
}

extension ViewState {
    /// Whether a part of it lies within a viewport: no axis of either separates them.
    fileprivate func isSeen(in viewport: Size) -> Bool {
        let (sine, cosine) = Angle.sineCosine(rotation)
        let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { (x, y) in
            center + Vector(x * size.width, y * size.height).rotated(sine: sine, cosine: cosine)
        }
        let screen = [
            Vector(0, 0), Vector(viewport.width, 0), Vector(viewport.width, viewport.height),
            Vector(0, viewport.height),
        ]
        let axes = [Vector(1, 0), Vector(0, 1), Vector(cosine, sine), Vector(-sine, cosine)]
        return axes.allSatisfy { axis in
            guard let mine = Self.extent(of: corners, along: axis),
                let its = Self.extent(of: screen, along: axis)
            else { return false }
            // A point at the edge is not seen.
            return mine.upperBound > its.lowerBound + 0.5
                && mine.lowerBound < its.upperBound - 0.5
        }
    }

    /// From the first to the last of some points in a direction.
    private static func extent(of points: [Vector], along axis: Vector) -> ClosedRange<Double>? {
        let places = points.map(axis.dot)
        guard let first = places.min(), let last = places.max() else { return nil }
        return first...last
    }
}
