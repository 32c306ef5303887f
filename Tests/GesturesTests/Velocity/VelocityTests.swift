import Geometry
import Gestures
import Testing

/// The velocity along x of samples `(milliseconds, x)` that end at another one.
///
/// y moves the other way at half the speed, and is checked too.
private func speed(
    _ kind: VelocityTracker.Kind, _ samples: [(Double, Double)], end: (Double, Double)
) -> Double {
    var tracker = VelocityTracker(kind: kind)
    for (milliseconds, x) in samples {
        tracker.add(Vector(x, -x / 2), at: SampleTime(claimed: nil, received: milliseconds))
    }
    let velocity = tracker.velocity(
        endingAt: Vector(end.1, -end.1 / 2), time: SampleTime(claimed: nil, received: end.0))
    #expect(abs(velocity.y + velocity.x / 2) <= 1e-9 * (1 + abs(velocity.x)))
    return velocity.x
}

private func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-6 }

@Suite struct VelocityTests {
    /// Spacings in milliseconds, from a fast touch panel to a slow one.
    @Test(arguments: VelocityTracker.Kind.allCases, [1.0, 4, 7.5, 1_000 / 120.0, 16, 33])
    func aConstantVelocityIsMeasuredExactly(kind: VelocityTracker.Kind, spacing: Double) {
        let samples = (0..<12).map { (Double($0) * spacing, 40 + Double($0) * spacing * 0.75) }
        let found = speed(kind, samples, end: (12 * spacing, 40 + 12 * spacing * 0.75))
        #expect(isNear(found, 750), "\(found)")
    }

    /// An end at the last sample's place is no movement.
    @Test(arguments: VelocityTracker.Kind.allCases)
    func liftingOffInPlaceKeepsTheVelocity(kind: VelocityTracker.Kind) {
        let samples = (0..<10).map { (Double($0) * 8, Double($0) * 10) }
        #expect(isNear(speed(kind, samples, end: (75, 90)), 1_250))
    }

    @Test(arguments: VelocityTracker.Kind.allCases)
    func withoutAMovementThereIsNone(kind: VelocityTracker.Kind) {
        #expect(speed(kind, [], end: (0, 5)) == 0)
        #expect(speed(kind, [(0, 5)], end: (8, 5)) == 0)
        #expect(abs(speed(kind, [(0, 5), (8, 5), (16, 5)], end: (24, 5))) < 1e-9)
    }

    @Test func twoSamplesAreAVelocityForOneKindOnly() {
        #expect(speed(.uikit, [(0, 0)], end: (10, 5)) == 500)
        #expect(speed(.leastSquares, [(0, 0)], end: (10, 5)) == 0)
    }

    /// 0.2 of the last velocity and 0.8 of the one before; older ones do not matter.
    @Test func theNewestCountsAFifth() {
        let samples = [(0.0, 900.0), (10, 0), (20, 10)]
        #expect(isNear(speed(.uikit, samples, end: (30, 40)), 0.2 * 3_000 + 0.8 * 1_000))
        #expect(isNear(speed(.uikit, samples, end: (30, 10)), 0.2 * 1_000 - 0.8 * 90_000))
    }

    @Test(arguments: VelocityTracker.Kind.allCases)
    func afterFortyMillisecondsItIsNone(kind: VelocityTracker.Kind) {
        let samples = (0..<10).map { (Double($0) * 8, Double($0) * 8) }
        #expect(speed(kind, samples, end: (112, 72)) != 0)
        #expect(speed(kind, samples, end: (112.001, 72)) == 0)
        #expect(speed(kind, samples, end: (112.001, 99)) == 0)
    }

    /// Samples less than 1 ms apart are merged: at the first one's time and the last one's place.
    @Test func samplesWithinAMillisecondAreMerged() {
        let split = [(0.0, 0.0), (10, 4), (10.5, 10), (10.9, 10), (20, 20)]
        #expect(isNear(speed(.uikit, split, end: (30, 30)), 1_000))
        #expect(isNear(speed(.uikit, [(0, 0), (10, 10)], end: (10.5, 20)), 2_000))
        let apart = speed(.uikit, [(0, 0), (10, 10)], end: (14, 20))
        #expect(isNear(apart, 0.2 * 2_500 + 0.8 * 1_000))
    }

    /// A velocity takes one of samples less than 4 ms apart: the last.
    @Test func samplesWithinFourMillisecondsAreMerged() {
        #expect(isNear(speed(.uikit, [(0, 0), (10, 10)], end: (11, 22)), 2_000))
        let within = [(0.0, 0.0), (10, 5), (11, 11), (20, 20)]
        #expect(isNear(speed(.uikit, within, end: (30, 30)), 1_000))
        let burst = [(0.0, 0.0), (10, 10), (11, 12), (12, 14), (13, 16), (14, 14), (15, 16)]
        #expect(isNear(speed(.uikit, burst, end: (17, 17)), 1_000))
        #expect(speed(.uikit, [(0, 0)], end: (3, 30)) == 0)
        // Four milliseconds are enough, and the other method has its own way with noise.
        #expect(isNear(speed(.uikit, [(0, 0), (4, 4)], end: (8, 12)), 0.2 * 2_000 + 0.8 * 1_000))
        let fitted = speed(.leastSquares, [(0, 0), (10, 10), (11, 11)], end: (12, 12))
        #expect(isNear(fitted, 1_000))
    }

    /// As a real pen's: each frame's place comes when it is due, or soon after the one before.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func aSlowStrokeIsNotThrownByABurst(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let slow = 0.2 + random.unit() * 0.3
        var samples: [(Double, Double)] = []
        var time = 0.0
        var isPair = false
        for _ in 0..<20 {
            isPair = !isPair && random.whole(in: 0...2) == 0
            time += isPair ? 1 + random.unit() : 8 + random.unit() * 4
            samples.append((time, (samples.last?.1 ?? 0) + slow * 8))
        }
        let end = (time + (isPair ? 9 : 1), (samples.last?.1 ?? 0) + slow * 8)
        #expect(speed(.uikit, samples, end: end) < 1_000, "seed \(seed)")
        #expect(speed(.uikit, samples, end: end) > 100, "seed \(seed)")
    }

    /// Also the first two, if a publisher sends both at once.
    @Test func theFirstTwoSamplesAreNoException() {
        #expect(isNear(speed(.uikit, [(0, 0), (0.3, 10), (10, 20)], end: (20, 30)), 1_000))
        #expect(isNear(speed(.uikit, [(0, 0), (0.3, 10)], end: (10, 20)), 1_000))
        #expect(isNear(speed(.uikit, [(0, 0), (0, 10)], end: (10, 20)), 1_000))
        #expect(speed(.uikit, [(0, 0)], end: (0.5, 30)) == 0)
    }
}

/// The parabola's samples: 3 to 20, at most 100 ms old, back to a gap of 40 ms.
@Suite struct ParabolaTests {
    /// Ten samples 8 ms apart at 1,000 pt/s, the first at `start`.
    private func straight(from start: Double, count: Int, spacing: Double) -> [(Double, Double)] {
        (0..<count).map { (start + Double($0) * spacing, Double($0) * spacing) }
    }

    @Test func anAccelerationIsFollowedToTheEnd() {
        // x = 3t² in ms: at 80 ms the slope is 480 pt/ms.
        let times: [Double] = (0..<10).map { Double($0) * 8 }
        let samples = times.map { ($0, 3 * $0 * $0) }
        #expect(abs(speed(.leastSquares, samples, end: (80, 19_200)) - 480_000) < 1e-4)
    }

    @Test(arguments: [(40.5, true), (40, false)])
    func samplesBeforeAGapDoNotCount(gap: Double, isExact: Bool) {
        let before = [(184 - gap, 0.0), (192 - gap, 1e5), (200 - gap, 0.0)]
        let samples = before + straight(from: 200, count: 5, spacing: 8)
        #expect(isNear(speed(.leastSquares, samples, end: (240, 40)), 1_000) == isExact)
    }

    @Test(arguments: [(99.5, true), (100, false)])
    func samplesOlderThanAHundredMillisecondsDoNotCount(first: Double, isExact: Bool) {
        let samples = [(first, 5e4)] + straight(from: 110, count: 9, spacing: 10)
        #expect(isNear(speed(.leastSquares, samples, end: (200, 90)), 1_000) == isExact)
    }

    @Test(arguments: [(19, true), (18, false)])
    func onlyTheLastTwentyCount(count: Int, isExact: Bool) {
        let samples = [(98.0, 5e4)] + straight(from: 100, count: count, spacing: 2)
        let end = Double(count) * 2
        #expect(isNear(speed(.leastSquares, samples, end: (100 + end, end)), 1_000) == isExact)
    }
}

/// A finger that rested has forgotten how fast it was. Each comes at 2,500 pt/s, to x = 200 at
/// 80 ms.
@Suite struct PauseTests {
    private let stroke = (0...10).map { (Double($0) * 8, Double($0) * 20) }

    /// The protocol asks for a repeat each second, and a bridge sends one after 900 ms.
    @Test(arguments: VelocityTracker.Kind.allCases, [1, 8, 19, 20, 40, 41, 90] as [Double])
    func aRepeatDoesNotBridgeAPause(kind: VelocityTracker.Kind, rest: Double) {
        #expect(speed(kind, stroke + [(980, 200)], end: (980 + rest, 200)) == 0)
    }

    @Test(arguments: VelocityTracker.Kind.allCases, [8, 1_000 / 60.0, 33, 500] as [Double])
    func manyRepeatsDoNotBridgeItEither(kind: VelocityTracker.Kind, spacing: Double) {
        var samples = stroke
        while samples.last.map({ $0.0 < 1_000 }) == true {
            samples.append(((samples.last?.0 ?? 0) + spacing, 200))
        }
        #expect(speed(kind, samples, end: ((samples.last?.0 ?? 0) + 3, 200)) == 0)
    }

    @Test(arguments: VelocityTracker.Kind.allCases, [-2, -1, 0.5, 1, 2] as [Double])
    func aTrembleBeforeTheLiftIsNoMovement(kind: VelocityTracker.Kind, tremble: Double) {
        let rested = stroke + [(980, 200 + 0.8 * tremble)]
        #expect(speed(kind, rested, end: (988, 200 + 0.8 * tremble)) == 0)
        #expect(speed(kind, rested, end: (988, 200)) == 0)
        #expect(speed(kind, stroke, end: (980, 200 + 0.8 * tremble)) == 0)
        let twice = stroke + [(500, 200 + 0.8 * tremble), (508, 200 - 0.8 * tremble)]
        #expect(speed(kind, twice, end: (516, 200 + 0.8 * tremble)) == 0)
    }

    /// It rests, slips a little, rests there, and slips once more as it lifts.
    @Test(arguments: VelocityTracker.Kind.allCases, [1, 1.5, 1.75] as [Double])
    func aTrembleBetweenTwoRestsIsNoMovement(kind: VelocityTracker.Kind, tremble: Double) {
        var samples = stroke
        for slip in 0...3 {
            let last = samples.last?.0 ?? 0
            samples.append((last + 8, 200 + tremble * Double(slip)))
            samples.append((last + 508, 200 + tremble * Double(slip)))
        }
        let (last, place) = samples.last ?? (0, 0)
        #expect(speed(kind, samples, end: (last + 8, place + tremble)) == 0)
        let flick = [(last + 8, place + 16), (last + 16, place + 32), (last + 24, place + 48)]
        #expect(isNear(speed(kind, samples + flick, end: (last + 28, place + 48)), 2_000))
    }

    /// It never repeats a place exactly, and is at rest all the same.
    @Test(arguments: VelocityTracker.Kind.allCases, 0..<20 as Range<UInt64>)
    func aFingerThatTremblesAllTheTimeRests(kind: VelocityTracker.Kind, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var samples = stroke
        for _ in 0..<60 {
            samples.append(((samples.last?.0 ?? 0) + 8, 200 + (random.unit() - 0.5) * 1.6))
        }
        let end = (samples.last?.0 ?? 0) + 8
        #expect(speed(kind, samples, end: (end, 200)) == 0, "seed \(seed)")
    }

    /// It is measured from the place of the rest, if that was told shortly before.
    @Test func aShortFlickAfterAHoldIsOne() {
        let held = stroke + [(980, 200)]
        let flick = [(988.0, 216.0), (996, 232), (1_004, 248)]
        #expect(speed(.uikit, held + flick, end: (1_008, 248)) == 2_000)
        #expect(isNear(speed(.leastSquares, held + flick, end: (1_008, 248)), 2_000))
        #expect(speed(.uikit, held, end: (988, 216)) == 2_000)
        // Without a repeat the time at which it left is unknown.
        #expect(speed(.uikit, stroke + flick, end: (1_008, 248)) == 2_000)
        #expect(speed(.uikit, stroke + flick.prefix(1), end: (1_000, 216)) == 0)
        // Back over the place of the rest it is still a movement.
        let back = [(988.0, 216.0), (996, 200), (1_004, 184)]
        #expect(speed(.uikit, held + back, end: (1_008, 184)) == -2_000)
    }

    /// A slow finger moves, however slowly, as long as it does not stay about a place.
    @Test(arguments: VelocityTracker.Kind.allCases, [21.0, 60, 200])
    func aSlowStrokeIsNoRest(kind: VelocityTracker.Kind, speed wanted: Double) {
        let samples = (0..<60).map { (Double($0) * 8, Double($0) * 8 * wanted / 1_000) }
        let end = (480.0, 480 * wanted / 1_000)
        #expect(isNear(speed(kind, samples, end: end), wanted))
    }
}

/// Screens report more often than they measure, and resend the place of a finger that moves on.
@Suite struct RepeatTests {
    /// A stroke at 2,000 pt/s whose places come `count` times, `spacing` milliseconds apart. The
    /// finger moves as soon as it has landed.
    private func stroke(repeating count: Int, spacing: Double) -> [(Double, Double)] {
        let frame = Double(count) * spacing
        let moving = (0..<12 * count).map {
            (Double($0) * spacing, Double($0 / count) * frame * 2)
        }
        return [(-frame, -frame * 2)] + moving
    }

    /// 60 moves and 120 reports a second, 60 and 240, 20 and 80, and others.
    @Test(
        arguments: VelocityTracker.Kind.allCases,
        [(2, 8), (4, 4), (3, 8), (3, 12.5), (2, 1_000 / 120.0), (16, 0.5)] as [(Int, Double)])
    func aRepeatIsNoMovement(kind: VelocityTracker.Kind, rate: (Int, Double)) {
        let samples = stroke(repeating: rate.0, spacing: rate.1)
        let last = samples[samples.count - 1]
        for end in samples.indices.dropFirst(4 * rate.0) {
            let before = Array(samples[..<end])
            // It lifts at its place, at once or after a repeat, or with a movement.
            let (time, place) = before[before.count - 1]
            #expect(isNear(speed(kind, before, end: (time, place)), 2_000), "\(end)")
            #expect(isNear(speed(kind, before, end: (time + 1, place)), 2_000), "\(end)")
            #expect(isNear(speed(kind, before, end: samples[end]), 2_000), "\(end)")
        }
        let next = (last.0 + rate.1, last.1 + Double(rate.0) * rate.1 * 2)
        #expect(isNear(speed(kind, samples, end: next), 2_000))
    }

    /// Every sample, or any of them, may come twice: the bits are those of the changes.
    @Test(arguments: VelocityTracker.Kind.allCases, 0..<40 as Range<UInt64>)
    func repeatsChangeNoBit(kind: VelocityTracker.Kind, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (plain, repeating): ([(Double, Double)], [(Double, Double)]) = ([], [])
        var (time, x) = (0.0, 0.0)
        for _ in 0..<24 {
            time += 4 + random.unit() * 12
            x += 3 + random.unit() * 30
            plain.append((time, x))
            repeating.append((time, x))
            for _ in 0..<(plain.count == 1 ? 0 : random.whole(in: 0...3)) {
                time += random.unit() * 6
                repeating.append((time, x))
            }
        }
        let end = (time + 3, x)
        let expected = speed(kind, plain, end: end)
        #expect(expected != 0)
        #expect(speed(kind, repeating, end: end) == expected, "seed \(seed)")
    }

    /// Its landing place is one at which it stood still.
    @Test func aRepeatOfTheLandingIsARestForTheParabolaAlone() {
        let moves = [(16.0, 32.0), (32, 64)]
        let repeating = [(0.0, 0.0), (8, 0)] + moves
        #expect(speed(.uikit, repeating, end: (32, 64)) == 2_000)
        let found = speed(.leastSquares, repeating, end: (32, 64))
        #expect(found > 2_000 && found < 3_000, "\(found)")
    }

    /// The finger was seen at the place of its rest, so that it left since.
    @Test(arguments: VelocityTracker.Kind.allCases, [4, 8, 16, 40] as [Double])
    func aFlickAfterARestCountsFromTheLastRepeat(
        kind: VelocityTracker.Kind, spacing: Double
    ) {
        var samples = stroke(repeating: 2, spacing: 8)
        let (start, place) = samples[samples.count - 1]
        let rest = (1...100).map { (start + Double($0) * spacing, place) }
        let lifted = start + 100 * spacing
        samples += rest
        #expect(speed(kind, samples, end: (lifted + spacing, place)) == 0)
        let flick = (1...3).map { (lifted + Double($0) * 8, place + Double($0) * 12) }
        let end = (lifted + 32, place + 48)
        #expect(isNear(speed(kind, samples + flick, end: end), 1_500))
    }
}

/// The tracker of a scroll view's offset.
@Suite struct ScrollingVelocityTests {
    private func speed(_ samples: [(Double, Double)], end: (Double, Double)) -> Double {
        var tracker = VelocityTracker.scrolling
        for (milliseconds, y) in samples {
            tracker.add(Vector(0, y), at: SampleTime(claimed: nil, received: milliseconds))
        }
        return tracker.velocity(
            endingAt: Vector(0, end.1), time: SampleTime(claimed: nil, received: end.0)
        ).y
    }

    /// 0.75 of the previous velocity and 0.25 of the last; older ones do not matter.
    @Test func theLatestCountsAQuarter() {
        let samples = [(0.0, 900.0), (10, 0), (20, 10)]
        #expect(isNear(speed(samples, end: (30, 40)), 0.75 * 1_000 + 0.25 * 3_000))
        #expect(isNear(speed(samples, end: (30, 10)), 0.25 * 1_000 - 0.75 * 90_000))
    }

    @Test func aRepeatIsNoMovement() {
        let samples = [(0.0, 0.0), (8, 0), (16, 32), (24, 32), (32, 64), (40, 64)]
        #expect(speed(samples, end: (40, 64)) == 2_000)
        #expect(speed(samples, end: (48, 96)) == 2_000)
    }

    @Test func afterFortyMillisecondsItIsNone() {
        #expect(speed([(0, 0), (10, 10)], end: (50, 10)) == 1_000)
        #expect(speed([(0, 0), (10, 10)], end: (50.001, 10)) == 0)
    }
}
