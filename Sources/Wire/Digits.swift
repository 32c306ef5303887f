import Geometry

/// Writes numbers as the wire wants them: shortest, no exponents, −0 as 0.
///
/// Unsafe, because it fills memory that `ByteBuffer.write` lends; each function says how many
/// bytes it writes at most and returns the place behind the last.
enum Digits {
    typealias Place = UnsafeMutablePointer<UInt8>

    /// What any of these writes at most: a sign, 19 digits and a point.
    static let bytesMax = 24

    private static let pairs: StaticString = """
        0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243\
        4445464748495051525354555657585960616263646566676869707172737475767778798081828384858687\
        888990919293949596979899
        """

    @inline(__always)
    private static func pair(_ value: UInt64, at place: Place) {
        let source = unsafe UnsafeRawPointer(pairs.utf8Start) + Int(truncatingIfNeeded: value &* 2)
        let digits = unsafe source.loadUnaligned(as: UInt16.self)
        unsafe UnsafeMutableRawPointer(place).storeBytes(of: digits, as: UInt16.self)
    }

    /// At most 20 bytes.
    @inline(__always)
    static func unsigned(_ value: UInt64, at place: Place) -> Place {
        if value < 10 {
            unsafe place.pointee = UInt8(truncatingIfNeeded: value) | 0x30
            return unsafe place + 1
        }
        if value < 100 {
            unsafe pair(value, at: place)
            return unsafe place + 2
        }
        if value < 1_000 {
            unsafe place.pointee = UInt8(truncatingIfNeeded: value / 100) | 0x30
            unsafe pair(value % 100, at: place + 1)
            return unsafe place + 3
        }
        return unsafe long(value, at: place)
    }

    @inline(never)
    private static func long(_ value: UInt64, at place: Place) -> Place {
        var length = 4
        var bound: UInt64 = 10_000
        while length < 20 && value >= bound {
            length += 1
            let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
            if overflow { break }
            bound = next
        }
        var rest = value
        var at = length
        while rest >= 100 {
            at -= 2
            unsafe pair(rest % 100, at: place + at)
            rest /= 100
        }
        if rest >= 10 {
            unsafe pair(rest, at: place)
        } else {
            unsafe place.pointee = UInt8(truncatingIfNeeded: rest) | 0x30
        }
        return unsafe place + length
    }

    /// At most 20 bytes.
    @inline(__always)
    static func signed(_ value: Int, at place: Place) -> Place {
        guard value < 0 else { return unsafe unsigned(UInt64(value), at: place) }
        unsafe place.pointee = UInt8(ascii: "-")
        return unsafe unsigned(value.magnitude.asUInt64, at: place + 1)
    }

    /// A number counted in units of `1 / scale`, 1,000 or 1,000,000; at most 21 bytes.
    @inline(__always)
    private static func decimal(_ count: Int, million: Bool, at start: Place) -> Place {
        var place = unsafe start
        if count < 0 {
            unsafe place.pointee = UInt8(ascii: "-")
            unsafe place += 1
        }
        let magnitude = count.magnitude.asUInt64
        let scale: UInt64 = million ? 1_000_000 : 1_000
        let whole = magnitude / scale
        let rest = magnitude &- whole &* scale
        unsafe place = unsigned(whole, at: place)
        guard rest != 0 else { return unsafe place }
        unsafe place.pointee = UInt8(ascii: ".")
        unsafe place += 1
        if million {
            unsafe pair(rest / 10_000, at: place)
            unsafe pair(rest / 100 % 100, at: place + 2)
            unsafe pair(rest % 100, at: place + 4)
            unsafe place += 6
        } else {
            unsafe place.pointee = UInt8(truncatingIfNeeded: rest / 100) | 0x30
            unsafe pair(rest % 100, at: place + 1)
            unsafe place += 3
        }
        while unsafe (place - 1).pointee == UInt8(ascii: "0") { unsafe place -= 1 }
        return unsafe place
    }

    /// The nearest multiple of `1 / scale`, as a count of them; halves go away from zero.
    ///
    /// A scene may be absurd enough for a component to leave the doubles (a header of 10⁻³⁰⁰
    /// points pulled down): beyond 10¹² it stops, and what is not a number is 0.
    @inline(__always)
    static func count(_ value: Double, scale: Double) -> Int {
        var scaled = value.magnitude * scale
        let most = 1e12 * scale
        if !(scaled < most) { scaled = scaled.isNaN ? 0 : most }
        var count = Int(scaled)
        if scaled - Double(count) >= 0.5 { count &+= 1 }
        return value < 0 ? 0 &- count : count
    }

    /// Points, or points per second: to 1/1,000. At most 24 bytes.
    @inline(__always)
    static func points(_ value: Double, at place: Place) -> Place {
        unsafe decimal(count(value, scale: 1_000), million: false, at: place)
    }

    /// Scales, alphas, seconds: to 1/1,000,000. At most 24 bytes.
    @inline(__always)
    static func fine(_ value: Double, at place: Place) -> Place {
        unsafe decimal(count(value, scale: 1_000_000), million: true, at: place)
    }

    /// Radians: to 1/1,000,000, wrapped into (−π, π]. At most 24 bytes.
    @inline(__always)
    static func radians(_ value: Double, at place: Place) -> Place {
        let wrapped = value.magnitude < Double.pi ? value : Angle.wrapped(value)
        var count = count(wrapped, scale: 1_000_000)
        // What rounds to −3.141593 lies outside the range; it is the same direction as π.
        if count == -3_141_593 { count = 3_141_593 }
        return unsafe decimal(count, million: true, at: place)
    }

    /// Milliseconds since the Unix epoch, always with three decimals, rounded down.
    @inline(__always)
    static func milliseconds(_ time: Instant, at start: Place) -> Place {
        var place = unsafe start
        // Down, also before 1970, so that the output never runs backwards.
        var microseconds = time.nanoseconds / 1_000
        if time.nanoseconds < 0 && microseconds * 1_000 != time.nanoseconds { microseconds -= 1 }
        if microseconds < 0 {
            unsafe place.pointee = UInt8(ascii: "-")
            unsafe place += 1
        }
        let magnitude = microseconds.magnitude.asUInt64
        unsafe place = unsigned(magnitude / 1_000, at: place)
        let rest = magnitude % 1_000
        unsafe place.pointee = UInt8(ascii: ".")
        unsafe (place + 1).pointee = UInt8(truncatingIfNeeded: rest / 100) | 0x30
        unsafe pair(rest % 100, at: place + 2)
        return unsafe place + 4
    }
}

extension UInt {
    @inline(__always)
    fileprivate var asUInt64: UInt64 { UInt64(truncatingIfNeeded: self) }
}
