/// Angles in radians: sine, cosine, direction.
///
/// The C library's results differ in the last bit between machines. These use plain arithmetic: the
/// same angle gives the same bits everywhere.
package enum Angle {
    /// Sine and cosine, to about an ulp for
    ///
    /// angle
    ///
    /// ≤ 10⁵ and to 10⁻⁹ up to 10⁷.
    ///
    /// NaN for an infinite angle or NaN.
    package static func sineCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
        // Larger angles are first reduced by whole turns of the Double nearest to 2π.
        let angle = angle.magnitude <= 1e7 ? angle : angle.remainder(dividingBy: 2 * Double.pi)
        // Adding 1.5·2⁵² rounds to the nearest integer and leaves it in the lowest bits.
        let shifted = angle * 0.636_619_772_367_581_4 + 0x1.8p52
        let quarters = shifted - 0x1.8p52
        // π/2 = a + b + c, with a and b short enough that their products with `quarters` are exact.
        let near = angle - quarters * 1.570_796_326_734_125_6
        let part = quarters * 6.077_100_506_303_966e-11
        let rest = near - part
        let last = quarters * 2.022_266_248_795_950_6e-21
        let r = rest - last
        // The rounding errors of the two subtractions.
        let tail = ((near - rest) - part) + ((rest - r) - last)
        let z = r * r
        let sine = r + (r * z * sinePolynomial(z) + tail)
        let half = 0.5 * z
        let most = 1 - half
        let cosine = most + (((1 - most) - half) + (z * z * cosinePolynomial(z) - r * tail))
        switch shifted.bitPattern & 3 {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }

    /// The same direction in (−π, π]. NaN for an infinite angle or NaN.
    package static func wrapped(_ angle: Double) -> Double {
        if angle > -Double.pi && angle <= Double.pi { return angle }
        // Exact, so that a wrapped angle never jumps; at half a turn it may give −π.
        let wrapped = angle.remainder(dividingBy: 2 * Double.pi)
        return wrapped <= -Double.pi ? Double.pi : wrapped
    }

    /// The angle of a vector in (−π, π], from the x axis towards y: clockwise on screen.
    ///
    /// To about an ulp; 0 for a zero vector, NaN if a component is infinite or NaN.
    package static func direction(of vector: Vector) -> Double {
        let (x, y) = (vector.x.magnitude, vector.y.magnitude)
        let longer = max(x, y)
        if longer == 0 { return 0 }
        let (unitX, unitY) = (x / longer, y / longer)
        // Within 0.004 of the first octant's angle; one correction leaves 10⁻¹³, the second
        // nothing.
        let slope = min(unitX, unitY)
        let octant = slope * (Double.pi / 4 + 0.273 * (1 - slope))
        var angle = x >= y ? octant : Double.pi / 2 - octant
        for _ in 0..<2 {
            let (sine, cosine) = sineCosine(angle)
            let offset =
                (unitY * cosine - unitX * sine) / (unitX * cosine + unitY * sine)
            angle += offset - offset * offset * offset / 3
        }
        if vector.x < 0 { angle = Double.pi - angle }
        return vector.y < 0 ? -angle : angle
    }

    // Minimax coefficients over
    //
    // r
    //
    // ≤ π/4, as published with fdlibm's kernels.
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
