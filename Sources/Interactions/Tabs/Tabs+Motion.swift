import Geometry
import Motion

/// How the arrow runs and the bubble fades, and how transitions tell of it.
extension Tabs {
    /// `velocity` is the arrow's, in points per second: a spring goes on with it.
    func arrowWay(
        from left: Double, velocity: Double, to item: Int, at now: Step
    ) -> Animation {
        Animation(
            from: left, to: restingLeft(item), velocity: velocity, begin: now,
            pace: parameters.spring.pace(
                parameters.arrowCurve, seconds: parameters.arrowDuration))
    }

    /// Fades the bubble from the alpha that it has.
    func fade(to alpha: Double, at now: Step) -> Animation {
        let velocity =
            switch bubble {
            case .none, .shown: 0.0
            case .showing(_, let fade, _), .hiding(_, let fade, _): fade.velocity(at: now)
            }
        return Animation(
            from: bubbleAlpha(at: now), to: alpha, velocity: velocity, begin: now,
            pace: parameters.bubbleSpring.pace(.easeInOut, seconds: parameters.bubbleFade),
            precision: Animation.nearShares)
    }

    /// `to` defaults to the selected item.
    func selection(
        _ event: Transition.Event, from: Int, to: Int? = nil, _ way: Animation
    ) -> Transition {
        Transition(
            "select", event, from: .index(from), to: .index(to ?? selected),
            duration: way.duration, curve: way.curve)
    }

    func fading(_ name: String, _ event: Transition.Event, _ fade: Animation) -> Transition {
        guard parameters.bubbleSpring == nil else {
            return Transition(name, event, duration: fade.duration, curve: fade.curve)
        }
        return Transition(name, event, duration: parameters.bubbleFade, curve: .easeInOut)
    }
}
