import Motion
package import Notation

/// A spring as scenes give it: `{ duration = 0.5, bounce = 0 }`, as SwiftUI's.
package struct SpringParameters: Hashable, Codable, Sendable {
    /// Seconds; how soon it comes near its target.
    package var duration = 0.5
    /// 0 comes without a bounce, above 0 beyond the target and back, below 0 slowly.
    package var bounce = 0.0

    package init() {}

    package init(duration: Double, bounce: Double) {
        self.duration = duration
        self.bounce = bounce
    }

    var spring: Spring { Spring(duration: duration, bounce: bounce) }
}

extension SpringParameters? {
    /// The spring, or where there is none the curve and the seconds in whose place it would stand.
    func pace(_ curve: TimingCurve, seconds: Double) -> Pace {
        map { .spring($0.spring) } ?? .curve(curve, seconds: seconds)
    }
}

extension SpringParameters: ParameterEntry {
    private static let durations = NumberRange(0.01...10, rule: "of seconds from 0.01 to 10")
    private static let bounces = NumberRange(-0.9...0.9, rule: "from -0.9 to 0.9")

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.number("duration", &duration, in: Self.durations)
        try table.number("bounce", &bounce, in: Self.bounces)
    }
}
