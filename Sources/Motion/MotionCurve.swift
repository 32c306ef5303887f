/// How an animation gets along its way: a curve over its time, or a spring.
package enum MotionCurve: Hashable, Sendable {
    case timing(TimingCurve)
    case spring(SpringProgress)

    package static var linear: MotionCurve { .timing(.linear) }
    package static var easeIn: MotionCurve { .timing(.easeIn) }
    package static var easeOut: MotionCurve { .timing(.easeOut) }
    package static var easeInOut: MotionCurve { .timing(.easeInOut) }

    /// The share of the way after `seconds` of `duration`. A spring's may be above 1.
    func value(at seconds: Double, of duration: Double) -> Double {
        switch self {
        case .timing(let curve): curve.value(at: seconds / duration)
        case .spring(let curve): curve.value(at: seconds)
        }
    }

    /// The speed after `seconds` of `duration`, in shares of the way per second.
    func speed(at seconds: Double, of duration: Double) -> Double {
        switch self {
        case .timing(let curve): curve.slope(at: seconds / duration) / duration
        case .spring(let curve): curve.speed(at: seconds)
        }
    }
}

// MARK: - Coding

// A named curve is its name, as before there were springs; a spring is its three numbers.

extension MotionCurve: Codable {
    private enum CodingKeys: String, CodingKey { case spring }

    package init(from decoder: any Decoder) throws {
        if let table = try? decoder.container(keyedBy: CodingKeys.self) {
            self = .spring(try table.decode(SpringProgress.self, forKey: .spring))
        } else {
            self = .timing(try TimingCurve(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .timing(let curve): try curve.encode(to: encoder)
        case .spring(let curve):
            var table = encoder.container(keyedBy: CodingKeys.self)
            try table.encode(curve, forKey: .spring)
        }
    }
}
