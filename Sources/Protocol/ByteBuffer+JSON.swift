package import Geometry
package import Notation

extension ByteBuffer {
    /// A JSON string with its quotes. It escapes only the characters that JSON requires.
    @inlinable @inline(__always)
    package mutating func json(_ text: String) {
        unsafe text.withBytes { unsafe json(utf8: $0) }
    }

    /// A JSON string of valid UTF-8.
    @inlinable @inline(__always)
    mutating func json(utf8 text: UnsafeBufferPointer<UInt8>) {
        // A control character becomes six bytes.
        unsafe write(atMost: text.count &* 6 &+ 2) { start in
            unsafe start.pointee = UInt8(ascii: "\"")
            let end = unsafe escape(text, at: start + 1)
            unsafe end.pointee = UInt8(ascii: "\"")
            return unsafe end + 1
        }
    }

    /// A member's name in an object, with the comma before it and the colon after it.
    @inlinable @inline(__always)
    package mutating func member(_ name: String, isFirst: Bool) {
        unsafe name.withBytes { name in
            unsafe write(atMost: name.count &* 6 &+ 4) { start in
                unsafe start[0] = UInt8(ascii: ",")
                let place = unsafe isFirst ? start : start + 1
                unsafe place[0] = UInt8(ascii: "\"")
                let end = unsafe escape(name, at: place + 1)
                unsafe end[0] = UInt8(ascii: "\"")
                unsafe end[1] = UInt8(ascii: ":")
                return unsafe end + 2
            }
        }
    }

    /// The same with a literal that needs no escape.
    @inlinable @inline(__always)
    package mutating func member(_ name: StaticString, isFirst: Bool) {
        unsafe write(atMost: name.utf8CodeUnitCount &+ 4) { start in
            unsafe memberName(name, isFirst: isFirst, at: start)
        }
    }

    package mutating func json(_ value: Int) {
        unsafe write(atMost: Digits.bytesMax) { [digits] in
            unsafe digits.signed(value, at: $0)
        }
    }

    package mutating func json(_ value: Bool) {
        if value { append("true") } else { append("false") }
    }

    package mutating func json(_ value: String?) {
        if let value { json(value) } else { append("null") }
    }

    /// Points or points per second, to 1/1,000.
    package mutating func json(points value: Double) {
        unsafe write(atMost: Digits.bytesMax) { [digits] in
            unsafe digits.points(value, at: $0)
        }
    }

    /// Seconds, scales, alphas, to 1/1,000,000.
    package mutating func json(fine value: Double) {
        unsafe write(atMost: Digits.bytesMax) { [digits] in
            unsafe digits.fine(value, at: $0)
        }
    }

    /// Radians, wrapped into (−π, π], to 1/1,000,000.
    package mutating func json(radians value: Double) {
        unsafe write(atMost: Digits.bytesMax) { [digits] in
            unsafe digits.radians(value, at: $0)
        }
    }

    /// Milliseconds since the Unix epoch, with three decimals.
    package mutating func json(_ time: Instant) {
        var second = self.second
        unsafe write(atMost: Digits.bytesMax) { [digits] in
            unsafe digits.milliseconds(time, &second, at: $0)
        }
        self.second = second
    }

    /// Any double, exactly: the shortest text that reads back as it; null if it is not finite.
    package mutating func json(exactly value: Double) {
        if value.isFinite { append(value.description) } else { append("null") }
    }

    /// The name of a member that is not the object's first, with its comma and its colon.
    @inlinable @inline(__always)
    package mutating func key(_ name: StaticString) {
        append(",\"")
        append(name)
        append("\":")
    }

    package mutating func json(_ node: Node) {
        switch node.value {
        case .null: append("null")
        case .bool(let value): json(value)
        case .integer(let value): json(value)
        case .unsigned(let value):
            unsafe write(atMost: Digits.bytesMax) { [digits] in
                unsafe digits.unsigned(UInt64(value), at: $0)
            }
        case .number(let value): json(exactly: value)
        case .string(let value): json(value)
        case .array(let elements):
            append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                json(element)
            }
            append(UInt8(ascii: "]"))
        case .object(let members):
            append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                json(member.name)
                append(UInt8(ascii: ":"))
                json(member.value)
            }
            append(UInt8(ascii: "}"))
        }
    }
}

/// Unsafe: fills lent memory with a comma, the name in quotes, and a colon.
@inlinable @inline(__always)
func memberName(
    _ name: StaticString, isFirst: Bool, at start: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8> {
    let count = name.utf8CodeUnitCount
    unsafe start[0] = UInt8(ascii: ",")
    let place = unsafe isFirst ? start : start + 1
    unsafe place[0] = UInt8(ascii: "\"")
    unsafe copyShort(UnsafeRawPointer(name.utf8Start), count, to: place + 1)
    let end = unsafe place + 1 + count
    unsafe end[0] = UInt8(ascii: "\"")
    unsafe end[1] = UInt8(ascii: ":")
    return unsafe end + 2
}

/// Unsafe: copies bytes to lent memory. A name is short, and a call of memcpy costs more than it.
@inlinable @inline(__always)
func copyShort(
    _ source: UnsafeRawPointer, _ count: Int, to start: UnsafeMutablePointer<UInt8>
) {
    let place = UnsafeMutableRawPointer(start)
    guard count <= 16 else {
        unsafe place.copyMemory(from: source, byteCount: count)
        return
    }
    // The last load may overlap the first.
    if count >= 8 {
        let first = unsafe source.loadUnaligned(as: UInt64.self)
        let last = unsafe source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        unsafe place.storeBytes(of: first, as: UInt64.self)
        unsafe place.storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
    } else if count >= 4 {
        let first = unsafe source.loadUnaligned(as: UInt32.self)
        let last = unsafe source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
        unsafe place.storeBytes(of: first, as: UInt32.self)
        unsafe place.storeBytes(of: last, toByteOffset: count &- 4, as: UInt32.self)
    } else {
        for index in 0..<count {
            let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
            unsafe start[index] = byte
        }
    }
}

/// Unsafe: the same with a lent name.
@inline(__always)
func copyShort(_ bytes: UnsafeRawBufferPointer, to start: UnsafeMutablePointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    unsafe copyShort(source, bytes.count, to: start)
}

/// Whether none of the eight bytes needs an escape.
@inlinable @inline(__always)
func isPlain(_ eight: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let quote = eight ^ (ones &* 0x22)
    let backslash = eight ^ (ones &* 0x5C)
    // The well-known tests for a byte below 0x20 and for a byte of 0, on eight at once.
    let control = (eight &- ones &* 0x20) & ~eight
    let found = control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
    return found & highs == 0
}

/// Unsafe: fills lent memory with at most six bytes for each byte of the text.
@inlinable @inline(__always)
func escape(
    _ text: UnsafeBufferPointer<UInt8>, at start: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8> {
    guard let source = unsafe UnsafeRawPointer(text.baseAddress) else { return unsafe start }
    let place = UnsafeMutableRawPointer(start)
    var index = 0
    if text.count >= 8 {
        // The last eight bytes may overlap those before them.
        while index < text.count {
            let next = min(index, text.count &- 8)
            let eight = unsafe source.loadUnaligned(fromByteOffset: next, as: UInt64.self)
            guard isPlain(eight) else { break }
            unsafe place.storeBytes(of: eight, toByteOffset: next, as: UInt64.self)
            index = next &+ 8
        }
    } else if text.count >= 4 {
        let next = text.count &- 4
        let first = unsafe source.loadUnaligned(as: UInt32.self)
        let last = unsafe source.loadUnaligned(fromByteOffset: next, as: UInt32.self)
        if isPlain(UInt64(first) | UInt64(last) << 32) {
            unsafe place.storeBytes(of: first, as: UInt32.self)
            unsafe place.storeBytes(of: last, toByteOffset: next, as: UInt32.self)
            index = text.count
        }
    }
    guard index < text.count else { return unsafe start + text.count }
    return unsafe escape(text, from: index, at: start + index)
}

/// Byte by byte, from one on.
@inline(never) @usableFromInline
func escape(
    _ text: UnsafeBufferPointer<UInt8>, from first: Int, at start: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8> {
    var place = unsafe start
    for index in first..<text.count {
        let byte = unsafe text[index]
        if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
            unsafe place.pointee = byte
            unsafe place += 1
        } else {
            unsafe place = escape(byte, at: place)
        }
    }
    return unsafe place
}

private func escape(
    _ byte: UInt8, at place: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8> {
    let short: UInt8? =
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case 0x0A: UInt8(ascii: "n")
        case 0x0D: UInt8(ascii: "r")
        case 0x09: UInt8(ascii: "t")
        default: nil
        }
    unsafe place[0] = UInt8(ascii: "\\")
    if let short {
        unsafe place[1] = short
        return unsafe place + 2
    }
    let hex = Array("0123456789abcdef".utf8)
    unsafe place[1] = UInt8(ascii: "u")
    unsafe place[2] = UInt8(ascii: "0")
    unsafe place[3] = UInt8(ascii: "0")
    unsafe place[4] = hex[Int(byte >> 4)]
    unsafe place[5] = hex[Int(byte & 15)]
    return unsafe place + 6
}

extension String {
    /// Lends its UTF-8; a span of it costs more to make than a name to copy.
    @inlinable @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let result = unsafe utf8.withContiguousStorageIfAvailable(body)
        // On Linux there is no other; a way for others would cost a scroll 140 instructions.
        guard let result else { preconditionFailure("a string that is not stored as UTF-8") }
        return result
    }
}
