import Glibc

/// Values along one side of a plot, with round ticks.
package struct Axis: Hashable, Sendable {
    package let least: Double
    package let most: Double
    package let step: Double

    /// The largest magnitude of a value; a Double counts wholes up to nine times as much.
    static let valueMax = 1e15
    /// The shortest axis as a part of its greatest value, and at all; a Double parts it finely.
    private static let (partMin, lengthMin) = (1e-12, 1e-9)
    /// Ticks of an axis; there are at most twice as many as are wanted.
    private static let ticksMax = 100.0

    /// An axis over a range; a flat one gets room on both sides.
    package init(_ range: ClosedRange<Double>, ticks: Int, isTight: Bool = false) {
        var low = range.lowerBound.bounded(by: Self.valueMax)
        var high = range.upperBound.bounded(by: Self.valueMax)
        if high - low < max(low.magnitude, high.magnitude) * Self.partMin + Self.lengthMin {
            high = low
        }
        if !isTight {
            let room = high > low ? (high - low) * 0.06 : max(abs(high) * 0.1, 1)
            (low, high) = (low - room, high + room)
        }
        if !(high > low) { high = low + 1 }
        least = low
        most = high
        step = Self.roundStep((high - low) / Double(max(ticks, 1)))
    }

    /// The least of 1, 2 or 5 times a power of ten that is not below.
    static func roundStep(_ wanted: Double) -> Double {
        let power = pow(10, log10(wanted).rounded(.down))
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= wanted * 0.999_999 } ?? 10 * power
    }

    package var ticks: [Double] {
        let first = (least / step).rounded(.up)
        let last = (most / step).rounded(.down)
        guard first <= last, last - first <= Self.ticksMax else { return [] }
        return stride(from: first, through: last, by: 1).map { $0 * step }
    }

    /// 0 at the least value, 1 at the most.
    package func place(of value: Double) -> Double { (value - least) / (most - least) }

    /// A tick's number, with the decimals that the step needs.
    package func label(of tick: Double) -> String {
        let decimals = max(0, Int(-log10(step).rounded(.down)))
        let power = pow(10, Double(decimals))
        let rounded = (tick * power).rounded() / power
        if decimals == 0 || rounded == rounded.rounded() && rounded.magnitude < 1e15 {
            return "\(Int(max(min(rounded, 1e15), -1e15)))"
        }
        return "\(rounded)"
    }
}
