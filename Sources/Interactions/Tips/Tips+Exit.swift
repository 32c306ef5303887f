import Dynamics
import Geometry
import Motion

/// The way of a tip out of the viewport.
struct TipsExit: Hashable, Sendable, Codable {
    let side: Tips.Side
    /// Pulls the tip.
    var rod: BehaviorID
    /// The tip's turn about its pin, in radians; nil: it was sent to its place at once.
    var turn: Animation?
}

/// A finger that holds a tip on a rod.
struct TipsGrip: Hashable, Sendable, Codable {
    var drag: Drag
    var rod: BehaviorID
    /// The finger's, in points per second; 0 without resistance.
    var speed: Double
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

    /// Lets go a tip that leaves.
    ///
    /// It is pulled at its center, for a rod between it and the exit would keep it in sight.
    func exit(to side: Side, of body: inout TipsBody, on rod: BehaviorID, at now: Step) -> TipsExit
    {
        guard parameters.exitTravel > 0 else {
            body.pull(rod, to: place(side).center)
            return TipsExit(side: side, rod: rod, turn: nil)
        }
        let turn = Animation(
            from: Angle.wrapped(body.pose.rotation), to: place(side).rotation, begin: now,
            duration: min(parameters.exitTravel, parameters.exitDuration), curve: .easeIn)
        let point = center(turnedTo: turn.from, pin: body.pin(at: now, pivot: pivot))
        return TipsExit(side: side, rod: body.hold(at: point, insteadOf: rod), turn: turn)
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
            let pin = body?.pin(at: now, pivot: pivot)
        else { return }
        let point = center(turnedTo: turn.value(at: now), pin: pin)
        body?.pull(exit.rod, to: point)
    }
}

// MARK: - Held

extension Tips {
    /// Steps after its last sample in which a finger counts as fast as it was, and after which it
    /// counts as still.
    private static let fastSteps = 6
    private static let stillSteps = 12

    /// Where a finger pulls: nearer to the middle the faster it is.
    func pulled(_ finger: Vector, speed: Double) -> Vector {
        guard parameters.resistance > 0, speed > 0 else { return finger }
        return middle + (finger - middle) / (1 + parameters.resistance * speed / 1_000)
    }

    /// Moves the tip's end of the rod up to a finger that has become still.
    mutating func pull(_ grip: TipsGrip, at now: Step) {
        guard grip.speed > 0 else { return }
        let still = Double(Self.stillSteps - grip.drag.stillSteps(at: now))
        let share = max(0, min(still / Double(Self.stillSteps - Self.fastSteps), 1))
        guard share < 1 else { return }
        let point = pulled(grip.drag.finger, speed: grip.speed * share)
        body?.pull(grip.rod, to: point)
        guard share == 0 else { return }
        var grip = grip
        grip.speed = 0
        state = .dragging(grip)
    }
}
