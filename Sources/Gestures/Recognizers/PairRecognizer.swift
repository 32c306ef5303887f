package import Geometry

/// Two fingers on which a pinch or a rotation may be recognized: one machine for both.
///
/// `Measure` says what is measured between the fingers, when the gesture begins, and how a
/// document stores it. The machine knows states, velocity and the order of events.
package struct PairRecognizer<Measure: PairMeasure>: Hashable, Sendable, Codable {
    private let tracker: VelocityTracker.Kind
    /// The last direction from the first finger to the second, for measures that need one.
    private var direction: Double?
    private var state: RecognizerState<Measure.Start, Measure.Origin>

    /// Both fingers are down, at two places in points.
    package init(_ a: Vector, _ b: Vector, tracker: VelocityTracker.Kind) {
        self.tracker = tracker
        direction = Measure.direction(a, b)
        state = .possible(Measure.start(a, b))
    }

    /// One of the fingers moved, or was sampled again.
    package mutating func moved(
        _ a: Vector, _ b: Vector, time: SampleTime, scale: ViewportScale = .same
    ) -> Recognition<PairReading> {
        let measured = Measure.measure(a, b, &direction)
        switch state {
        case .possible(var start):
            guard var origin = Measure.begin(&start, measured, scale, tracker: tracker) else {
                state = .possible(start)
                return .nothing
            }
            origin.track(at: time)
            state = .began(origin)
            return .began(PairReading(value: origin.value, velocity: 0))
        case .began(var origin), .changed(var origin):
            Measure.change(&origin, measured)
            origin.track(at: time)
            state = .changed(origin)
            return .changed(origin.reading(at: time))
        case .ended, .cancelled, .failed: return .nothing
        }
    }

    /// One of the fingers lifted.
    package mutating func lifted(time: SampleTime) -> Recognition<PairReading> {
        state.lift().map { $0.reading(at: time) }
    }

    /// The fingers were lost. Returns the last value if the gesture had begun.
    package mutating func cancel() -> Double? { state.cancel()?.value }

    /// Whether a decoded recognizer is one that events could have led to.
    func isSound(_ kind: VelocityTracker.Kind) -> Bool {
        tracker == kind && Measure.isSound(direction)
            && state.isSound(
                { Measure.isSound($0) }, { Measure.isSound($0) && $0.tracker.isSound(kind) })
    }
}

/// A value between two fingers, and its change per second.
package struct PairReading: Hashable, Sendable {
    /// A scale, or an angle in radians; since the gesture began.
    package var value: Double
    /// Per second.
    package var velocity: Double
}

/// A gesture of two fingers, in functions without state. `Start` and `Origin` are stored in
/// documents: their keys are a file format.
package protocol PairMeasure {
    /// Held until the gesture begins.
    associatedtype Start: Hashable, Codable, Sendable
    /// Held from then on.
    associatedtype Origin: PairOrigin
    static func start(_ a: Vector, _ b: Vector) -> Start
    /// Nil if the measure needs no direction.
    static func direction(_ a: Vector, _ b: Vector) -> Double?
    /// Measures the fingers; `direction` is the last one.
    static func measure(_ a: Vector, _ b: Vector, _ direction: inout Double?) -> Double
    /// Takes a measurement before the gesture began. Nil: it has not begun yet.
    static func begin(
        _ start: inout Start, _ measured: Double, _ scale: ViewportScale,
        tracker: VelocityTracker.Kind
    ) -> Origin?
    /// Takes a later measurement.
    static func change(_ origin: inout Origin, _ measured: Double)
    static func isSound(_ direction: Double?) -> Bool
    static func isSound(_ start: Start) -> Bool
    static func isSound(_ origin: Origin) -> Bool
}

/// The value of a gesture that began.
package protocol PairOrigin: Hashable, Codable, Sendable {
    /// A scale, or an angle in radians.
    var value: Double { get }
    /// By how much the value changes while the fingers rest and tremble.
    var tremble: Double { get }
    /// Tracks the value, along x.
    var tracker: VelocityTracker { get set }
}

extension PairOrigin {
    fileprivate mutating func track(at time: SampleTime) {
        tracker.add(Vector(value, 0), at: time, tremble: tremble)
    }

    fileprivate func reading(at time: SampleTime) -> PairReading {
        let velocity = tracker.velocity(
            endingAt: Vector(value, 0), time: time, tremble: tremble)
        return PairReading(value: value, velocity: velocity.x)
    }
}
