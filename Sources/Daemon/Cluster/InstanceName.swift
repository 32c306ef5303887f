/// The name of a state directory in a cluster: a UUID of random bits (RFC 9562, version 4).
struct InstanceName: Hashable {
    /// Its 36 characters, in lower case.
    let text: String

    /// Nil where the text is no UUID.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
            parts.allSatisfy({ $0.utf8.allSatisfy { $0.isHexDigit } })
        else { return nil }
        self.text = text.lowercased()
    }

    static func random() -> InstanceName {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        return InstanceName(text: parts.joined(separator: "-"))
    }

    private init(text: String) { self.text = text }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
