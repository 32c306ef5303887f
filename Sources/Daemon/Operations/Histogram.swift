/// A distribution of durations in buckets that grow by a quarter: 3 % of error, 2 KiB.
struct Histogram: Sendable {
    /// Four buckets for each doubling, over all of 64 bits of nanoseconds.
    private var buckets = [Int](repeating: 0, count: 256)
    private(set) var count = 0
    private(set) var max = 0

    mutating func record(nanoseconds: Int, times: Int = 1) {
        guard times > 0 else { return }
        let value = Swift.max(1, nanoseconds)
        let exponent = Int.bitWidth - 1 - value.leadingZeroBitCount
        let quarter = exponent < 2 ? 0 : (value >> (exponent - 2)) & 3
        buckets[exponent * 4 + quarter] += times
        count += times
        max = Swift.max(max, value)
    }

    mutating func merge(_ other: Histogram) {
        for index in buckets.indices { buckets[index] += other.buckets[index] }
        count += other.count
        max = Swift.max(max, other.max)
    }

    /// The upper edge, in nanoseconds, of the bucket in which a share of all lies.
    func quantile(_ share: Double) -> Int {
        guard count > 0 else { return 0 }
        let rank = Int((Double(count) * share).rounded(.up))
        var seen = 0
        for (index, amount) in buckets.enumerated() where amount > 0 {
            seen += amount
            guard seen >= rank else { continue }
            let exponent = index / 4
            let edge = (Double(index % 4) + 5) / 4 * Double(UInt64(1) << UInt64(exponent))
            return min(max, Int(edge))
        }
        return max
    }
}
