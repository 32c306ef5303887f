import Geometry

/// Writes packets of Open Sound Control, for tests alone.
enum Packet {
    enum Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
        ExpressibleByStringLiteral
    {
        case integer(Int32)
        case wide(Int64)
        case number(Float)
        case double(Double)
        case text(String)
        case time(UInt64)
        case blob([UInt8])

        init(integerLiteral value: Int32) { self = .integer(value) }
        init(floatLiteral value: Float) { self = .number(value) }
        init(stringLiteral value: String) { self = .text(value) }
    }

    static func message(_ address: String, _ values: Value...) -> [UInt8] {
        message(address, values)
    }

    static func message(_ address: String, _ values: [Value]) -> [UInt8] {
        string(address) + string("," + values.map(letter).joined()) + values.flatMap(bytes)
    }

    static func bundle(_ parts: [UInt8]...) -> [UInt8] { bundle(parts) }

    static func bundle(_ parts: [[UInt8]]) -> [UInt8] {
        string("#bundle") + big(UInt64(1)) + parts.flatMap { big(UInt32($0.count)) + $0 }
    }

    static func string(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8) + [0]
        while bytes.count % 4 != 0 { bytes.append(0) }
        return bytes
    }

    private static func letter(_ value: Value) -> String {
        switch value {
        case .integer: "i"
        case .wide: "h"
        case .number: "f"
        case .double: "d"
        case .text: "s"
        case .time: "t"
        case .blob: "b"
        }
    }

    private static func bytes(_ value: Value) -> [UInt8] {
        switch value {
        case .integer(let value): return big(UInt32(bitPattern: value))
        case .wide(let value): return big(UInt64(bitPattern: value))
        case .number(let value): return big(value.bitPattern)
        case .double(let value): return big(value.bitPattern)
        case .time(let value): return big(value)
        case .text(let value): return string(value)
        case .blob(let value):
            let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
            return big(UInt32(value.count)) + value + padding
        }
    }

    private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
        stride(from: value.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: value >> $0)
        }
    }
}

/// A frame of TUIO 1.1: the contacts that it sets are alive, and those in `alive` too.
func frame(
    _ number: Int32, alive: [Int32] = [], set: [(id: Int32, x: Float, y: Float)] = [],
    source: String? = nil
) -> [UInt8] {
    let address = "/tuio/2Dcur"
    var parts: [[UInt8]] = []
    if let source { parts.append(Packet.message(address, "source", .text(source))) }
    let ids = alive + set.map(\.id)
    parts.append(Packet.message(address, ["alive"] + ids.map { .integer($0) }))
    for (id, x, y) in set {
        parts.append(
            Packet.message(
                address, "set", .integer(id), .number(x), .number(y), 0.0, 0.0, 0.0))
    }
    parts.append(Packet.message(address, "fseq", .integer(number)))
    return Packet.bundle(parts)
}
