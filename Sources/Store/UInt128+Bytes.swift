extension UInt128 {
    /// Its sixteen bytes, the highest first.
    var bytes: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: self >> UInt128(120 - 8 * $0)) }
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }
}
