/// Gives each name of a session its lane, by a key that every start of the daemon draws anew.
///
/// A peer who could tell which names share a lane could press on one session's lane alone. A key
/// mixed into ``StableHash`` would not prevent this: names of one such hash are quickly found, and
/// would share a lane under every key. So the bytes of the name themselves are the coefficients of
/// a polynomial, taken at a secret point modulo 2⁶¹ - 1: whoever chose two names, they meet in one
/// value under at most one key of 2⁵⁶, and a line of the key brings other values to lanes evenly.
/// It costs one multiplication for each seven bytes.
struct LaneChoice: Sendable {
    let count: Int
    /// Where the polynomial is taken, and the line that follows: each below the prime.
    private let point, slope, offset: UInt64

    private static var prime: UInt64 { 1 << 61 - 1 }
    private static var wordBytes: Int { 7 }
    private static var wordMask: UInt64 { 1 << 56 - 1 }

    init(count: Int, by generator: inout some RandomNumberGenerator) {
        precondition(count > 0, "\(count) lanes")
        self.count = count
        point = .random(in: 1..<Self.prime, using: &generator)
        slope = .random(in: 1..<Self.prime, using: &generator)
        offset = .random(in: 0..<Self.prime, using: &generator)
    }

    init(count: Int) {
        var generator = SystemRandomNumberGenerator()
        self.init(count: count, by: &generator)
    }

    func lane(of name: String) -> Int {
        let bytes = name.utf8.span
        return unsafe lane(of: bytes.bytes)
    }

    /// The lane of the session that these bytes name.
    func lane(of name: RawSpan) -> Int { lane(of: key(of: name)) }

    /// The lane of the session whose name has this key.
    func lane(of key: NameKey) -> Int { Int(key.value % UInt64(count)) }

    func key(of name: String) -> NameKey {
        let bytes = name.utf8.span
        return unsafe key(of: bytes.bytes)
    }

    /// The key of the session that these bytes name.
    func key(of name: RawSpan) -> NameKey {
        // The count comes first, so that no name is another one with bytes of 0 before it.
        let count = name.byteCount
        var value = UInt64(count)
        var start = 0
        while count - start > Self.wordBytes {
            let word = unsafe name.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
            value = Self.product(value, point, plus: word & Self.wordMask)
            start += Self.wordBytes
        }
        if start < count { value = Self.product(value, point, plus: name.word(from: start)) }
        return NameKey(value: Self.product(value, slope, plus: offset))
    }

    /// `a * b + c` modulo the prime; all below 2⁶¹.
    private static func product(_ a: UInt64, _ b: UInt64, plus c: UInt64) -> UInt64 {
        let (high, low) = a.multipliedFullWidth(by: b)
        // 2⁶¹ is 1.
        let sum = (low & prime) &+ (low >> 61 | high << 3) &+ c
        let folded = (sum & prime) &+ (sum >> 61)
        return folded >= prime ? folded &- prime : folded
    }
}

/// A name's value under the secret key of a ``LaneChoice``; it stands for the name in tables.
struct NameKey: Hashable, Sendable {
    /// Spread evenly below 2⁶¹ - 1.
    let value: UInt64

    // It is a hash by a secret already; the standard library's own would be one more.
    func _rawHashValue(seed: Int) -> Int { Int(truncatingIfNeeded: value) }
}

extension RawSpan {
    /// The last bytes from one on, one to eight, as a word with the first one lowest.
    @inline(__always)
    func word(from start: Int) -> UInt64 {
        let count = byteCount - start
        precondition(1...8 ~= count, "a word of \(count) bytes")
        if count >= 4 {
            // Two loads that may overlap; the bytes that both have are the same.
            let first = unsafe unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self)
            let last = unsafe unsafeLoadUnaligned(
                fromByteOffset: byteCount - 4, as: UInt32.self)
            return UInt64(first) | UInt64(last) << UInt64(8 * (count - 4))
        }
        var word: UInt64 = 0
        for index in (start..<byteCount).reversed() {
            word = word << 8 | UInt64(unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self))
        }
        return word
    }
}
