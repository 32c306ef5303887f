/// The progress of an animation over its time: a cubic Bézier from (0, 0) to (1, 1).
///
/// The control points are documented for Core Animation's named curves.
package enum TimingCurve: String, Hashable, Sendable, CaseIterable, Codable {
    case linear
    case easeIn = "ease-in"
    case easeOut = "ease-out"
    case easeInOut = "ease-in-out"
    case `default`

    private var controls: (x1: Double, y1: Double, x2: Double, y2: Double) {
        switch self {
        case .linear: (0, 0, 1, 1)
        case .easeIn: (0.42, 0, 1, 1)
        case .easeOut: (0, 0, 0.58, 1)
        case .easeInOut: (0.42, 0, 0.58, 1)
        case .default: (0.25, 0.1, 0.25, 1)
        }
    }

    /// The progress at a share of the time, both from 0 to 1. Other shares are clamped.
    package func value(at time: Double) -> Double {
        if time <= 0 { return 0 }
        if time >= 1 { return 1 }
        if self == .linear { return time }
        let (x1, y1, x2, y2) = controls
        return Self.bezier(y1, y2, at: Self.parameter(for: time, x1, x2))
    }

    /// The slope of the progress at a share of the time; 0 before and after it.
    package func slope(at time: Double) -> Double {
        guard time >= 0, time < 1 else { return 0 }
        if self == .linear { return 1 }
        let (x1, y1, x2, y2) = controls
        let s = Self.parameter(for: time, x1, x2)
        return Self.slope(y1, y2, at: s) / Self.slope(x1, x2, at: s)
    }

    private static func slope(_ p1: Double, _ p2: Double, at s: Double) -> Double {
        let c = 3 * p1
        let b = 3 * (p2 - p1) - c
        let a = 1 - c - b
        return (3 * a * s + 2 * b) * s + c
    }

    private static func bezier(_ p1: Double, _ p2: Double, at s: Double) -> Double {
        let c = 3 * p1
        let b = 3 * (p2 - p1) - c
        let a = 1 - c - b
        return ((a * s + b) * s + c) * s
    }

    /// Solves x(s) = time to 1e-12 by Newton's method inside a bisected bracket.
    private static func parameter(for time: Double, _ x1: Double, _ x2: Double) -> Double {
        let c = 3 * x1
        let b = 3 * (x2 - x1) - c
        let a = 1 - c - b
        var low = 0.0
        var high = 1.0
        var s = time
        for _ in 0..<64 {
            let error = ((a * s + b) * s + c) * s - time
            if error.magnitude < 1e-12 { break }
            if error > 0 { high = s } else { low = s }
            let slope = (3 * a * s + 2 * b) * s + c
            let next = s - error / slope
            s = next > low && next < high ? next : (low + high) / 2
        }
        return s
    }
}
