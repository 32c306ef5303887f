/// Angles in radians, with sine and cosine of our own.
///
/// The C library's differ in the last bit from machine to machine; these are plain arithmetic,
/// so the same angle gives the same bits everywhere.
package enum Angle {
    /// Both at once, to about one ulp over |angle| ≤ 10⁵ (reduction by π/2 in three parts).
    package static func sineCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
        let quarters = (angle * 0.636_619_772_367_581_4).rounded(.toNearestOrEven)
        // π/2 = a + b + c, a and b short enough that quarters · a and quarters · b are exact.
        var r = angle - quarters * 1.570_796_326_734_125_6
        r -= quarters * 6.077_100_506_303_966e-11
        r -= quarters * 2.022_266_248_795_950_6e-21
        let z = r * r
        let sine = r + r * z * sinePolynomial(z)
        let cosine = 1 - 0.5 * z + z * z * cosinePolynomial(z)
        switch Int(truncatingIfNeeded: Int64(quarters)) & 3 {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }

    /// The same direction in (−π, π].
    package static func wrapped(_ angle: Double) -> Double {
        if angle > -Double.pi && angle <= Double.pi { return angle }
        let turns = (angle / (2 * Double.pi)).rounded(.toNearestOrEven)
        var wrapped = angle - turns * (2 * Double.pi)
        if wrapped > Double.pi { wrapped -= 2 * Double.pi }
        if wrapped <= -Double.pi { wrapped += 2 * Double.pi }
        return wrapped
    }

    // Minimax coefficients over |r| ≤ π/4, as published with fdlibm's kernels.
    private static func sinePolynomial(_ z: Double) -> Double {
        let high =
            2.755_731_370_707_006_77e-06 + z
            * (-2.505_076_025_340_686_34e-08
                + z * 1.589_690_995_211_550_1e-10)
        return -1.666_666_666_666_663_24e-01 + z
            * (8.333_333_333_322_489_46e-03
                + z * (-1.984_126_982_985_794_93e-04 + z * high))
    }

    private static func cosinePolynomial(_ z: Double) -> Double {
        let high =
            2.480_158_728_947_672_94e-05 + z
            * (-2.755_731_435_139_066_33e-07
                + z * (2.087_572_321_298_174_83e-09 + z * -1.135_964_755_778_819_48e-11))
        return 4.166_666_666_666_660_19e-02 + z * (-1.388_888_888_887_410_96e-03 + z * high)
    }
}
