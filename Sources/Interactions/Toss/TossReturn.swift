import Dynamics
import Geometry
import Motion

/// The way of the view back to its frame: of center and rotation.
struct TossReturn: Hashable, Sendable, Codable {
    var x: Animation
    var y: Animation
    var rotation: Animation

    /// Springs end where each has come near enough to its target.
    var end: Step { max(x.end, y.end, rotation.end) }

    func pose(at step: Step) -> ViewPose {
        ViewPose(
            center: Vector(x.value(at: step), y.value(at: step)),
            rotation: rotation.value(at: step))
    }
}

extension Toss {
    /// Home from where it is. A spring goes on with the velocity that is there.
    func homecoming(at now: Step) -> TossReturn {
        let (pose, home) = (self.pose, parameters.frame.center)
        let (velocity, turning) = velocities
        func way(
            _ from: Double, _ to: Double, _ velocity: Double,
            precision: Double = Animation.nearPoints
        ) -> Animation {
            Animation(
                from: from, to: to, velocity: velocity, begin: now,
                pace: parameters.spring.pace(.easeInOut, seconds: parameters.returnDuration),
                precision: precision)
        }
        return TossReturn(
            x: way(pose.center.x, home.x, velocity.x), y: way(pose.center.y, home.y, velocity.y),
            rotation: way(
                Angle.wrapped(pose.rotation), 0, turning, precision: Animation.nearShares))
    }

    /// In points, and in radians, per second.
    private var velocities: (Vector, Double) {
        if let body {
            let motion = body.animator.motion(of: body.item)
            return (motion.velocity, motion.angularVelocity)
        }
        guard case .returning(let way) = state else { return (.zero, 0) }
        let (x, y) = (way.x.velocity(at: shownStep), way.y.velocity(at: shownStep))
        return (Vector(x, y), way.rotation.velocity(at: shownStep))
    }

    /// A spring's velocity is told along the straight way home.
    func returning(_ event: Transition.Event, _ way: TossReturn) -> Transition {
        guard let spring = parameters.spring?.spring else {
            return Transition(
                "return", event, duration: parameters.returnDuration, curve: .easeInOut)
        }
        let seconds = max(way.x.duration, way.y.duration, way.rotation.duration)
        let distance = Vector(way.x.to - way.x.from, way.y.to - way.y.from)
        let velocity = Vector(way.x.velocity(at: way.x.begin), way.y.velocity(at: way.y.begin))
        let square = distance.dot(distance)
        let share = square == 0 ? 0 : velocity.dot(distance) / square
        return Transition(
            "return", event, duration: seconds,
            curve: .spring(SpringProgress(spring, velocity: share)))
    }
}
