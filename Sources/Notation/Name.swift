/// The rule for names of sessions, components, kinds, screens and items, which are parts of topics.
package enum Name {
    /// Bytes of a name: two names fit into a topic.
    package static let bytesMax = 64
    /// Bytes of a topic: libzmq 4.3.4 loses subscriptions of 246 to 255.
    package static let topicBytesMax = 200

    package static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count >= 1 && bytes.count <= bytesMax && bytes.allSatisfy(contains)
    }

    /// Whether a session may have this name: rejections without a session stand under `-`.
    package static func isValidSession(_ text: String) -> Bool { isValid(text) && text != "-" }

    /// Completes "must be …".
    package static let rule = "a name of 1 to \(bytesMax) bytes of A-Z a-z 0-9 . _ ~ -"

    /// The same of a session's name.
    package static let sessionRule = "\(rule), and not - alone"

    /// Whether a name may contain the byte: `A-Z a-z 0-9 . _ ~ -`.
    @inlinable @inline(__always)
    package static func contains(_ byte: UInt8) -> Bool {
        let bits: UInt64 = byte < 64 ? 0x03FF_6000_0000_0000 : 0x47FF_FFFE_87FF_FFFE
        return byte < 128 && (bits >> UInt64(byte & 63)) & 1 == 1
    }
}
