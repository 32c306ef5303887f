package import Geometry
package import Gestures
import Motion
import Notation

/// How a finger draws the shown screen off to the right, to come back to the one below.
///
/// It begins at the left edge. The screen follows the finger; let go, it flies to the side on which
/// its velocity would leave it. A contact that lands catches it in flight. The stack changes at the
/// end alone.
extension Navigation {
    /// The shown screen between its place and the right side.
    struct Pop: Hashable, Sendable, Codable {
        enum Hold: Hashable, Sendable, Codable {
            /// A contact caught it, so many points off its place, and has not moved yet.
            case caught(at: Double)
            /// It is as far off as the finger is from `anchor`, a place on the x axis.
            case dragged(Drag, anchor: Double)
            /// It flies away, or back to its place.
            case released(Animation, goes: Bool)
        }

        /// The shown screen, and the one below.
        var from: String
        var to: String
        var hold: Hold

        var isReleased: Bool {
            if case .released = hold { return true }
            return false
        }

        /// The step at which time decides; nil: none does.
        var deadline: Step? {
            switch hold {
            case .caught: nil
            case .dragged(let drag, _): drag.deadline
            case .released(let flight, _): flight.end
            }
        }
    }

    /// No flight is shorter, in seconds, unless the scene's duration is: nobody would see it.
    static let flightSecondsMin = 0.1
    /// The mean speed of an eased-out way in shares of the speed with which it begins.
    private static let flightMeanSpeed = 0.58

    package var recognizers: Recognizers { .panAcross }

    /// How far the screen is off its place, in points.
    func distance(of pop: Pop) -> Double {
        switch pop.hold {
        case .caught(let distance): distance
        case .dragged(let drag, let anchor):
            min(max(0, drag.finger.x - anchor), viewport.width)
        case .released(let flight, _):
            // A spring goes beyond its target, the screen does not.
            min(max(0, flight.value(at: shownStep)), viewport.width)
        }
    }

    /// Whether a finger that lands there can pop a screen.
    func canPop(from point: Vector) -> Bool {
        switch state {
        case .resting: below != nil && isPopEdge(point)
        case .transitioning: false
        case .popping: true
        }
    }

    private func isPopEdge(_ point: Vector) -> Bool {
        parameters.popEdge > 0 && point.x < parameters.popEdge
    }

    // MARK: Events

    package mutating func pan(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        if case .transitioning = state { throw Rejection(.busy, "a transition runs") }
        guard pan.phase == .began else {
            try follow(pan, time: time, at: now, into: &effects)
            return
        }
        let drag = Drag(pan, time: time, tracker: tracker, at: now)
        if case .popping(var pop, let waiting) = state {
            pop.hold = .dragged(drag, anchor: anchor(of: pan, showing: distance(of: pop)))
            state = .popping(pop, waiting: waiting)
            effects.needsPublish = true
            return
        }
        guard isPopEdge(landing ?? pan.location) else {
            throw Rejection(
                .badValue, "a pan pops from the \(parameters.popEdge) points at the left edge alone"
            )
        }
        guard let below else { throw noScreenBelow }
        let hold = Pop.Hold.dragged(drag, anchor: anchor(of: pan, showing: 0))
        let pop = Pop(from: shown, to: below, hold: hold)
        state = .popping(pop, waiting: [])
        shownStep = now
        effects.transitions.append(transition(pop, .began))
        effects.needsPublish = true
    }

    package mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects) {
        switch touch {
        case .down(let place):
            landing = place
            guard case .popping(var pop, let waiting) = state, pop.isReleased else { break }
            pop.hold = .caught(at: distance(of: pop))
            state = .popping(pop, waiting: waiting)
            effects.needsPublish = true
        case .moved: break
        case .up:
            landing = nil
            letGo(at: now, into: &effects)
        }
    }

    // MARK: Time

    /// The finger was silent for too long, or the flight is over.
    mutating func fire(
        _ pop: Pop, waiting: [Request], at now: Step, into effects: inout Effects
    ) {
        switch pop.hold {
        case .caught: break
        case .dragged: fly(pop, goes: false, 0, waiting: waiting, at: now, into: &effects)
        case .released(_, let goes):
            if goes { raise(pop.to) }
            cuts.grow(goes ? pop.from : pop.to)
            effects.transitions.append(transition(pop, goes ? .ended : .cancelled))
            effects.needsPublish = true
            state = .resting
            proceed(waiting, at: now, into: &effects)
        }
    }

    // MARK: Decisions

    /// A contact that caught the screen lifts, without having moved it.
    mutating func letGo(at now: Step, into effects: inout Effects) {
        guard case .popping(let pop, let waiting) = state, case .caught = pop.hold else { return }
        release(pop, 0, waiting: waiting, at: now, into: &effects)
    }

    /// Goes on with an open pan.
    private mutating func follow(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        guard case .popping(var pop, let waiting) = state,
            case .dragged(var drag, let anchor) = pop.hold
        else { throw .notOpen(pan.phase) }
        let before = distance(of: pop)
        let velocity = pan.phase == .ended ? drag.velocity(endingWith: pan, time: time).x : 0
        // Frees the state's references to the samples: appending would copy them all.
        pop.hold = .caught(at: before)
        state = .resting
        _ = drag.follow(pan, time: time, at: now)
        pop.hold = .dragged(drag, anchor: anchor)
        state = .popping(pop, waiting: waiting)
        switch pan.phase {
        case .began, .changed:
            if distance(of: pop) != before { effects.needsPublish = true }
        case .ended: release(pop, velocity, waiting: waiting, at: now, into: &effects)
        case .cancelled:
            fly(pop, goes: false, 0, waiting: waiting, at: now, into: &effects)
        }
    }

    /// The place from which the finger's distance counts. A raw contact's slop does not count.
    private func anchor(of pan: Pan, showing distance: Double) -> Double {
        let slop = PanRecognizer.slopPoints
        guard let landing, (pan.location.x - landing.x).magnitude >= slop else {
            return pan.location.x - distance
        }
        return landing.x + (pan.location.x < landing.x ? -slop : slop) - distance
    }

    /// Lets the screen fly on to the side where its velocity, in points per second, would leave it.
    private mutating func release(
        _ pop: Pop, _ velocity: Double, waiting: [Request], at now: Step,
        into effects: inout Effects
    ) {
        let rest = distance(of: pop) + ScrollPhysics.normal.way(at: velocity)
        let goes = rest > viewport.width / 2
        fly(
            pop, goes: goes, goes ? velocity : -velocity, waiting: waiting, at: now, into: &effects)
    }

    /// Lets the screen fly. `speed` is that towards its goal, in points per second.
    private mutating func fly(
        _ former: Pop, goes: Bool, _ speed: Double, waiting: [Request], at now: Step,
        into effects: inout Effects
    ) {
        var pop = former
        let distance = distance(of: former)
        let goal = goes ? viewport.width : 0
        let way = (goal - distance).magnitude
        let flight = Animation(
            from: distance, to: goal, velocity: goes ? speed : -speed, begin: now,
            pace: parameters.spring.pace(.easeOut, seconds: flightSeconds(way, speed)))
        // A way of no time is no motion.
        if flight.end <= now, way > 0, !goes { cuts.grow(pop.from) }
        pop.hold = .released(flight, goes: goes)
        state = .popping(pop, waiting: waiting)
        shownStep = now
        effects.needsPublish = true
    }

    /// The time of a flight of so many points that begins so fast and eases out.
    private func flightSeconds(_ way: Double, _ speed: Double) -> Double {
        guard way > 0 else { return 0 }
        guard speed > 0 else { return parameters.duration }
        let fitting = way / (speed * Self.flightMeanSpeed)
        return min(parameters.duration, max(fitting, Self.flightSecondsMin))
    }

    /// When the finger begins, its speed at the end is unknown: the duration is that of the whole
    /// way from rest.
    func transition(_ pop: Pop, _ event: Transition.Event) -> Transition {
        let whole = Animation(
            from: 0, to: viewport.width, begin: .zero,
            pace: parameters.spring.pace(.easeOut, seconds: parameters.duration))
        return Transition(
            "pop", event, from: .screen(pop.from), to: .screen(pop.to), duration: whole.duration)
    }
}

extension Navigation.Pop {
    func isSound(_ tracker: VelocityTracker.Kind) -> Bool {
        switch hold {
        case .caught(let distance): distance.magnitude <= 1e9
        case .dragged(let drag, let anchor): drag.isSound(tracker) && anchor.magnitude <= 1e9
        case .released(let flight, _): flight.isSound
        }
    }
}
