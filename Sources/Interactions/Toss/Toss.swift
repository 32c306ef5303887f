import Dynamics
package import Geometry
package import Gestures
import Motion
package import Notation

/// `toss`: a view that hangs on the finger, can be thrown, and returns.
///
/// A drag attaches the body to the finger, a fast release pushes it, a slow one lets it return; the
/// return begins after a delay. `TossBody` holds the view in a world of Dynamics. Safe to change:
/// the threshold and times in `TossParameters`; goldens hold the physics and the seeded spin.
package struct Toss: Machine {
    package static let kind = "toss"
    package static let commands = Action.allCases.map(\.rawValue)

    private enum Action: String, CaseIterable { case reset }

    /// Nothing: it always comes home.
    package struct Saved: SavedValue {
        package init() {}

        package init(_ table: inout TableReader) {}
    }

    enum State: Hashable, Sendable, Codable {
        /// In its frame. Can become: `dragging`.
        case resting
        /// Hangs on the finger. Can become: `thrown`, `returning`.
        case dragging(Drag, firstTouch: Vector, grip: BehaviorID)
        /// Flies on its own. Can become: `dragging`, `returning`.
        case thrown(until: Step)
        /// Comes back. Can become: `dragging`, `resting`.
        case returning(TossReturn)
    }

    /// The first and the last place of a finger.
    struct Marks: Hashable, Sendable, Codable {
        var touch: Vector
        var anchor: Vector
    }

    var parameters: TossParameters
    let tracker: VelocityTracker.Kind
    var state = State.resting
    /// Set exactly while `dragging` or `thrown`. It stands beside the state for steps in
    /// place.
    var body: TossBody?
    /// The marks that the last finger left; nil: none did, or they are not shown.
    var marks: Marks?
    /// The step whose state is shown.
    var shownStep = Step.zero
    var cuts = ViewCuts()

    /// A stored property's key is a file format.
    private enum CodingKeys: String, CodingKey {
        case parameters, tracker, state
        case body = "world"
        case marks, shownStep, cuts
    }

    package init(_ parameters: TossParameters, viewport: Size, tracker: VelocityTracker.Kind) {
        self.parameters = parameters
        self.tracker = tracker
    }

    // MARK: Events

    package var recognizers: Recognizers { [.pan, .tap] }

    package mutating func pan(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch (pan.phase, state) {
        case (.began, _):
            began(pan, time: time, at: now, into: &effects)
        case (.changed, .dragging(var drag, let firstTouch, let grip)):
            // Frees the state's reference to the samples: appending would copy them all.
            state = .resting
            let hasMoved = drag.follow(pan, time: time, at: now)
            state = .dragging(drag, firstTouch: firstTouch, grip: grip)
            guard hasMoved else { break }
            body?.animator.moveAnchor(of: grip, to: pan.location)
            effects.needsPublish = true
        case (.ended, .dragging(let drag, _, _)):
            let velocity = drag.velocity(endingWith: pan, time: time)
            if velocity.length > parameters.throwingThreshold {
                toss(velocity, at: now, into: &effects)
            } else {
                goHome(at: now, into: &effects)
            }
        case (.cancelled, .dragging):
            goHome(at: now, into: &effects)
        case (.changed, .resting), (.changed, .thrown), (.changed, .returning),
            (.ended, .resting), (.ended, .thrown), (.ended, .returning),
            (.cancelled, .resting), (.cancelled, .thrown), (.cancelled, .returning):
            throw .notOpen(pan.phase)
        }
    }

    package mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let point = try target.tappedPoint
        // A contact beside the item is no mistake.
        guard pose.contains(point, size: parameters.frame.size) else { return }
        effects.tellAtOnce(Transition("tap", .began, item: "item"))
    }

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch try Self.action(Action.self, of: command) {
        case .reset:
            switch state {
            case .resting: break
            case .dragging, .thrown, .returning: goHome(at: now, into: &effects)
            }
        }
    }

    // MARK: Saving

    package var saved: Saved { Saved() }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {}

    // MARK: Time

    package var nextTimer: Step? {
        switch state {
        case .resting: nil
        case .dragging(let drag, _, _): drag.deadline
        case .thrown(let until): until
        case .returning(let homecoming): homecoming.end
        }
    }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        guard let timer = nextTimer, timer <= now else { return }
        switch state {
        case .resting: break
        case .dragging: goHome(at: now, into: &effects)
        case .thrown:
            effects.transitions.append(tossing(.ended))
            state = .resting
            goHome(at: now, into: &effects)
        case .returning(let homecoming):
            state = .resting
            effects.transitions.append(returning(.ended, homecoming))
            effects.needsPublish = true
        }
    }

    package var isMoving: Bool {
        switch state {
        case .resting: false
        case .dragging, .thrown: body?.animator.isResting == false
        case .returning: true
        }
    }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        shownStep = now
        let before = body?.pose
        body?.animator.step()
        effects.keepsSchedule = isMoving
        // A view that a still finger holds shows nothing new.
        if case .dragging = state { return body?.pose != before }
        return true
    }

    // MARK: Decisions

    private mutating func began(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) {
        let pose = self.pose
        leave(.cancelled, into: &effects)
        let (sine, cosine) = Angle.sineCosine(-pose.rotation)
        let touch = (pan.location - pose.center).rotated(sine: sine, cosine: cosine)
        var hanging = TossBody(pose, parameters)
        let grip = hanging.animator.add(
            Attachment(item: hanging.item, offset: touch, anchor: pan.location))
        body = hanging
        let drag = Drag(pan, time: time, tracker: tracker, at: now)
        state = .dragging(drag, firstTouch: pan.location, grip: grip)
        effects.needsPublish = true
    }

    /// Throws the view along `velocity`, with a random spin from the session's generator.
    private mutating func toss(_ velocity: Vector, at now: Step, into effects: inout Effects) {
        keepMarks()
        var flying = TossBody(pose, parameters)
        let push = velocity / parameters.velocityPadding
        _ = flying.animator.add(
            Push(items: [flying.item], mode: .instantaneous, vector: push))
        let spin = effects.random.whole(in: parameters.spin)
        flying.animator.addVelocity(angular: Double(spin), to: flying.item)
        body = flying
        state = .thrown(until: now.after(seconds: parameters.returnDelay))
        effects.transitions.append(tossing(.began))
        effects.needsPublish = true
    }

    mutating func goHome(at now: Step, into effects: inout Effects) {
        let pose = self.pose
        let homecoming = homecoming(at: now)
        leave(.cancelled, into: &effects)
        state = .returning(homecoming)
        shownStep = now
        // A way of no time is no motion.
        let begin = self.pose
        if begin.center != pose.center || begin.rotation != Angle.wrapped(pose.rotation) {
            cuts.grow("item")
        }
        effects.transitions.append(returning(.began, homecoming))
        effects.needsPublish = true
    }

    private mutating func keepMarks() {
        guard parameters.markers == .always, case .dragging(let drag, let touch, _) = state else {
            return
        }
        marks = Marks(touch: touch, anchor: drag.finger)
    }

    /// Ends the present motion. The body loses its behaviors and its velocity.
    private mutating func leave(_ event: Transition.Event, into effects: inout Effects) {
        keepMarks()
        switch state {
        case .resting, .dragging: break
        case .thrown: effects.transitions.append(tossing(event))
        case .returning(let way): effects.transitions.append(returning(event, way))
        }
        body = nil
    }

    private func tossing(_ event: Transition.Event) -> Transition {
        Transition("toss", event, duration: parameters.returnDelay)
    }

}
