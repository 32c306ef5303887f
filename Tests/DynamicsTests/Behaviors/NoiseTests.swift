import Dynamics
import Geometry
import Testing

@Suite struct NoiseTests {
    /// The bits are the same on every machine and in every build.
    @Test func theBitsAreTheSameEverywhere() {
        var hash = StableHash()
        for count in 0..<2_000 {
            let noise = Noise(seed: UInt64(count % 5), smoothness: Double(count % 4) / 3)
            let place = Vector(Double(count) / 7 - 100, 50 - Double(count) / 3)
            let value = noise.vector(at: place, time: Double(count) / 11)
            for number in [value.x, value.y] {
                for byte in 0..<8 as Range<UInt64> {
                    hash.combine(UInt8(truncatingIfNeeded: number.bitPattern >> (8 * byte)))
                }
            }
        }
        #expect(String(hash.value, radix: 16) == "89dd54df6ea21958")
    }

    @Test(arguments: [0, 0.5, 1])
    func itIsBoundedAndCentered(smoothness: Double) {
        var random = SplitMix64(seed: 3)
        let noise = Noise(seed: 9, smoothness: smoothness)
        var sum = Vector.zero
        var squares = 0.0
        for _ in 0..<4_000 {
            let value = noise.vector(at: random.vector(within: 1e4), time: random.unit() * 1e4)
            #expect(abs(value.x) <= 1 && abs(value.y) <= 1)
            sum += value
            squares += value.lengthSquared
        }
        #expect((sum / 4_000).length < 0.03)
        #expect(squares / 4_000 > 0.02)
    }

    /// No jumps, also between cells; a higher smoothness is smoother.
    @Test func itIsContinuousAndSmoothnessSmooths() {
        var steepest: [Double] = []
        for smoothness in [0, 0.5, 1] {
            let noise = Noise(seed: 4, smoothness: smoothness)
            var steep = 0.0
            for step in 0..<40_000 {
                let x = Double(step) * 1e-4 - 2
                let slope =
                    noise.vector(at: Vector(x + 1e-4, 0.3), time: 0)
                    - noise.vector(at: Vector(x, 0.3), time: 0)
                steep = max(steep, slope.length * 1e4)
            }
            steepest.append(steep)
        }
        // A quintic's slope is at most 1.875; the finest lattice has eight cells per metre.
        #expect(steepest[0] < 1.875 * 8 * 3 && steepest[2] < 1.875 * 3)
        #expect(steepest[0] > steepest[1] && steepest[1] > steepest[2])
    }

    @Test func seedsAxesAndTimesDiffer() {
        let place = Vector(0.4, 0.6)
        let noise = Noise(seed: 1).vector(at: place, time: 0.5)
        #expect(noise.x != noise.y)
        #expect(noise != Noise(seed: 2).vector(at: place, time: 0.5))
        #expect(noise != Noise(seed: 1).vector(at: place, time: 0.6))
        #expect(noise != Noise(seed: 1).vector(at: place + Vector(0.01, 0), time: 0.5))
        #expect(noise == Noise(seed: 1).vector(at: place, time: 0.5))
    }

    @Test func farAwayIsStillANumber() {
        for far in [1e12, -1e15, 1e300] {
            let value = Noise(seed: 1, smoothness: 0).vector(at: Vector(far, -far), time: far)
            #expect(abs(value.x) <= 1 && abs(value.y) <= 1)
        }
    }
}
