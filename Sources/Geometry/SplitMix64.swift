/// A seeded random number generator: the same seed gives the same numbers on every machine.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable, Codable {
    package var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A whole number, uniform in a closed range.
    ///
    /// The standard library does not promise that its own method stays the same.
    package mutating func whole(in range: ClosedRange<Int>) -> Int {
        let span = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound)) &+ 1
        guard span != 0 else { return Int(truncatingIfNeeded: next()) }
        let offset = next().multipliedFullWidth(by: span).high
        return range.lowerBound &+ Int(truncatingIfNeeded: offset)
    }

    /// A number, uniform in 0..<1, with 53 bits.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// FNV-1a over bytes: a hash that is the same in every run and on every machine.
package struct StableHash: Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package init(_ text: String) {
        for byte in text.utf8 { combine(byte) }
    }

    package mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    /// The shard of what has this hash, of so many. The remainder, for names that differ in their
    /// ends alone have the same upper bits.
    package func shard(of count: Int) -> Int { Int(value % UInt64(count)) }
}
