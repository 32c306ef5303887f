/// The numbers that a key accepts, and the words for an error. No range accepts infinities.
package struct NumberRange: Hashable, Sendable {
    /// Points, or points per second, of a coordinate: enough for a wall of screens, and few enough
    /// that doubles stay precise.
    package static let coordinateMax = 1_000_000.0
    /// Seconds of any duration.
    package static let durationSecondsMax = 3_600.0

    package let bounds: ClosedRange<Double>
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
    /// A length that may be 0.
    package static let distance = NumberRange(
        0...coordinateMax, rule: "from 0 to 1,000,000")
    /// At least 1/1,000 point, the smallest length on the wire.
    package static let size = NumberRange(
        0.001...coordinateMax, rule: "above 0 (at least 0.001), at most 1,000,000")
    /// Far enough from 0 that a coordinate divided by it stays finite.
    package static let divisor = NumberRange(
        0.000_001...coordinateMax, rule: "above 0 (at least 0.000001), at most 1,000,000")
    /// Seconds.
    package static let duration = NumberRange(
        0...durationSecondsMax, rule: "of seconds from 0 to 3,600")
    /// Seconds of reactions to time alone: often enough for a blink, and a day at most.
    package static let reactionTimer = NumberRange(
        0.1...86_400, rule: "of seconds from 0.1 to 86,400")
    package static let alpha = NumberRange(0...1, rule: "from 0 to 1")
    package static let finite = NumberRange(
        -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude, rule: "that is finite")
}
