import Foundation
import Geometry
import Testing

@Suite struct AngleTests {
    /// The C library's sine and cosine are correct to about half an ulp.
    @Test(arguments: [
        (0.0, Double.pi / 4), (0, 7), (7, 1_000), (1_000, 100_000),
    ])
    func sineAndCosineAgreeWithTheLibrary(from: Double, to: Double) {
        var random = SplitMix64(seed: 1)
        var worst = 0.0
        for _ in 0..<20_000 {
            let magnitude = from + random.unit() * (to - from)
            for angle in [magnitude, -magnitude] {
                let (sine, cosine) = Angle.sineCosine(angle)
                worst = max(worst, abs(sine - sin(angle)) / sin(angle).ulp)
                worst = max(worst, abs(cosine - cos(angle)) / cos(angle).ulp)
            }
        }
        #expect(worst <= 1.5, "\(worst) ulp")
    }

    @Test func nearTheAxesNoDigitIsLost() {
        for quarter in [1, 2, 3, 4, 5, 100, 12_345, 63_661] {
            for offset in [0, 1e-16, -1e-12, 1e-8, -1e-4] {
                let angle = Double(quarter) * (.pi / 2) + offset
                let (sine, cosine) = Angle.sineCosine(angle)
                #expect(abs(sine - sin(angle)) <= 1.5 * sin(angle).ulp, "sine of \(angle)")
                #expect(abs(cosine - cos(angle)) <= 1.5 * cos(angle).ulp, "cosine of \(angle)")
            }
        }
    }

    @Test func manyTurnsStayOnTheCircle() {
        for angle in [1e6, -9.99e6, 1e7, 1.5e7, -1e15, 1e300, .greatestFiniteMagnitude] {
            let (sine, cosine) = Angle.sineCosine(angle)
            #expect(abs(sine * sine + cosine * cosine - 1) < 1e-15, "at \(angle)")
        }
        #expect(abs(Angle.sineCosine(9.99e6).sine - sin(9.99e6)) < 1e-8)
        #expect(Angle.sineCosine(.infinity).sine.isNaN)
        #expect(Angle.sineCosine(.nan).cosine.isNaN)
    }

    @Test func zeroIsExact() {
        #expect(Angle.sineCosine(0) == (0, 1))
    }

    private static let wraps: [(angle: Double, wrapped: Double)] = [
        (0, 0), (Double.pi, Double.pi), (-Double.pi, Double.pi), (3 * Double.pi, Double.pi),
        (-3 * Double.pi, Double.pi), (2 * Double.pi, 0), (1, 1), (-1, -1),
        (4, 4 - 2 * Double.pi), (-4, 2 * Double.pi - 4),
    ]

    @Test(arguments: wraps)
    func wrappingKeepsTheDirection(angle: Double, wrapped: Double) {
        #expect(abs(Angle.wrapped(angle) - wrapped) < 1e-15)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func wrappedAnglesLieInTheHalfOpenTurn(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            let angle = (random.unit() - 0.5) * 2_000
            let wrapped = Angle.wrapped(angle)
            #expect(wrapped > -Double.pi && wrapped <= Double.pi, "seed \(seed): \(angle)")
            #expect(Angle.wrapped(wrapped) == wrapped, "seed \(seed): \(angle)")
            #expect(abs(sin(wrapped) - sin(angle)) < 1e-12, "seed \(seed): \(angle)")
        }
    }

    /// The C library's result is correct to about an ulp.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func directionsAgreeWithTheLibrary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var worst = 0.0
        for _ in 0..<5_000 {
            let length = [1e-300, 1e-6, 1, 1e6, 1e300][random.whole(in: 0...4)]
            let x = (random.unit() * 2 - 1) * length
            let y = (random.unit() * 2 - 1) * (random.unit() < 0.1 ? 1e-9 : 1) * length
            let expected = atan2(y, x)
            worst = max(worst, abs(Angle.direction(of: Vector(x, y)) - expected) / expected.ulp)
        }
        #expect(worst <= 2, "seed \(seed): \(worst) ulp")
    }

    private static let directions: [(x: Double, y: Double, angle: Double)] = [
        (0, 0, 0), (-0.0, -0.0, 0), (3, 0, 0), (3, -0.0, 0), (0, 2, Double.pi / 2),
        (0, -2, -Double.pi / 2), (-1, 0, Double.pi), (-1, -0.0, Double.pi),
        (5, 5, Double.pi / 4), (-5, 5, 3 * Double.pi / 4), (-5, -5, -3 * Double.pi / 4),
        (5, -5, -Double.pi / 4),
    ]

    @Test(arguments: directions)
    func theAxesAndDiagonalsAreExact(x: Double, y: Double, angle: Double) {
        #expect(Angle.direction(of: Vector(x, y)) == angle)
    }

    /// Pinned bits: the same on every machine and in every build.
    @Test func aDirectionHasTheSameBitsEverywhere() {
        var random = SplitMix64(seed: 3)
        var hash = StableHash()
        for _ in 0..<1_000 {
            let vector = Vector(random.unit() - 0.5, random.unit() - 0.5)
            var bits = Angle.direction(of: vector).bitPattern
            for _ in 0..<8 {
                hash.combine(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
            }
        }
        #expect(hash.value == 14_038_692_276_906_859_543)
    }

    @Test func theDirectionOfANonFiniteVectorIsNaN() {
        #expect(Angle.direction(of: Vector(.nan, 1)).isNaN)
        #expect(Angle.direction(of: Vector(.infinity, 1)).isNaN)
    }
}
