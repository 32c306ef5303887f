import CLiblo
import Notation

/// One message of Open Sound Control: an address such as `/tuio/2Dcur` and its arguments.
package struct OSCMessage: Hashable, Sendable {
    package enum Argument: Hashable, Sendable {
        case integer(Int)
        case number(Double)
        case text(String)
        /// A type that no bridge reads, such as a blob.
        case other
    }

    package var address: String
    package var arguments: [Argument]

    package init(address: String, arguments: [Argument]) {
        self.address = address
        self.arguments = arguments
    }

    /// The messages of a packet in their order, those of bundles within bundles too; nil where the
    /// packet is malformed in any part, or beyond a bound.
    ///
    /// liblo reads each message. Timetags are passed over: what comes is for now.
    package static func all(in packet: [UInt8]) -> [OSCMessage]? {
        var messages: [OSCMessage] = []
        guard read(packet[...], depth: 0, into: &messages) else { return nil }
        return messages
    }

    /// Bundles within bundles. Trackers nest none.
    package static let depthMax = 8
    /// Messages of one packet: more than a thousand contacts have.
    package static let messagesMax = 1_024

    private static let bundleMark = Array("#bundle\0".utf8)
    /// The mark and the timetag.
    private static let bundleHeadBytes = 16

    private static func read(
        _ bytes: ArraySlice<UInt8>, depth: Int, into messages: inout [OSCMessage]
    ) -> Bool {
        guard bytes.starts(with: bundleMark) else {
            guard messages.count < messagesMax, let message = OSCMessage(bytes) else {
                return false
            }
            messages.append(message)
            return true
        }
        guard depth < depthMax, bytes.count >= bundleHeadBytes else { return false }
        var rest = bytes.dropFirst(bundleHeadBytes)
        while !rest.isEmpty {
            guard rest.count >= 4 else { return false }
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard size > 0, size % 4 == 0, size <= rest.count,
                read(rest.prefix(size), depth: depth + 1, into: &messages)
            else { return false }
            rest = rest.dropFirst(size)
        }
        return true
    }

    private init?(_ bytes: ArraySlice<UInt8>) {
        // liblo finds the end of the address, which begins the message.
        guard bytes.first == UInt8(ascii: "/"),
            let message = unsafe bytes.withUnsafeBytes({
                unsafe gm_message_read($0.baseAddress, $0.count)
            })
        else { return nil }
        defer { unsafe gm_message_free(message) }
        address = PeerText.text(bytes.prefix { $0 != 0 })
        let types = unsafe String(cString: gm_message_types(message)).utf8
        arguments = types.enumerated().map { place, type in
            let place = CInt(place)
            switch type {
            case UInt8(ascii: "i"), UInt8(ascii: "h"):
                return .integer(Int(unsafe gm_message_integer(message, place)))
            case UInt8(ascii: "f"), UInt8(ascii: "d"):
                return .number(unsafe gm_message_number(message, place))
            case UInt8(ascii: "s"), UInt8(ascii: "S"):
                return .text(
                    PeerText.streamSafe(unsafe String(cString: gm_message_text(message, place))))
            default: return .other
            }
        }
    }
}

extension OSCMessage.Argument {
    package var integer: Int? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// A finite number, whole or not.
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value) where value.isFinite: value
        default: nil
        }
    }

    package var text: String? {
        if case .text(let value) = self { value } else { nil }
    }
}
