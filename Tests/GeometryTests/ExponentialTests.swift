import Foundation
import Geometry
import Testing

/// The number of doubles between a number and the one with these bits.
private func ulps(_ found: Double, _ bits: UInt64) -> Int64 {
    abs(Int64(bitPattern: found.bitPattern) - Int64(bitPattern: bits))
}

@Suite struct ExponentialTests {
    /// The nearest doubles to the true values, found with 80 decimal digits.
    @Test(
        arguments: [
            (0.0, 0x3ff0_0000_0000_0000), (1.0, 0x4005_bf0a_8b14_5769),
            (-1.0, 0x3fd7_8b56_362c_ef38), (0.5, 0x3ffa_6129_8e1e_069c),
            (-0.5, 0x3fe3_68b2_fc6f_960a), (1e-10, 0x3ff0_0000_0006_df38),
            (-1e-10, 0x3fef_ffff_fff2_4190), (0.3465735902799726, 0x3ff6_a09e_667f_3bcc),
            (0.3465735902799727, 0x3ff6_a09e_667f_3bcd),
            (-0.016683358355571, 0x3fef_7876_b33f_5916),
            (-0.08375279487791, 0x3fed_6dd7_d071_64ad), (1e-300, 0x3ff0_0000_0000_0000),
            (2.5, 0x4028_5d6f_d931_e0bb), (-10.05033585350145, 0x3f06_a258_c41b_e112),
            (20.0, 0x41bc_eb08_8b68_e804), (-20.0, 0x3e21_b486_55f3_7267),
            (100.25, 0x48f8_c39b_9134_bac4), (-100.25, 0x36e4_acd3_1e16_7ebb),
            (700.0, 0x7f0d_945d_f4f8_ec8e), (-700.0, 0x00d1_4f2b_0fb9_307f),
            (709.782712893384, 0x7fef_ffff_ffff_ff2a),
        ] as [(Double, UInt64)])
    func theExponentialIsTheNearestOrItsNeighbour(x: Double, bits: UInt64) {
        #expect(ulps(Exponential.natural(x), bits) <= 1)
    }

    @Test(
        arguments: [
            (0.998, 0xbf60_6680_ffe7_cc09), (0.99, 0xbf84_9545_3e6f_d4bc),
            (0.5, 0xbfe6_2e42_fefa_39ef), (2.0, 0x3fe6_2e42_fefa_39ef),
            (10.0, 0x4002_6bb1_bbb5_5516), (1.0000000001, 0x3ddb_7cdf_fffa_18d8),
            (0.9999999999, 0xbddb_7ce0_0005_e728), (1.4142135623730951, 0x3fd6_2e42_fefa_39f0),
            (1.4142135623730954, 0x3fd6_2e42_fefa_39f3),
            (0.7071067811865476, 0xbfd6_2e42_fefa_39ee), (750.0, 0x401a_7af4_787c_b1e7),
            (1e-300, 0xc085_9634_47f8_7fb5), (1e300, 0x4085_9634_47f8_7fb5),
            (3.0, 0x3ff1_93ea_7aad_030b),
            (1e10, 0x4037_069e_2aa2_aa5b),
        ] as [(Double, UInt64)])
    func theLogarithmIsTheNearestOrItsNeighbour(x: Double, bits: UInt64) {
        #expect(ulps(Exponential.logarithm(x), bits) <= 1)
    }

    @Test(
        arguments: [
            (0.998, 8.333333333333334, 0x3fef_7876_b4b5_4ca8),
            (0.99, 8.333333333333334, 0x3fed_6dd7_ce84_48f2),
            (0.99, 5.0201411408209, 0x3fee_6cef_03d9_c57f),
            (0.95, 5.0201411408209, 0x3fe8_bc44_a60d_5e9e), (2, 0.5, 0x3ff6_a09e_667f_3bcd),
            (0.5, 1, 0x3fe0_0000_0000_0000), (0.983455, -5, 0x3ff1_6454_d7eb_bf3e),
            (1.5, 2, 0x4002_0000_0000_0000), (0.998, 100, 0x3fea_31b3_02f7_4be9),
        ] as [(Double, Double, UInt64)])
    func aPowerIsWithinTwoUlps(base: Double, exponent: Double, bits: UInt64) {
        #expect(ulps(Exponential.power(base, exponent), bits) <= 2)
    }

    /// The C library is within an ulp of the truth, so ours is within two of it.
    @Test func theWholeRangeIsNearTheCLibrarys() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<20_000 {
            let x = random.unit() * 1_400 - 700
            #expect(ulps(Exponential.natural(x), exp(x).bitPattern) <= 2, "\(x)")
            let positive = exp(x)
            let found = Exponential.logarithm(positive)
            #expect(ulps(found, log(positive).bitPattern) <= 2, "\(positive)")
        }
    }

    @Test func theEndsOfTheDoublesAreKept() {
        #expect(Exponential.natural(710) == .infinity)
        #expect(Exponential.natural(.infinity) == .infinity)
        #expect(Exponential.natural(-746) == 0 && Exponential.natural(-.infinity) == 0)
        #expect(Exponential.natural(-744.5) == Double.leastNonzeroMagnitude)
        #expect(Exponential.natural(.nan).isNaN)
        #expect(Exponential.logarithm(0) == -.infinity)
        #expect(Exponential.logarithm(.infinity) == .infinity)
        #expect(Exponential.logarithm(1) == 0)
        let least = Exponential.logarithm(Double.leastNonzeroMagnitude)
        #expect(ulps(least, 0xc087_4385_446d_71c3) <= 1)
        #expect(Exponential.logarithm(-1).isNaN && Exponential.logarithm(.nan).isNaN)
    }

    /// Pinned bits: the same on every machine and in every build.
    @Test func theBitsAreTheSameEverywhere() {
        var hash = StableHash()
        func combine(_ value: Double) {
            for byte in 0..<8 {
                hash.combine(UInt8(truncatingIfNeeded: value.bitPattern >> (8 * byte)))
            }
        }
        for count in 0..<4_096 {
            let x = Double(count) / 64 - 32
            combine(Exponential.natural(x))
            combine(Exponential.logarithm(Double(count + 1) / 64))
            combine(Exponential.power(Double(count + 1) / 4_096, 25.0 / 3))
        }
        #expect(hash.value == 13_593_863_995_555_547_202)
    }
}
