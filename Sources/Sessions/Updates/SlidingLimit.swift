/// A bound of so many within any span of time. It remembers the times of the last ones.
package struct SlidingLimit: Hashable, Sendable, Codable {
    private let countMax: Int
    /// In whatever unit the times are given.
    private let span: Int
    private var times: [Int] = []
    private var oldest = 0

    package init(countMax: Int, span: Int) {
        self.countMax = countMax
        self.span = span
    }

    /// Whether one more is within the limit; if so, it counts. Times never fall.
    package mutating func take(at time: Int) -> Bool {
        guard times.count == countMax else {
            times.append(time)
            return true
        }
        guard time - times[oldest] >= span else { return false }
        times[oldest] = time
        oldest = (oldest + 1) % countMax
        return true
    }
}

extension SlidingLimit {
    /// Whether a decoded one limits as `other` does.
    func isSound(like other: SlidingLimit) -> Bool {
        countMax == other.countMax && span == other.span && times.count <= countMax
            && (oldest == 0 || times.indices.contains(oldest))
    }
}
