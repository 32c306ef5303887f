/// The exponential function, the natural logarithm and powers.
///
/// The C library's results differ in the last bit between machines. These use plain arithmetic: the
/// same argument gives the same bits everywhere.
package enum Exponential {
    // ln 2 in two parts; the first is short enough that its product with an exponent is exact.
    private static let log2High = 6.931_471_803_691_238_164_90e-01
    private static let log2Low = 1.908_214_929_270_587_700_02e-10
    private static let log2Reciprocal = 1.442_695_040_888_963_387_00

    /// e^x to an ulp; 0 and infinity outside the range of Double.
    package static func natural(_ x: Double) -> Double {
        if x.isNaN { return x }
        if x > 709.782_712_893_383_973_096 { return .infinity }
        if x < -745.133_219_101_941_108_420 { return 0 }
        // e^x = 2^k · e^r with
        //
        // r
        //
        // at most half of ln 2.
        let k = (x * log2Reciprocal).rounded()
        let high = x - k * log2High
        let low = k * log2Low
        let r = high - low
        let z = r * r
        let c = r - z * remainderPolynomial(z)
        let value = 1 - ((low - r * c / (2 - c)) - high)
        // In two factors: 2^k alone may be outside the range while the value is not.
        let half = Int(k) / 2
        return value * powerOfTwo(half) * powerOfTwo(Int(k) - half)
    }

    /// The natural logarithm to an ulp; −infinity for 0, NaN below.
    package static func logarithm(_ x: Double) -> Double {
        if x.isNaN || x < 0 { return .nan }
        if x == 0 { return -.infinity }
        if x == .infinity { return x }
        // x = 2^k · (1 + f) with 1 + f between √½ and √2.
        var k = Double(x.exponent)
        var significand = x.significand
        if significand > 1.414_213_562_373_095_1 {
            significand /= 2
            k += 1
        }
        let f = significand - 1
        let s = f / (2 + f)
        let half = 0.5 * f * f
        let rest = s * (half + logarithmPolynomial(s * s))
        return k * log2High - ((half - (rest + k * log2Low)) - f)
    }

    /// A power of a base above 0, to two ulps for results between 1/e and e.
    ///
    /// Beyond, the error grows with the result's logarithm: an ulp for each factor of e.
    package static func power(_ base: Double, _ exponent: Double) -> Double {
        precondition(base > 0, "a power of \(base)")
        return natural(exponent * logarithm(base))
    }

    private static func powerOfTwo(_ k: Int) -> Double {
        Double(sign: .plus, exponent: k, significand: 1)
    }

    // Minimax coefficients, as published with fdlibm's e_exp and e_log.
    private static func remainderPolynomial(_ z: Double) -> Double {
        let high =
            6.613_756_321_437_934_361_17e-05 + z
            * (-1.653_390_220_546_525_153_90e-06 + z * 4.138_136_797_057_238_460_39e-08)
        return 1.666_666_666_666_660_190_37e-01 + z
            * (-2.777_777_777_701_559_338_42e-03 + z * high)
    }

    private static func logarithmPolynomial(_ z: Double) -> Double {
        let w = z * z
        let even =
            w
            * (3.999_999_999_940_941_908e-01 + w
                * (2.222_219_843_214_978_396e-01 + w * 1.531_383_769_920_937_332e-01))
        let odd =
            z
            * (6.666_666_666_666_735_130e-01 + w
                * (2.857_142_874_366_239_149e-01 + w
                    * (1.818_357_216_161_805_012e-01 + w * 1.479_819_860_511_658_591e-01)))
        return even + odd
    }
}
