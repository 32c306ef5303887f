import Geometry
import Motion
import Testing

/// The curves' control points, as Core Animation documents them.
private let controls: [TimingCurve: [Double]] = [
    .linear: [0, 0, 1, 1], .easeIn: [0.42, 0, 1, 1], .easeOut: [0, 0, 0.58, 1],
    .easeInOut: [0.42, 0, 0.58, 1], .default: [0.25, 0.1, 0.25, 1],
]

/// One coordinate of a cubic Bézier from 0 to 1, by de Casteljau's algorithm.
private func bezier(_ p1: Double, _ p2: Double, _ s: Double) -> Double {
    func mix(_ a: Double, _ b: Double) -> Double { a * (1 - s) + b * s }
    let (a, b, c) = (mix(0, p1), mix(p1, p2), mix(p2, 1))
    return mix(mix(a, b), mix(b, c))
}

/// The curve's y at x = `time`, by bisection.
private func solved(_ curve: TimingCurve, _ time: Double) -> Double {
    let p = controls[curve] ?? []
    var (low, high) = (0.0, 1.0)
    for _ in 0..<80 {
        let middle = (low + high) / 2
        if bezier(p[0], p[2], middle) < time { low = middle } else { high = middle }
    }
    return bezier(p[1], p[3], (low + high) / 2)
}

@Suite struct TimingCurveTests {
    @Test(arguments: TimingCurve.allCases)
    func everyCurveIsTheBezierThatItsControlPointsSay(curve: TimingCurve) {
        for share in 0...1_000 {
            let time = Double(share) / 1_000
            let expected = solved(curve, time)
            #expect(abs(curve.value(at: time) - expected) < 1e-9, "\(curve) at \(time)")
        }
    }

    @Test(arguments: TimingCurve.allCases)
    func progressNeverFallsAndStaysWithinItsEnds(curve: TimingCurve) {
        var last = 0.0
        for share in 0...5_000 {
            let value = curve.value(at: Double(share) / 5_000)
            #expect(value >= last - 1e-12 && value <= 1, "\(curve) at \(share)")
            last = max(last, value)
        }
        #expect(last == 1)
    }

    @Test(arguments: TimingCurve.allCases)
    func sharesOutsideAreClamped(curve: TimingCurve) {
        for time in [-1e300, -1, -Double.ulpOfOne, 0, -Double.infinity] {
            #expect(curve.value(at: time) == 0)
        }
        for time in [1, 1 + Double.ulpOfOne, 2, 1e300, Double.infinity] {
            #expect(curve.value(at: time) == 1)
        }
    }

    /// Symmetric curves pass the middle; ease-in is ease-out backwards.
    @Test func theSymmetriesHold() {
        #expect(abs(TimingCurve.easeInOut.value(at: 0.5) - 0.5) < 1e-12)
        for share in 1..<100 {
            let time = Double(share) / 100
            let mirrored = 1 - TimingCurve.easeOut.value(at: 1 - time)
            #expect(abs(TimingCurve.easeIn.value(at: time) - mirrored) < 1e-9)
            #expect(TimingCurve.linear.value(at: time) == time)
        }
    }

    @Test func theCurvesAreCalledAsOnTheWire() {
        #expect(
            TimingCurve.allCases.map(\.rawValue)
                == ["linear", "ease-in", "ease-out", "ease-in-out", "default"])
    }
}
