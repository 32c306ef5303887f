import Foundation
import Geometry
import Motion
import Testing

private let physics = ScrollPhysics.normal

/// Every step of a coast until it rests; nil if it does not within 10 s.
private func route(
    from offset: Double, at velocity: Double, in bounds: ClosedRange<Double>,
    by physics: ScrollPhysics = .normal
) -> [ScrollPhysics.Coast]? {
    var coast = ScrollPhysics.Coast(offset: offset, velocity: velocity)
    var path = [coast]
    for _ in 0..<1_200 {
        let isMoving = physics.advance(&coast, within: bounds)
        path.append(coast)
        if !isMoving { return path }
    }
    return nil
}

@Suite struct RubberBandTests {
    /// d · (1 − 1/(1 + 0.55 · x/d)), of a viewport of 568.
    @Test(arguments: [0, 1, 10, 55, 100, 284, 568, 5_680, 1e9] as [Double])
    func itShowsAShareOfThePull(x: Double) {
        let shown = ScrollPhysics.rubberBand(x, extent: 568)
        #expect(abs(shown - 568 * (1 - 1 / (1 + 0.55 * x / 568))) < 1e-9)
        #expect(ScrollPhysics.rubberBand(-x, extent: 568) == -shown)
        #expect(shown < 568 && shown <= 0.55 * x)
    }

    @Test func aHundredPointsShowFifty() {
        // 568 · (1 − 1/(1 + 55/568)) = 568 · 55/623.
        #expect(abs(ScrollPhysics.rubberBand(100, extent: 568) - 568 * 55 / 623) < 1e-9)
    }

    @Test(arguments: 0..<32 as Range<UInt64>)
    func theInverseGivesThePullBack(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let extent = 10 + random.unit() * 1_000
            let shown = (random.unit() * 1.8 - 0.9) * extent
            let pull = ScrollPhysics.pull(showing: shown, extent: extent)
            let again = ScrollPhysics.rubberBand(pull, extent: extent)
            #expect(abs(again - shown) < 1e-11 * extent, "seed \(seed)")
        }
    }
}

@Suite struct FlingTests {
    /// v(t) = v₀ · r^t and v · r · (1 − r^t)/(1 − r), r = 0.998 per ms, fast 0.99: at every step.
    @Test(arguments: [(ScrollPhysics.normal, 0.998), (ScrollPhysics.fast, 0.99)])
    func aFlingFollowsTheLaw(physics: ScrollPhysics, r: Double) throws {
        let path = try #require(route(from: 40, at: 2_000, in: 0...5_000, by: physics))
        for (step, coast) in path.dropLast().enumerated() {
            let kept = pow(r, Double(step) * 1_000 / 120)
            #expect(abs(coast.velocity - 2_000 * kept) < 1e-8)
            #expect(abs(coast.offset - (40 + 2 * r * (1 - kept) / (1 - r))) < 1e-8)
        }
    }

    /// It stops at the first step at which it is slower than 10 pt/s.
    @Test(arguments: [300, -300, 2_000, -8_000] as [Double])
    func itStopsBelowTenPointsASecond(velocity: Double) throws {
        let path = try #require(route(from: 0, at: velocity, in: -100_000...100_000))
        let steps = (log(10 / abs(velocity)) / log(0.998) * 0.12).rounded(.up)
        #expect(path.count - 1 == Int(steps))
        #expect(path.last?.velocity == 0)
        #expect(path.dropLast().allSatisfy { abs($0.velocity) >= 10 })
    }

    /// Two half steps equal a step: the output rate does not change a fling.
    @Test func theLawIsExactFromStepToStep() {
        var coast = ScrollPhysics.Coast(offset: 0, velocity: 3_000)
        for _ in 0..<60 { _ = physics.advance(&coast, within: 0...100_000) }
        let way: Double = 3 * 0.998 * (1 - pow(0.998, 500)) / 0.002
        #expect(abs(coast.offset - way) < 1e-9)
    }
}

@Suite struct BounceTests {
    /// The peak is at 91 ms; step 11, at 91.7 ms, gives 100.06.
    @Test func fromTheEdgeAt3005ItPeaksNearAHundredPoints() throws {
        let path = try #require(route(from: 0, at: -3_005, in: 0...1_000))
        let peak = path.map(\.offset).min() ?? 0
        #expect(abs(peak + 100.062_885_3) < 1e-6)
        #expect(path.firstIndex { $0.offset == peak } == 11)
        #expect(path.last == ScrollPhysics.Coast(offset: 0, velocity: 0))
    }

    /// s = 0.99^t; edge + s · (offset − edge) + v · r · s · (1 − r^t)/(1 − r); v · s · r^t.
    @Test(arguments: [(30.0, 0.0), (0.0, 900.0), (30.0, 900.0), (200.0, -100.0), (5.0, 20_000.0)])
    func beyondAnEdgeItFollowsTheLaw(beyond: Double, velocity: Double) throws {
        let path = try #require(route(from: 500 + beyond, at: velocity, in: 0...500))
        for (step, coast) in path.dropLast().enumerated() {
            let t = Double(step) * 1_000 / 120
            let (s, kept) = (pow(0.99, t), pow(0.998, t))
            let way = velocity / 1_000 * 0.998 * (1 - kept) / 0.002
            #expect(abs(coast.offset - (500 + s * (beyond + way))) < 1e-8, "step \(step)")
            #expect(abs(coast.velocity - velocity * s * kept) < 1e-8, "step \(step)")
        }
        #expect(path.last == ScrollPhysics.Coast(offset: 500, velocity: 0))
    }

    /// It is on the edge from the first step that is slower than 10 pt/s and within 0.5 pt.
    @Test(arguments: [1.0, 50, 300, 100_000])
    func withinHalfAPointItIsTheEdge(beyond: Double) throws {
        let path = try #require(route(from: -beyond, at: 0, in: 0...500))
        let steps = (log(0.5 / beyond) / log(0.99) * 0.12).rounded(.up)
        #expect(path.count - 1 == Int(steps))
        #expect(path.last?.offset == 0)
        #expect(path.dropLast().allSatisfy { $0.offset < -0.5 })
    }

    /// 8 pt beyond the edge it returns, however slow it is.
    @Test func itRestsOnTheEdgeOnly() throws {
        let path = try #require(route(from: 0, at: 3_005, in: -10...0))
        let slow = try #require(path.first { $0.velocity < 10 })
        #expect(slow.offset > 5)
        #expect(path.last?.offset == 0)
    }

    /// A fling that reaches the edge within a step is split there, each part with its share of
    /// time.
    @Test(arguments: [0.001, 2.5, 8, 16.4] as [Double])
    func aStepIsSplitAtTheEdge(gap: Double) throws {
        let r = 0.998
        var coast = ScrollPhysics.Coast(offset: 500 - gap, velocity: 2_000)
        #expect(physics.advance(&coast, within: 0...500))
        let there = log(1 - gap * (1 - r) / (2 * r)) / log(r)
        let v = 2 * pow(r, there)
        let left = 1_000.0 / 120 - there
        #expect(left > 0)
        let s = pow(0.99, left)
        let kept = pow(r, left)
        #expect(abs(coast.offset - (500 + v * r * s * (1 - kept) / (1 - r))) < 1e-9)
        #expect(abs(coast.velocity - 1_000 * v * s * kept) < 1e-7)
    }

    /// Thrown back from beyond an edge it passes the edge without a jump.
    @Test func fromBeyondItMayFlingInside() throws {
        let path = try #require(route(from: -40, at: 3_000, in: 0...10_000))
        #expect((path.last?.offset ?? 0) > 1_000)
        for (a, b) in zip(path, path.dropFirst()) {
            #expect(b.offset > a.offset && b.offset - a.offset < 26)
            #expect(b.velocity < a.velocity)
        }
    }

    /// If both edges are one place, it swings through.
    @Test func withoutAnInsideItSwingsThrough() throws {
        let path = try #require(route(from: -20, at: 3_000, in: 0...0))
        for (step, coast) in path.dropLast().enumerated() {
            let t = Double(step) * 1_000 / 120
            let way = 3 * 0.998 * (1 - pow(0.998, t)) / 0.002
            #expect(abs(coast.offset - pow(0.99, t) * (way - 20)) < 1e-8)
        }
        #expect(path.contains { $0.offset > 50 } && path.last?.offset == 0)
    }
}

/// Properties of every coast.
@Suite struct CoastPropertyTests {
    @Test(arguments: 0..<64 as Range<UInt64>)
    func everyCoastRestsInsideWithinTenSeconds(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let size = random.whole(in: 0...3) == 0 ? 0 : random.unit() * 10_000
            let bounds = 0...size
            let offset = (random.unit() - 0.5) * (random.whole(in: 0...1) == 0 ? 2e6 : 1_000)
            let wild = random.whole(in: 0...1) == 0 ? 2e9 : 10_000
            let velocity = (random.unit() - 0.5) * wild
            let path = route(from: offset, at: velocity, in: bounds)
            guard let path, let last = path.last else {
                Issue.record("seed \(seed): \(offset) at \(velocity) in \(bounds) never rests")
                continue
            }
            #expect(bounds.contains(last.offset) && last.velocity == 0, "seed \(seed)")
            #expect(path.allSatisfy { $0.offset.isFinite && $0.velocity.isFinite })
            #expect(path.allSatisfy { abs($0.velocity) <= abs(velocity) }, "seed \(seed)")
        }
    }
}
