/// The secret that a link carries, where only those who have it may use the bridge.
package struct AccessToken: Sendable {
    /// Bytes of a token: 16 are 64 bits even of hexadecimal digits.
    package static let bytesRange = 16...128

    package let text: String

    /// Nil: its length is not within the range, or it has another character than links carry as
    /// they are: A–Z a–z 0–9 . _ ~ -
    package init?(_ text: String) {
        guard Self.bytesRange.contains(text.utf8.count),
            text.utf8.allSatisfy({ byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "._~-".utf8.contains(byte)
                }
            })
        else { return nil }
        self.text = text
    }

    /// Compares in a time that tells nothing but the other one's length.
    package func matches(_ other: String?) -> Bool {
        guard let other else { return false }
        let own = Array(text.utf8)
        let bytes = Array(other.utf8.prefix(Self.bytesRange.upperBound + 1))
        var difference: UInt8 = own.count == bytes.count ? 0 : 1
        for place in bytes.indices { difference |= bytes[place] ^ own[place % own.count] }
        return difference == 0
    }
}
