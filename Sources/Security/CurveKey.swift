/// A key of CurveZMQ: 32 bytes, written as the 40 characters of Z85 (ZeroMQ RFC 32).
///
/// It is a value of four words, so that a comparison allocates nothing.
package struct CurveKey: Hashable, Sendable {
    /// Bytes of a key.
    package static let byteCount = 32
    /// Characters of its text.
    package static let characterCount = 40

    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// Nil unless there are exactly 32 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var words = [UInt64](repeating: 0, count: 4)
        for (place, byte) in bytes.enumerated() {
            words[place / 8] = words[place / 8] << 8 | UInt64(byte)
        }
        (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
    }

    /// Nil unless these are the 40 characters of a key.
    package init?(text: some StringProtocol) {
        self.init(z85: Array(text.utf8))
    }

    /// Nil unless these are the 40 characters of a key.
    package init?(z85 text: [UInt8]) {
        guard text.count == Self.characterCount else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        for start in stride(from: 0, to: text.count, by: 5) {
            var value: UInt64 = 0
            for byte in text[start..<start + 5] {
                guard let digit = Self.alphabet.firstIndex(of: byte) else { return nil }
                value = value * 85 + UInt64(digit)
            }
            guard let word = UInt32(exactly: value) else { return nil }
            for shift in [24, 16, 8, 0] {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(shift)))
            }
        }
        self.init(bytes: bytes)
    }

    /// The 32 bytes, as CurveZMQ sends them.
    package var bytes: [UInt8] {
        [first, second, third, fourth].flatMap { word in
            stride(from: UInt64(56), through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: word >> $0)
            }
        }
    }

    /// The 40 characters of Z85.
    package var text: String {
        let bytes = bytes
        var letters: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 4) {
            var value = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            var group: [UInt8] = []
            for _ in 0..<5 {
                group.append(Self.alphabet[value % 85])
                value /= 85
            }
            letters += group.reversed()
        }
        return String(decoding: letters, as: UTF8.self)
    }

    private static let alphabet = Array(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#".utf8
    )
}
