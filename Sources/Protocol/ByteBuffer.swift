import Geometry

/// A growing array of bytes with one owner, reused from batch to batch.
///
/// It cannot be copied, so two owners never write into the same memory; to hand the bytes on,
/// swap the buffer for an empty one. It is unsafe inside because every update passes through it,
/// and an array's checks for uniqueness and bounds would cost more than the bytes themselves.
@safe package struct ByteBuffer: ~Copyable, @unchecked Sendable {
    // Visible to the functions below that other modules inline: every update passes through them.
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline package internal(set) var count = 0
    let digits = Digits.shared
    /// The second of the time that was written last.
    var second = Digits.Second()

    package init(capacity: Int = 4_096) {
        self.capacity = max(capacity, 64)
        unsafe base = .allocate(capacity: self.capacity)
    }

    deinit { unsafe base.deallocate() }

    package var isEmpty: Bool { count == 0 }

    /// A hash of a range of the bytes, for use within the process.
    package func digest(of range: Range<Int>) -> UInt64 {
        var digest = UInt64(truncatingIfNeeded: range.count)
        unsafe withUnsafeBytes(range) { bytes in
            var place = 0
            while place + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                Self.mix(word, into: &digest)
                place += 8
            }
            while place < bytes.count {
                Self.mix(UInt64(unsafe bytes[place]), into: &digest)
                place += 1
            }
        }
        return digest
    }

    private static func mix(_ word: UInt64, into digest: inout UInt64) {
        digest = (digest ^ word) &* 0x9E37_79B9_7F4A_7C15
        // A product carries upwards only, so this brings the high bits down.
        digest ^= digest >> 32
    }

    /// Forgets the bytes and keeps the memory.
    package mutating func removeAll() { count = 0 }

    /// Removes the bytes after the first `count`, to take back what was written last.
    package mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "truncating \(self.count) to \(count)")
        self.count = count
    }

    /// Makes room for `extra` more bytes.
    @inlinable @inline(__always)
    package mutating func reserve(_ extra: Int) {
        if count &+ extra > capacity { grow(extra) }
    }

    @inline(never) @usableFromInline
    mutating func grow(_ extra: Int) {
        let larger = max(capacity * 2, count + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe moved.update(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }

    @inlinable @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe base[count] = byte
        count &+= 1
    }

    /// A literal, copied without escapes.
    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        unsafe copyShort(UnsafeRawPointer(text.utf8Start), length, to: base + count)
        count &+= length
    }

    /// A text as UTF-8, copied without escapes.
    // Disfavoured, for Swift would take a literal for a `String`.
    @_disfavoredOverload
    @inlinable @inline(__always)
    package mutating func append(_ text: String) {
        unsafe text.withBytes { unsafe append(UnsafeRawBufferPointer($0)) }
    }

    package mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    package mutating func append(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    @inlinable @inline(__always)
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count)
        unsafe copyShort(source, bytes.count, to: base + count)
        count &+= bytes.count
    }

    /// Lends the memory after the last byte, with room for `most`; `write` returns where it ended.
    @inlinable @inline(__always)
    mutating func write(
        atMost most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
    ) {
        reserve(most)
        let end = unsafe write(base + count)
        count = unsafe end - base
        assert(count <= capacity, "wrote past the room")
    }

    /// Lends the bytes of a range, or all; they are valid only within `body`.
    package borrowing func withUnsafeBytes<Result, Failure: Error>(
        _ range: Range<Int>? = nil, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let range = range ?? 0..<count
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count)")
        return try unsafe body(
            UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
    }

    /// A copy of the bytes of a range, or of all.
    package borrowing func array(_ range: Range<Int>? = nil) -> [UInt8] {
        unsafe withUnsafeBytes(range) { unsafe [UInt8]($0) }
    }

    /// The bytes of a range, or all, as text; invalid UTF-8 is repaired.
    package borrowing func text(_ range: Range<Int>? = nil) -> String {
        unsafe withUnsafeBytes(range) { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
