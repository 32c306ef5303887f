import Geometry
import Gestures
import Notation

/// A point, a displacement or a velocity, in points (and seconds): x to the right, y down.
public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    init(_ vector: Vector) { self.init(vector.x, vector.y) }
}

/// A sample of a gesture: a raw contact, or one that the app has recognised itself.
///
/// Points are in the viewport's coordinates, or in the component's where the sample names one.
/// Coordinates, velocities, scales and angles lie within ±1,000,000. Leave a velocity out and the
/// session measures it.
public enum Gesture: Hashable, Sendable {
    /// Where a sample stands in its gesture; a series begins, changes, and ends or is cancelled.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        case began, changed, ended, cancelled
    }

    /// Where a swipe goes.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        case left, right, up, down
    }

    /// A finger, a pen or a button, under a number of your choice: the session recognises gestures.
    case pointer(Phase, number: Int64, at: Point)
    /// Points per second are optional.
    case pan(Phase, at: Point, velocity: Point? = nil)
    case tap(at: Point)
    case swipe(Direction, at: Point)
    /// The vertical content offset as a scroll view of the app's own shows it.
    case scroll(Phase, offset: Double)
    /// A turn of a wheel, in points; without a phase where the source tells none.
    case wheel(by: Point, at: Point? = nil, phase: Phase? = nil, isMomentum: Bool = false)
    /// The fingers' distance relative to the beginning, above 0, and its change a second.
    case pinch(Phase, at: Point? = nil, scale: Double, velocity: Double? = nil)
    /// Radians since the beginning, clockwise on screen, and radians a second.
    case rotation(Phase, at: Point? = nil, angle: Double, velocity: Double? = nil)
    /// A marked object on a table: the number of its mark, from 0 to 2³¹ − 1, and radians from
    /// where the mark stands upright, clockwise on screen.
    case token(Phase, symbol: Int, at: Point, angle: Double)

    /// The core's own sample; throws where a number is out of range.
    func sample() throws(Refusal) -> Gestures.Gesture {
        switch self {
        case .pointer(let phase, let number, let point):
            return .pointer(
                Pointer(phase: phase.core, pointer: number, location: try point.checked()))
        case .pan(let phase, let point, let velocity):
            return .pan(
                Pan(
                    phase: phase.core, location: try point.checked(),
                    velocity: try velocity?.checked()))
        case .tap(let point): return .tap(.point(try point.checked()))
        case .swipe(let direction, let point):
            let core: Gestures.Direction =
                switch direction {
                case .left: .left
                case .right: .right
                case .up: .up
                case .down: .down
                }
            return .swipe(Swipe(direction: core, target: .point(try point.checked())))
        case .scroll(let phase, let offset):
            return .scroll(Scroll(phase: phase.core, offset: try checked(offset)))
        case .wheel(let delta, let point, let phase, let isMomentum):
            return .wheel(
                Wheel(
                    delta: try delta.checked(), location: try point?.checked(),
                    phase: phase?.core, isMomentum: isMomentum))
        case .pinch(let phase, let point, let scale, let velocity):
            guard scale > 0 else {
                throw Refusal(code: "bad-value", message: "scale must be above 0")
            }
            return .pinch(
                Pinch(
                    phase: phase.core, location: try point?.checked(),
                    scale: try checked(scale), velocity: try checked(velocity)))
        case .rotation(let phase, let point, let angle, let velocity):
            return .rotation(
                Rotation(
                    phase: phase.core, location: try point?.checked(),
                    angle: try checked(angle), velocity: try checked(velocity)))
        case .token(let phase, let symbol, let point, let angle):
            guard Token.symbols.contains(symbol) else {
                throw Refusal(
                    code: "bad-value",
                    message: "a symbol must be from 0 to \(Token.symbols.upperBound)")
            }
            return .token(
                Token(
                    phase: phase.core, symbol: symbol, location: try point.checked(),
                    angle: try checked(angle)))
        }
    }
}

extension Gesture.Phase {
    fileprivate var core: Gestures.Phase {
        switch self {
        case .began: .began
        case .changed: .changed
        case .ended: .ended
        case .cancelled: .cancelled
        }
    }
}

extension Point {
    fileprivate func checked() throws(Refusal) -> Vector {
        Vector(try GesturedCore.checked(x), try GesturedCore.checked(y))
    }
}

private func checked(_ number: Double) throws(Refusal) -> Double {
    guard number.magnitude <= NumberRange.coordinateMax else {
        throw Refusal(code: "bad-value", message: "a number must lie within ±1,000,000")
    }
    return number
}

private func checked(_ number: Double?) throws(Refusal) -> Double? {
    guard let number else { return nil }
    return try checked(number) as Double
}
