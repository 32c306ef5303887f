/// A named curve of a transition: its progress over its time.
public enum Curve: String, Hashable, Sendable, CaseIterable {
    case linear
    case easeIn = "ease-in"
    case easeOut = "ease-out"
    case easeInOut = "ease-in-out"
    case `default`

    /// The two control points of the cubic Bézier from (0, 0) to (1, 1).
    private var controls: (x1: Double, y1: Double, x2: Double, y2: Double) {
        switch self {
        case .linear: (0, 0, 1, 1)
        case .easeIn: (0.42, 0, 1, 1)
        case .easeOut: (0, 0, 0.58, 1)
        case .easeInOut: (0.42, 0, 0.58, 1)
        case .default: (0.25, 0.1, 0.25, 1)
        }
    }

    /// The progress at a share of the time, both from 0 to 1, to 1e-9; other shares are clamped.
    public func value(at share: Double) -> Double {
        guard share > 0 else { return 0 }
        if share >= 1 || self == .linear { return min(share, 1) }
        let (x1, y1, x2, y2) = controls
        var (low, high) = (0.0, 1.0)
        // Each step halves what is left of the curve: 50 leave nothing that a double shows.
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if Self.bezier(x1, x2, at: middle) < share { low = middle } else { high = middle }
        }
        return Self.bezier(y1, y2, at: high)
    }

    private static func bezier(_ first: Double, _ second: Double, at s: Double) -> Double {
        let rest = 1 - s
        return 3 * rest * rest * s * first + 3 * rest * s * s * second + s * s * s
    }
}
