import Geometry

/// Writes numbers in the wire's form: as short as possible, without exponents, −0 as 0.
///
/// Unsafe, because it fills memory that `ByteBuffer.write` lends. Each function names the most
/// bytes that it writes, and returns the place after the last one. Each buffer has one, for a
/// global table would be asked at each number whether it is made yet.
@safe struct Digits: @unchecked Sendable {
    typealias Place = UnsafeMutablePointer<UInt8>

    /// The most bytes that any function here writes: a sign, 19 digits and a point.
    static let bytesMax = 24

    /// The digits of 0 to 999, first those of a whole number and then those behind a point: three
    /// bytes of text, without zeros in front or at the end, and their count in the fourth.
    private let threes: UnsafePointer<UInt32>

    /// Its table is made once, and stays.
    static let shared = Digits()

    private init() {
        let table = UnsafeMutablePointer<UInt32>.allocate(capacity: 2_000)
        for value in 0..<1_000 {
            let digits = [value / 100, value / 10 % 10, value % 10]
            let whole = Array(digits.drop { $0 == 0 })
            unsafe table[value] = Self.packed(whole.isEmpty ? [0] : whole)
            let last = digits.lastIndex { $0 != 0 } ?? -1
            unsafe table[1_000 + value] = Self.packed(Array(digits[...last]))
        }
        unsafe threes = UnsafePointer(table)
    }

    private static func packed(_ digits: [Int]) -> UInt32 {
        let text = digits.reversed().reduce(0) { $0 << 8 | UInt32($1) | 0x30 }
        return text | UInt32(digits.count) << 24
    }

    /// Up to three digits of an entry of ``threes``; it fills four bytes.
    @inline(__always)
    private func three(_ entry: UInt64, at place: Place) -> Place {
        let digits = unsafe threes[Int(truncatingIfNeeded: entry)]
        unsafe UnsafeMutableRawPointer(place).storeBytes(of: digits, as: UInt32.self)
        return unsafe place + Int(digits >> 24)
    }

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

    /// Exactly four digits.
    @inline(__always)
    private static func four(_ value: UInt64, at place: Place) {
        unsafe pair(value / 100, at: place)
        unsafe pair(value % 100, at: place + 2)
    }

    /// At most 20 bytes.
    @inline(__always)
    func unsigned(_ value: UInt64, at place: Place) -> Place {
        if value < 1_000 { return unsafe three(value, at: place) }
        return unsafe long(value, at: place)
    }

    /// Numbers from 1,000 up, four digits at a time from the left.
    @inline(never)
    private func long(_ value: UInt64, at start: Place) -> Place {
        if value < 10_000 {
            unsafe Self.four(value, at: start)
            return unsafe start + 4
        }
        if value < 100_000_000 {
            let place = unsafe unsigned(value / 10_000, at: start)
            unsafe Self.four(value % 10_000, at: place)
            return unsafe place + 4
        }
        let place = unsafe unsigned(value / 100_000_000, at: start)
        let rest = value % 100_000_000
        unsafe Self.four(rest / 10_000, at: place)
        unsafe Self.four(rest % 10_000, at: place + 4)
        return unsafe place + 8
    }

    /// At most 20 bytes.
    @inline(__always)
    func signed(_ value: Int, at start: Place) -> Place {
        let place = unsafe sign(value < 0, at: start)
        return unsafe unsigned(value.magnitude.asUInt64, at: place)
    }

    @inline(__always)
    private func sign(_ isNegative: Bool, at place: Place) -> Place {
        guard isNegative else { return unsafe place }
        unsafe place.pointee = UInt8(ascii: "-")
        return unsafe place + 1
    }

    /// The digits of a whole number from 0 to 999, as most lengths are; nil for any other.
    @inline(__always)
    private func whole(_ value: Double, at place: Place) -> Place? {
        // Positive doubles are in the order of their patterns; those of negative ones are above.
        guard value.bitPattern < (1_000.0).bitPattern else { return nil }
        // From 2⁵² on doubles are whole numbers, so the addition rounds.
        let sum = value + 0x1p52
        guard sum - 0x1p52 == value else { return nil }
        return unsafe three(sum.bitPattern &- (0x1p52).bitPattern, at: place)
    }

    /// A number's magnitude as the nearest count of `1 / scale`; halves go away from zero.
    @inline(__always)
    private func count(_ value: Double, scale: Double) -> UInt64 {
        let scaled = value.magnitude * scale
        guard scaled < 0x1p52 else { return hugeCount(scaled, most: 1e12 * scale) }
        // As above; a half goes to even.
        let sum = scaled + 0x1p52
        let count = sum.bitPattern &- (0x1p52).bitPattern
        // It is never more than a half, and this comparison needs no look for NaN.
        return scaled - (sum - 0x1p52) >= 0.5 ? count &+ 1 : count
    }

    /// An absurd scene can drive a value out of range (a header of 1/1,000 point pulled down by a
    /// million): this limits it to 10¹², and writes NaN as 0.
    @inline(never)
    private func hugeCount(_ scaled: Double, most: Double) -> UInt64 {
        scaled.isNaN ? 0 : UInt64(min(scaled, most).rounded())
    }

    /// Points, or points per second: to 1/1,000. At most 24 bytes.
    @inline(__always)
    func points(_ value: Double, at start: Place) -> Place {
        if let end = unsafe whole(value, at: start) { return unsafe end }
        let count = count(value, scale: 1_000)
        var place = unsafe sign(value < 0 && count != 0, at: start)
        unsafe place = unsigned(count / 1_000, at: place)
        let rest = count % 1_000
        guard rest != 0 else { return unsafe place }
        unsafe place[0] = UInt8(ascii: ".")
        return unsafe three(1_000 + rest, at: place + 1)
    }

    /// Scales, alphas, seconds: to 1/1,000,000. At most 24 bytes.
    @inline(__always)
    func fine(_ value: Double, at place: Place) -> Place {
        if let end = unsafe whole(value, at: place) { return unsafe end }
        let count = count(value, scale: 1_000_000)
        return unsafe millionths(count, isNegative: value < 0, at: place)
    }

    /// Radians: to 1/1,000,000, wrapped into (−π, π]. At most 24 bytes.
    @inline(__always)
    func radians(_ value: Double, at place: Place) -> Place {
        if value == 0 { return unsafe unsigned(0, at: place) }
        let wrapped = value.magnitude < Double.pi ? value : Angle.wrapped(value)
        let count = count(wrapped, scale: 1_000_000)
        // −3.141593 is outside the range; it is the same direction as π.
        return unsafe millionths(count, isNegative: wrapped < 0 && count != 3_141_593, at: place)
    }

    @inline(__always)
    private func millionths(
        _ count: UInt64, isNegative: Bool, at start: Place
    ) -> Place {
        var place = unsafe sign(isNegative && count != 0, at: start)
        unsafe place = unsigned(count / 1_000_000, at: place)
        let rest = count % 1_000_000
        guard rest != 0 else { return unsafe place }
        unsafe place[0] = UInt8(ascii: ".")
        unsafe Self.pair(rest / 10_000, at: place + 1)
        unsafe Self.four(rest % 10_000, at: place + 3)
        return unsafe withoutZeros(place + 7)
    }

    /// The end without trailing zeros. A digit other than 0 must stand before them.
    @inline(__always)
    private func withoutZeros(_ end: Place) -> Place {
        var end = unsafe end
        while unsafe end[-1] == UInt8(ascii: "0") { unsafe end -= 1 }
        return unsafe end
    }

    /// A whole second of the present, 10 digits, as it was written last: most times lie in the same
    /// one.
    struct Second {
        fileprivate var value: UInt64 = 0
        fileprivate var first: UInt64 = 0
        fileprivate var last: UInt16 = 0
    }

    /// Milliseconds since the Unix epoch, always with three decimals, rounded to the nearest.
    @inline(__always)
    func milliseconds(_ time: Instant, _ second: inout Second, at start: Place) -> Place {
        // A half is rounded up, also before 1970, so that the output never runs backwards.
        var (microseconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000)
        if rest < 0 { (microseconds, rest) = (microseconds - 1, rest + 1_000) }
        if rest >= 500 { microseconds += 1 }
        let magnitude = microseconds.magnitude.asUInt64
        let (milliseconds, thousandths) = magnitude.quotientAndRemainder(dividingBy: 1_000)
        let seconds = milliseconds / 1_000
        var place = unsafe start
        if microseconds >= 0, seconds / 1_000_000_000 &- 1 < 9 {
            let text = UnsafeMutableRawPointer(place)
            if second.value == seconds {
                unsafe text.storeBytes(of: second.first, as: UInt64.self)
                unsafe text.storeBytes(of: second.last, toByteOffset: 8, as: UInt16.self)
            } else {
                _ = unsafe unsigned(seconds, at: place)
                second.value = seconds
                second.first = unsafe text.loadUnaligned(as: UInt64.self)
                second.last = unsafe text.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
            }
            unsafe Self.thousand(milliseconds % 1_000, at: place + 10)
            unsafe place += 13
        } else {
            unsafe place = sign(microseconds < 0, at: place)
            unsafe place = unsigned(milliseconds, at: place)
        }
        unsafe place.pointee = UInt8(ascii: ".")
        unsafe Self.thousand(thousandths, at: place + 1)
        return unsafe place + 4
    }

    /// Exactly three digits.
    @inline(__always)
    private static func thousand(_ value: UInt64, at place: Place) {
        unsafe place.pointee = UInt8(truncatingIfNeeded: value / 100) | 0x30
        unsafe pair(value % 100, at: place + 1)
    }
}

extension UInt {
    @inline(__always)
    fileprivate var asUInt64: UInt64 { UInt64(truncatingIfNeeded: self) }
}
