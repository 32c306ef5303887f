import Geometry

/// The solver's figures, in points and seconds. They are Box2D 2.3's, which UIKit Dynamics runs on.
enum Tuning {
    /// The step's length in seconds. Another one changes every motion.
    static var step: Double { Step.seconds }
    /// Passes over the velocity constraints. Fewer leave soft joints visibly softer.
    static var velocityPasses: Int { 8 }
    /// Passes over the positions, at most. More pull a torn joint together faster.
    static var positionPassesMax: Int { 3 }
    /// How far (pt) a joint may be apart and still count as closed. Less and nothing ever sleeps.
    static var linearSlop: Double { 0.5 }
    /// How far (pt) one pass moves a rod's end, at most. More overshoots.
    static var correctionMax: Double { 20 }
    /// Shorter (pt) than this a span between two points has no direction.
    static var leastSpan: Double { 1e-5 }
    /// How far (rad) a joint may be turned out of its place and still count as closed: 2°.
    static var angularSlop: Double { Double.pi / 90 }
    /// What one pass corrects of a turn (rad). By more, long levers would fling off for ever.
    static var turnErrors: ClosedRange<Double> { -100...100 }
    /// How far (rad) one pass turns a body back into a range, at most: 8°. More overshoots.
    static var turnCorrectionMax: Double { Double.pi * 8 / 180 }
    /// How far (pt) a body moves in a step, at most: 24,000 pt/s.
    static var translationMax: Double { 200 }
    /// How far (rad) a body turns in a step, at most: 30 turns a second.
    static var rotationMax: Double { 0.5 * Double.pi }
    /// Slower than this (pt/s) is still.
    static var stillSpeed: Double { 1 }
    /// Slower than this (rad/s) is still: 2° a second.
    static var stillSpin: Double { Double.pi / 90 }
    /// A body that has been still for so many steps (0.5 s) falls asleep.
    static var stillSteps: Int32 { 60 }
    /// Closer than this (pt) at association, a rigid attachment without a length is a pin.
    static var pinDistance: Double { 1 }
    /// Acceleration (pt/s²) of gravity 1.
    static var gravityUnit: Double { 1000 }
    /// Acceleration (pt/s²) of a push of 1 on a body of 1 kg, or its velocity (pt/s).
    static var pushUnit: Double { 100 }
    /// Square points of density 1 in a kilogram: 100 pt are a metre.
    static var areaUnit: Double { 10_000 }
    /// Sides (pt) of a body: smaller or larger ones would leave the range of Double when squared.
    static var sides: ClosedRange<Double> { 0.01...1e7 }
    /// The largest coordinate, offset, length (pt) or speed (pt/s) that is taken as it is.
    static var reach: Double { 1e9 }
}

extension Double {
    /// Brought back into a range.
    func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension Vector {
    /// Within ±10⁹ pt on each axis. Not a number is our own mistake.
    var reachable: Vector {
        precondition(!x.isNaN && !y.isNaN, "a vector that is not a number")
        let range = -Tuning.reach...Tuning.reach
        return Vector(x.clamped(to: range), y.clamped(to: range))
    }
}
