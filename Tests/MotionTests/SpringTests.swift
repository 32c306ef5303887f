import Foundation
import Geometry
import Motion
import Testing

/// The closed form of an underdamped, critical or overdamped spring.
private func closedForm(
    _ spring: Spring, _ x: Double, _ v: Double, at t: Double
) -> (x: Double, v: Double) {
    let half = spring.damping / 2
    let square = half * half - spring.stiffness
    let root = abs(square).squareRoot()
    let drive = v + half * x
    if abs(square) < 1e-9 {
        let e = exp(-half * t)
        return (e * (x + drive * t), e * (drive - half * (x + drive * t)))
    }
    if square < 0 {
        let (e, c, s) = (exp(-half * t), cos(root * t), sin(root * t))
        let at = e * (x * c + drive / root * s)
        return (at, e * (-x * root * s + drive * c) - half * at)
    }
    // Two decays, because the hyperbolic functions overflow.
    let (slow, quick) = (exp((root - half) * t), exp((-root - half) * t))
    let (c, s) = ((slow + quick) / 2, (slow - quick) / 2)
    let at = x * c + drive / root * s
    return (at, x * root * s + drive * c - half * at)
}

/// Springs of all three kinds; nearly critical ones, for which a naive form loses digits.
private let springs = [
    Spring(), Spring(stiffness: 100, damping: 20), Spring(stiffness: 100, damping: 60),
    Spring(stiffness: 100, damping: 19.999_999), Spring(stiffness: 100, damping: 20.000_001),
    Spring(stiffness: 100, damping: 2), Spring(stiffness: 30_000, damping: 40),
    Spring(stiffness: 30_000, damping: 900), Spring(stiffness: 1, damping: 1.5),
    Spring(duration: 0.8, dampingRatio: 0.6), Spring(duration: 1, dampingRatio: 1),
]

@Suite struct SpringTests {
    @Test func theDefaultsAreStiffness100AndDamping10() {
        let spring = Spring()
        #expect(spring.stiffness == 100 && spring.damping == 10 && spring.dampingRatio == 0.5)
    }

    /// ω = ln(1000 ζ/√(1 − ζ²))/(ζ D), k = ω², c = 2ζω; at ζ 1, (1 + ωD) e^(−ωD) = 0.001.
    @Test(arguments: [(0.6, 0.8, 190.214), (1.0, 1.0, 85.256), (1.0, 2.0, 85.256 / 4)])
    func aDurationAndARatioGiveTheStiffness(ratio: Double, duration: Double, k: Double) {
        let spring = Spring(duration: duration, dampingRatio: ratio)
        #expect(abs(spring.stiffness - k) < 0.000_5)
        #expect(abs(spring.damping - 2 * ratio * spring.stiffness.squareRoot()) < 1e-12)
        #expect(abs(spring.dampingRatio - ratio) < 1e-12)
    }

    @Test func aCriticalSpringIsWithinAThousandthAfterItsDuration() {
        let way = Spring(duration: 1, dampingRatio: 1).stiffness.squareRoot()
        #expect(abs((1 + way) * exp(-way) - 0.001) < 1e-15)
    }

    /// Also for ratios below e/1000, where the logarithm is below 1.
    @Test(arguments: [1e-6, 0.000_5, 0.001, 0.002_7, 0.002_8, 0.01, 0.5, 0.999, 1 - 1e-15])
    func everyRatioGivesASpring(ratio: Double) {
        let spring = Spring(duration: 0.5, dampingRatio: ratio)
        #expect(spring.stiffness > 0 && spring.stiffness.isFinite)
        #expect(abs(spring.dampingRatio - ratio) < 1e-12)
    }

    @Test(arguments: springs)
    func everyStepIsTheClosedForms(spring: Spring) {
        for (from, speed) in [(1.0, 0.0), (-2, 30), (0, 5), (3, -80)] {
            var (x, v) = (from, speed)
            for step in 1...600 {
                spring.advance(displacement: &x, velocity: &v)
                let exact = closedForm(spring, from, speed, at: Double(step) / 120)
                #expect(abs(x - exact.x) < 1e-7, "step \(step) of \(spring.damping)")
                #expect(abs(v - exact.v) < 1e-5, "step \(step) of \(spring.damping)")
            }
        }
    }

    @Test func theDefaultsSettleToAThousandthIn1Point4727Seconds() {
        let seconds = Spring().settling(displacement: 1, velocity: 0, to: 0.001)
        #expect(abs(seconds - 1.4727) < 0.000_05)
        #expect(Spring().settling(displacement: -300, velocity: 0, to: 0.3) == seconds)
    }

    /// After the settling time the closed form stays within the distance, but not long before.
    @Test(arguments: springs)
    func aSettledSpringStaysSettled(spring: Spring) {
        for (x, v) in [(1.0, 0.0), (-200, 3_000), (0, 500), (10, -400), (0.002, 0)] {
            let end = spring.settling(displacement: x, velocity: v, to: 0.001)
            #expect(end >= 0 && end <= Spring.settlingSecondsMax)
            guard end < Spring.settlingSecondsMax else { continue }
            for later in 0..<400 {
                let at = closedForm(spring, x, v, at: end + Double(later) / 120)
                #expect(abs(at.x) <= 0.001_000_1, "\(spring.damping) from \(x) at \(v)")
            }
        }
    }

    @Test func aSpringAtRestHasSettled() {
        #expect(Spring().settling(displacement: 0, velocity: 0, to: 0.001) == 0)
        #expect(Spring().settling(displacement: 0.000_5, velocity: 0, to: 0.001) == 0)
    }

    /// The time to settle is bounded for weak damping.
    @Test func noSpringIsWaitedForLongerThanTenMinutes() {
        let weak = Spring(stiffness: 100, damping: 1e-6)
        #expect(weak.settling(displacement: 100, velocity: 0, to: 0.001) == 600)
        let creeping = Spring(stiffness: 1e-6, damping: 100)
        #expect(creeping.settling(displacement: 100, velocity: 0, to: 0.001) == 600)
    }

    /// Those that a scene may have end by themselves, and do not leap at the bound.
    @Test(arguments: [0.01, 0.5, 10], [-0.9, -0.3, 0, 0.3, 0.9])
    func springsOfScenesSettle(duration: Double, bounce: Double) {
        let spring = Spring(duration: duration, bounce: bounce)
        let ratio = bounce >= 0 ? 1 - bounce : 1 / (1 + bounce)
        #expect(abs(spring.dampingRatio - ratio) < 1e-12)
        #expect(abs(spring.stiffness.squareRoot() * duration - 2 * .pi) < 1e-9)
        let end = spring.settling(displacement: 5_000, velocity: 10_000, to: 0.001)
        #expect(end < Spring.settlingSecondsMax, "\(end) s")
    }
}

@Suite struct SpringAnimationTests {
    private func steps(_ animation: SpringAnimation) -> [SpringAnimation] {
        var animation = animation
        var steps = [animation]
        while animation.isMoving && steps.count <= 1_201 {
            animation.advance()
            steps.append(animation)
        }
        return steps
    }

    @Test func itArrivesExactlyAndRests() {
        // 1.4727 s are 176.7 steps.
        let path = steps(SpringAnimation(from: 0, to: 1))
        #expect(path.count - 1 == 177)
        #expect(path.last?.value == 1 && path.last?.velocity == 0)
        #expect(abs(path[176].value - 1) < 0.001)
        var rested = path[177]
        rested.advance()
        #expect(rested == path[177])
    }

    @Test func itCarriesTheVelocityItInherits() {
        var animation = SpringAnimation(from: 10, to: 10, velocity: 600)
        animation.advance()
        #expect(abs(animation.value - (10 + 600 / 120)) < 0.3)
        #expect(animation.isMoving)
    }

    /// A new target keeps value and velocity: the next step continues from there.
    @Test(arguments: 0..<32 as Range<UInt64>)
    func sentElsewhereItNeitherJumpsNorStops(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let spring = springs[random.whole(in: 0...4)]
        var animation = SpringAnimation(from: 0, to: 300, spring: spring)
        for _ in 0..<8 {
            for _ in 0..<random.whole(in: 1...40) { animation.advance() }
            let before = animation
            animation.retarget(to: random.unit() * 600 - 300)
            #expect(animation.value == before.value, "seed \(seed)")
            #expect(animation.velocity == before.velocity, "seed \(seed)")
        }
        let path = steps(animation)
        #expect(path.last?.value == animation.target, "seed \(seed)")
        #expect(path.count <= 1_201 && path.allSatisfy { $0.value.isFinite }, "seed \(seed)")
    }

    /// The last step closes an invisible gap, unless time ran out.
    @Test(arguments: springs)
    func theLastStepIsNoJump(spring: Spring) {
        let path = steps(SpringAnimation(from: 0, to: 200, velocity: -900, spring: spring))
        guard path.count < 1_201, path.count >= 2 else { return }
        #expect(abs(path[path.count - 2].value - 200) < 0.5)
    }

    @Test func withinItsPrecisionItIsThereAtOnce() {
        let animation = SpringAnimation(from: 0.2, to: 0, precision: 0.25)
        #expect(!animation.isMoving && animation.value == 0)
    }
}
