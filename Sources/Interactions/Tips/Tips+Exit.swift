import Dynamics
import Geometry
import Gestures
import Motion

/// The way of a tip out of the viewport.
struct TipsExit: Hashable, Sendable, Codable {
    let side: Tips.Side
    /// Pulls the tip.
    var rod: BehaviorID
    /// The tip's turn about its pin, in radians; nil: it was sent to its place at once.
    var turn: Animation?
    /// The turn's velocity at its beginning, in radians per second; nil: it begins at rest.
    var push: Double?

    /// The tip's angle about its pin; nil: it was sent to its place at once.
    func angle(at now: Step) -> Double? {
        guard let turn else { return nil }
        guard let push, now < turn.end else { return turn.value(at: now) }
        // Beside the eased way: as fast as the tip was, and at the end neither off it nor moving.
        let elapsed = now.seconds(since: turn.begin)
        let left = 1 - elapsed / turn.duration
        return turn.value(at: now) + push * elapsed * left * left
    }
}

/// A finger that holds a tip on a rod.
struct TipsGrip: Hashable, Sendable, Codable {
    var drag: Drag
    var rod: BehaviorID
    /// The finger's, in points per second; 0 without resistance.
    var speed: Double
    /// Where the finger caught the tip in motion; nil: it has moved since, or caught none.
    var caught: Vector?

    /// A finger that has gone some way drags.
    mutating func noteWay() {
        guard let caught else { return }
        if (drag.finger - caught).length >= PanRecognizer.slopPoints { self.caught = nil }
    }
}

// MARK: - Out

extension Tips {
    /// The pin's place.
    var pivot: Vector { middle + Vector(0, parameters.pivotOffset) }

    /// The center of a tip on a pin.
    func center(turnedTo angle: Double, pin: Vector) -> Vector {
        let (sine, cosine) = Angle.sineCosine(angle)
        return pin + Vector(0, -parameters.pivotOffset).rotated(sine: sine, cosine: cosine)
    }

    /// No turn to the exit is shorter, in seconds, unless the scene's travel is: it is to be seen.
    private static let turnSecondsMin = 0.1
    /// How much faster than the mean of its way a turn may begin towards the exit, and away from
    /// it. With more it would overshoot the exit, or swing through to the other side.
    private static let pushes = -2.0...3.0

    /// Lets go a tip that leaves: it goes on as fast as it is, and sooner if that is faster.
    ///
    /// It is pulled at its center, for a rod between it and the exit would keep it in sight.
    func exit(to side: Side, of body: inout TipsBody, on rod: BehaviorID, at now: Step) -> TipsExit
    {
        guard parameters.exitTravel > 0 else {
            body.pull(rod, to: place(side).center)
            return TipsExit(side: side, rod: rod, turn: nil)
        }
        let (from, to) = (Angle.wrapped(body.pose.rotation), place(side).rotation)
        var duration = min(parameters.exitTravel, parameters.exitDuration)
        var push: Double?
        let (way, velocity) = (to - from, body.turning(at: now))
        if velocity != 0, way != 0, duration > 0 {
            let fitting = way / velocity
            if fitting > 0 { duration = min(duration, max(fitting, Self.turnSecondsMin)) }
            let share = velocity * duration / way
            push = Self.pushes.clamped(share) * way / duration
        }
        let turn = Animation(
            from: from, to: to, begin: now, duration: duration, curve: .easeIn)
        let point = center(turnedTo: from, pin: body.pin(at: now, pivot: pivot))
        return TipsExit(
            side: side, rod: body.hold(at: point, insteadOf: rod), turn: turn, push: push)
    }

    /// Pulls a tip that leaves along to a step.
    mutating func pullOut(at now: Step) {
        switch state {
        case .leaving(let exit, _), .dismissing(_, .some(let exit)): pull(exit, at: now)
        case .dismissed, .presenting, .entering, .resting, .dragging, .returning, .dismissing:
            break
        }
    }

    private mutating func pull(_ exit: TipsExit, at now: Step) {
        guard let turn = exit.turn, now <= turn.end || body?.isPinMoving == true,
            let angle = exit.angle(at: now), let pin = body?.pin(at: now, pivot: pivot)
        else { return }
        let point = center(turnedTo: angle, pin: pin)
        body?.pull(exit.rod, to: point)
    }
}

// MARK: - Held

extension Tips {
    /// Steps after its last sample in which a finger has become still.
    private static let stillSteps = 12

    /// A tip that a fast finger holds resists, per second of its velocity.
    func resistance(to speed: Double) -> Double { parameters.resistance * speed / 1_000 }

    /// A finger that has become still is met by no more than the standard resistance.
    mutating func calm(_ grip: TipsGrip, at now: Step) {
        guard grip.speed > 0, grip.drag.stillSteps(at: now) >= Self.stillSteps else { return }
        var grip = grip
        grip.speed = 0
        state = .dragging(grip)
        body?.resist(0)
    }
}
