/// Which end of its range a joint has reached (Box2D's limit state). Decided anew in each step.
enum LimitState: Hashable, Sendable, Codable {
    /// Inside the range, or without one. Can become: any.
    case free
    /// At the lower end; the impulse may only increase the value. Can become: any.
    case lower
    /// At the upper end; the impulse may only decrease the value. Can become: any.
    case upper
    /// The range is too narrow to move in. Can become: any, after a change of the range.
    case both

    /// The state at a value. A range narrower than `slop` is `both`.
    init(_ place: Double, in range: ClosedRange<Double>?, slop: Double) {
        guard let range else {
            self = .free
            return
        }
        if range.upperBound - range.lowerBound < slop {
            self = .both
        } else if place <= range.lowerBound {
            self = .lower
        } else {
            self = place >= range.upperBound ? .upper : .free
        }
    }
}
