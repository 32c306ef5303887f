/// A host with or without a port, as a request or an origin names it.
package struct Authority: Hashable, Sendable {
    /// In lower case; of an address of IPv6 without its brackets.
    package let name: String
    /// It was written in brackets, so it is an address of IPv6.
    let isBracketed: Bool
    /// Nil: the scheme's own.
    let port: Int?

    /// Nil: it is no name that one can write into an address bar, or more stands behind it than a
    /// port.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.bytesMax else { return nil }
        let end: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")),
                bracket > 2, bytes[1..<bracket].contains(UInt8(ascii: ":")),
                bytes[1..<bracket].allSatisfy(Self.isAddressByte)
            else { return nil }
            name = String(decoding: bytes[1..<bracket], as: UTF8.self).lowercased()
            isBracketed = true
            end = bracket + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            guard end > 0, bytes[..<end].allSatisfy(Self.isNameByte) else { return nil }
            name = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
            isBracketed = false
        }
        guard end == bytes.count || bytes[end] == UInt8(ascii: ":") else { return nil }
        let digits = bytes[end...].dropFirst()
        guard digits.count <= 5, digits.allSatisfy(Self.isDigit) else { return nil }
        port = Int(String(decoding: digits, as: UTF8.self))
    }

    /// Bytes of a name, the longest that there can be, with a port.
    private static let bytesMax = 253 + 6

    /// No name that somebody can register is all digits and dots.
    var isAddress: Bool {
        isBracketed || name.utf8.allSatisfy { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~".utf8.contains(byte)
        }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x46, 0x61...0x66: true
        default: byte == UInt8(ascii: ".")
        }
    }
}
