import Geometry
import Gestures

/// A finger that is down: its place, its velocity, and the step of its last sample.
struct Drag: Hashable, Sendable, Codable {
    private(set) var finger: Vector
    private var tracker: VelocityTracker
    private var lastSample: Step

    init(_ pan: Pan, time: SampleTime, tracker kind: VelocityTracker.Kind, at now: Step) {
        finger = pan.location
        tracker = VelocityTracker(kind: kind)
        tracker.add(pan.location, at: time, tremble: pan.tremble)
        lastSample = now
    }

    /// Takes a sample. Returns whether the finger has moved.
    mutating func follow(_ pan: Pan, time: SampleTime, at now: Step) -> Bool {
        let hasMoved = pan.location != finger
        finger = pan.location
        tracker.add(pan.location, at: time, tremble: pan.tremble)
        lastSample = now
        return hasMoved
    }

    /// The release velocity in points per second: the source's own, else the measured one.
    func velocity(endingWith pan: Pan, time: SampleTime) -> Vector {
        pan.velocity
            ?? tracker.velocity(endingAt: pan.location, time: time, tremble: pan.tremble)
    }

    /// Steps since the last sample.
    func stillSteps(at now: Step) -> Int { now - lastSample }

    /// The step at which the silence is too long.
    var deadline: Step { lastSample + Silence.stepsMax }
}

extension Drag {
    func isSound(_ kind: VelocityTracker.Kind) -> Bool {
        finger.isWithin(1e9) && tracker.isSound(kind)
    }
}
