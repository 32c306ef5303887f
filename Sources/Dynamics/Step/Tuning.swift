import Geometry

/// The solver's constants, in points and seconds: Box2D 2.3's, on which UIKit Dynamics runs.
enum Tuning {
    /// The length of a step in seconds. Another value changes every motion.
    static var step: Double { Step.seconds }
    /// Passes over the velocity constraints. With fewer, soft joints become visibly softer.
    static var velocityPasses: Int { 8 }
    /// Passes over the positions, at most. With more, a torn joint closes faster.
    static var positionPassesMax: Int { 3 }
    /// A joint whose error is below this (pt) counts as closed. With less, nothing ever sleeps.
    static var linearSlop: Double { 0.5 }
    /// The greatest correction (pt) of a rod in one pass. A larger one overshoots.
    static var correctionMax: Double { 20 }
    /// A span shorter than this (pt) has no direction.
    static var leastSpan: Double { 1e-5 }
    /// A joint whose angular error is below this (rad) counts as closed: 2°.
    static var angularSlop: Double { Double.pi / 90 }
    /// The angular error (rad) that one pass corrects. With more, long levers fling bodies away.
    static var turnErrors: ClosedRange<Double> { -100...100 }
    /// The greatest rotation (rad) back into a range in one pass: 8°. A larger one overshoots.
    static var turnCorrectionMax: Double { Double.pi * 8 / 180 }
    /// The greatest movement (pt) of a body in one step: 24,000 pt/s.
    static var translationMax: Double { 200 }
    /// The greatest rotation (rad) of a body in one step: 30 turns a second.
    static var rotationMax: Double { 0.5 * Double.pi }
    /// A speed below this (pt/s) is still.
    static var stillSpeed: Double { 1 }
    /// An angular speed below this (rad/s) is still: 2° a second.
    static var stillSpin: Double { Double.pi / 90 }
    /// A body falls asleep after this many still steps (0.5 s).
    static var stillSteps: Int32 { 60 }
    /// A rigid attachment without a length is a pin if its ends are closer than this (pt) when
    /// added.
    static var pinDistance: Double { 1 }
    /// The acceleration (pt/s²) of gravity 1.
    static var gravityUnit: Double { 1000 }
    /// The acceleration (pt/s²), or velocity (pt/s), that a push of 1 gives to 1 kg.
    static var pushUnit: Double { 100 }
    /// Square points of density 1 per kilogram: 100 pt are a metre.
    static var areaUnit: Double { 10_000 }
    /// Sides (pt) of a body. The square of others would leave the range of Double.
    static var sides: ClosedRange<Double> { 0.01...1e7 }
    /// The greatest coordinate, offset, length (pt) and speed (pt/s). Larger values are clamped.
    static var reach: Double { 1e9 }
}

extension Double {
    func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension Vector {
    /// Clamped to ±10⁹ pt on each axis. Traps on NaN.
    var reachable: Vector {
        precondition(!x.isNaN && !y.isNaN, "a vector that is not a number")
        let range = -Tuning.reach...Tuning.reach
        return Vector(x.clamped(to: range), y.clamped(to: range))
    }
}
