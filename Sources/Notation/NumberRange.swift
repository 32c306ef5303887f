/// Which numbers a key takes, and how an error says so. None of them takes infinities.
package struct NumberRange: Sendable {
    /// Points, or points per second, of any coordinate: a wall of screens, and doubles stay exact.
    package static let coordinateMax = 1_000_000.0
    /// Seconds of any duration.
    package static let durationSecondsMax = 3_600.0

    private let bounds: ClosedRange<Double>
    /// Completes "must be a number …".
    package let rule: String

    package init(_ bounds: ClosedRange<Double>, rule: String) {
        self.bounds = bounds
        self.rule = rule
    }

    package func contains(_ number: Double) -> Bool { bounds.contains(number) }

    /// Points, points per second.
    package static let coordinate = NumberRange(
        -coordinateMax...coordinateMax, rule: "within ±1,000,000")
    /// What cannot be negative but may be nothing.
    package static let distance = NumberRange(
        0...coordinateMax, rule: "from 0 to 1,000,000")
    /// Above 0 by at least what the wire still shows: 1/1,000 point.
    package static let size = NumberRange(
        0.001...coordinateMax, rule: "above 0 (at least 0.001), at most 1,000,000")
    /// Above 0 by enough that no coordinate divided by it leaves the doubles.
    package static let divisor = NumberRange(
        0.000_001...coordinateMax, rule: "above 0 (at least 0.000001), at most 1,000,000")
    /// Seconds.
    package static let duration = NumberRange(
        0...durationSecondsMax, rule: "of seconds from 0 to 3,600")
    package static let alpha = NumberRange(0...1, rule: "from 0 to 1")
}
