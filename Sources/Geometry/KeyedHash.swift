/// SipHash-2-4 with 128 bits of output: without the key nobody can construct a collision.
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", with the authors' test
/// vectors.
package struct KeyedHash: Sendable {
    private let key: (low: UInt64, high: UInt64)

    package init(key: UInt128) {
        self.key = (UInt64(truncatingIfNeeded: key), UInt64(truncatingIfNeeded: key >> 64))
    }

    package func callAsFunction(_ text: String) -> UInt128 { hash(text.utf8) }

    package func callAsFunction(_ bytes: [UInt8]) -> UInt128 { hash(bytes) }

    private func hash(_ bytes: some Collection<UInt8>) -> UInt128 {
        var state = State(key)
        var word: UInt64 = 0
        var count: UInt64 = 0
        for byte in bytes {
            // Words are little-endian.
            word |= UInt64(byte) << (8 * (count & 7))
            count += 1
            guard count & 7 == 0 else { continue }
            state.absorb(word)
            word = 0
        }
        state.absorb(word | count << 56)
        state.c ^= 0xee
        let low = state.squeeze()
        state.b ^= 0xdd
        return UInt128(state.squeeze()) << 64 | UInt128(low)
    }

    private struct State {
        var a, b, c, d: UInt64

        init(_ key: (low: UInt64, high: UInt64)) {
            a = key.low ^ 0x736f_6d65_7073_6575
            b = key.high ^ 0x646f_7261_6e64_6f6d ^ 0xee
            c = key.low ^ 0x6c79_6765_6e65_7261
            d = key.high ^ 0x7465_6462_7974_6573
        }

        mutating func absorb(_ word: UInt64) {
            d ^= word
            round()
            round()
            a ^= word
        }

        mutating func squeeze() -> UInt64 {
            for _ in 0..<4 { round() }
            return a ^ b ^ c ^ d
        }

        private mutating func round() {
            a &+= b
            b = b << 13 | b >> 51
            b ^= a
            a = a << 32 | a >> 32
            c &+= d
            d = d << 16 | d >> 48
            d ^= c
            a &+= d
            d = d << 21 | d >> 43
            d ^= a
            c &+= b
            b = b << 17 | b >> 47
            b ^= c
            c = c << 32 | c >> 32
        }
    }
}
