import Dynamics
package import Geometry
package import Gestures
import Motion

/// `tips`: cards that swing in on a pin, are dragged on a rod, and swing out (Tweetbot).
///
/// The machine decides which card is shown and where a release leads; `TipsBody` holds the card in
/// a world of Dynamics, `Tips+Views` shows it with the backdrop. A step moves the body first, then
/// the fades. Safe to change: thresholds and times in `TipsParameters`; goldens hold the physics.
package struct Tips: Machine {
    package static let kind = "tips"
    package static let commands = Action.allCases.map(\.rawValue)
    /// Tips in one component.
    package static let tipsMax = 1_024

    private enum Action: String, CaseIterable { case present, dismiss }

    package struct Saved: Codable, Hashable, Sendable {
        package var index: Int
        package var isPresented: Bool

        private enum CodingKeys: String, CodingKey {
            case index
            case isPresented = "presented"
        }

        package init(index: Int, isPresented: Bool) {
            self.index = index
            self.isPresented = isPresented
        }
    }

    /// Which way a tip is turned out of the viewport.
    enum Side: Hashable, Sendable, Codable {
        case left, right
    }

    /// Fades everything that is shown, from the alphas that it has.
    struct Fade: Hashable, Sendable, Codable {
        var backdrop: Animation
        var tip: Animation
        /// Where a tip stood when the fade began; nil where none is in the hierarchy.
        var standing: ViewPose?
    }

    enum State: Hashable, Sendable, Codable {
        /// No views. Can become: `presenting`.
        case dismissed
        /// The backdrop fades in. Can become: `entering`, `dismissing`.
        case presenting(Fade)
        /// A tip swings in. Can become: `resting`, `dragging`, `dismissing`.
        case entering
        /// Exactly in its place. Can become: `dragging`, `dismissing`.
        case resting
        /// A finger holds the rod. Can become: `returning`, `leaving`, `dismissing`.
        case dragging(Drag, rod: BehaviorID)
        /// Let go too near: swings back. Can become: `resting`, `dragging`, `dismissing`.
        case returning
        /// Swings out. Can become: `entering`, `dismissing`.
        case leaving(Side, until: Step)
        /// Everything fades out. Can become: `dismissed`, `presenting`.
        case dismissing(Fade)
    }

    let parameters: TipsParameters
    let viewport: Size
    let tracker: VelocityTracker.Kind
    var state = State.dismissed
    var index = 0
    /// Set exactly while a tip swings or is held. It stands beside the state for steps in
    /// place.
    var body: TipsBody?
    /// The step whose state is shown.
    var shownStep = Step.zero
    var cuts = ViewCuts()

    /// A stored property's key is a file format.
    private enum CodingKeys: String, CodingKey {
        case parameters, viewport, tracker, state, index
        case body = "world"
        case shownStep, cuts
    }

    package init(_ parameters: TipsParameters, viewport: Size, tracker: VelocityTracker.Kind) {
        self.parameters = parameters
        self.viewport = viewport
        self.tracker = tracker
    }

    // MARK: Events

    package mutating func opened(at now: Step, into effects: inout Effects) {
        if parameters.presented && !parameters.tips.isEmpty { present(at: now, into: &effects) }
    }

    package var recognizers: Recognizers { .pan }

    package mutating func pan(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch pan.phase {
        case .began:
            try began(pan, time: time, at: now, into: &effects)
        case .changed:
            guard case .dragging(var drag, let rod) = state else { throw .notOpen(.changed) }
            // Frees the state's reference to the samples: appending would copy them all.
            state = .resting
            let hasMoved = drag.follow(pan, time: time, at: now)
            state = .dragging(drag, rod: rod)
            guard hasMoved else { break }
            body?.animator.moveAnchor(of: rod, to: pan.location)
        case .ended, .cancelled:
            guard case .dragging = state else { throw .notOpen(pan.phase) }
            release(from: pan.location, at: now, into: &effects)
        }
    }

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch try command.action(Action.self) {
        case .present:
            guard !parameters.tips.isEmpty else {
                throw Rejection(.badValue, "there are no tips to present")
            }
            switch state {
            case .dismissed, .dismissing: present(at: now, into: &effects)
            case .presenting, .entering, .resting, .dragging, .returning, .leaving: break
            }
        case .dismiss:
            switch state {
            case .dismissed, .dismissing: break
            case .presenting, .entering, .resting, .dragging, .returning, .leaving:
                dismiss(at: now, into: &effects)
            }
        }
    }

    // MARK: Saving

    package var saved: Saved {
        switch state {
        case .dismissed, .dismissing: Saved(index: index, isPresented: false)
        case .presenting, .entering, .resting, .dragging, .returning:
            Saved(index: index, isPresented: true)
        case .leaving(.right, _): Saved(index: max(0, index - 1), isPresented: true)
        case .leaving(.left, _):
            index + 1 < parameters.tips.count
                ? Saved(index: index + 1, isPresented: true)
                : Saved(index: index, isPresented: false)
        }
    }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        index = min(max(0, saved.index), max(0, parameters.tips.count - 1))
        state = saved.isPresented && !parameters.tips.isEmpty ? .resting : .dismissed
    }

    // MARK: Time

    package var nextTimer: Step? {
        switch state {
        case .dismissed, .entering, .resting, .returning: nil
        case .presenting(let fade), .dismissing(let fade): fade.backdrop.end
        case .dragging(let drag, _): drag.deadline
        case .leaving(_, let until): until
        }
    }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        guard let timer = nextTimer, timer <= now else { return }
        switch state {
        case .dismissed, .entering, .resting, .returning: break
        case .presenting:
            effects.transitions.append(presentation(.ended))
            place(.right, at: now, into: &effects)
        case .dragging(let drag, _): release(from: drag.finger, at: now, into: &effects)
        case .leaving(let side, _): exchange(side, at: now, into: &effects)
        case .dismissing:
            if pose != nil { cuts.grow("tip") }
            cuts.grow("backdrop")
            state = .dismissed
            effects.transitions.append(dismissal(.ended))
            effects.needsPublish = true
        }
    }

    package var isMoving: Bool {
        switch state {
        case .dismissed, .resting: false
        case .presenting, .dismissing, .entering, .returning: true
        case .dragging, .leaving: body?.animator.isResting == false
        }
    }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        shownStep = now
        let before = body?.pose
        body?.animator.step()
        // A tip that a still finger holds shows nothing new.
        if case .dragging = state { return body?.pose != before }
        guard body?.animator.isResting == true else { return true }
        switch state {
        case .entering, .returning:
            // The body sleeps within a fraction of a point of its place; the view stands there.
            body = nil
            state = .resting
        case .dismissed, .presenting, .resting, .dragging, .leaving, .dismissing: break
        }
        return true
    }
}

// MARK: - Decisions

extension Tips {
    private mutating func present(at now: Step, into effects: inout Effects) {
        let standing: ViewPose?
        if case .dismissing(let fade) = state {
            effects.transitions.append(dismissal(.cancelled))
            standing = fade.standing
        } else {
            standing = nil
        }
        let fade = self.fade(
            backdropTo: parameters.backdropAlpha, tipTo: 1, standing: standing, at: now)
        index = 0
        begin(fade, .presenting(fade), at: now)
        shownStep = now
        effects.transitions.append(presentation(.began))
        effects.needsPublish = true
    }

    private mutating func dismiss(at now: Step, into effects: inout Effects) {
        switch state {
        case .presenting: effects.transitions.append(presentation(.cancelled))
        case .leaving(let side, _): effects.append(page(side, .cancelled))
        case .dismissed, .entering, .resting, .dragging, .returning, .dismissing: break
        }
        let fade = self.fade(backdropTo: 0, tipTo: 0, standing: pose, at: now)
        body = nil
        begin(fade, .dismissing(fade), at: now)
        shownStep = now
        effects.transitions.append(dismissal(.began))
        effects.needsPublish = true
    }

    private mutating func began(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch state {
        case .dismissed: throw Rejection(.busy, "the tips are dismissed")
        case .presenting: throw Rejection(.busy, "no tip has come in yet")
        case .leaving: throw Rejection(.busy, "the tip is leaving")
        case .dismissing: throw Rejection(.busy, "the tips are being dismissed")
        case .entering, .resting, .returning:
            var held = body ?? TipsBody(home, parameters, middle: middle)
            let rod = held.hang(on: pan.location)
            hold(held, pan, rod: rod, time: time, at: now)
        case .dragging(_, let former):
            // The second gesture replaces the first and takes the tip where it is.
            guard var held = body else { preconditionFailure("dragging without a body") }
            body = nil
            held.animator.remove(former)
            let rod = held.hang(on: pan.location)
            hold(held, pan, rod: rod, time: time, at: now)
        }
        effects.needsPublish = true
    }

    private mutating func hold(
        _ held: TipsBody, _ pan: Pan, rod: BehaviorID, time: SampleTime, at now: Step
    ) {
        body = held
        state = .dragging(Drag(pan, time: time, tracker: tracker, at: now), rod: rod)
    }

    /// Near the middle the tip swings back; elsewhere it leaves to the finger's side.
    private mutating func release(
        from finger: Vector, at now: Step, into effects: inout Effects
    ) {
        guard case .dragging(_, let rod) = state else {
            preconditionFailure("released without a drag, in \(phase)")
        }
        let middle = self.middle
        let distance = finger.x - middle.x
        effects.needsPublish = true
        guard distance.magnitude >= parameters.threshold else {
            body?.animator.remove(rod)
            body?.snap(to: middle, damping: parameters.snapDamping)
            state = .returning
            return
        }
        let side = distance > 0 ? Side.right : .left
        let exit = place(side).center
        body?.animator.moveAnchor(of: rod, to: exit)
        state = .leaving(side, until: now.after(seconds: parameters.exitDuration))
        effects.append(page(side, .began))
    }

    /// The tip is out: brings the next one in, or dismisses all after the last.
    private mutating func exchange(_ side: Side, at now: Step, into effects: inout Effects) {
        effects.append(page(side, .ended))
        switch side {
        case .right:
            let isFirst = index == 0
            index = max(0, index - 1)
            place(isFirst ? .right : .left, at: now, into: &effects)
        case .left where index + 1 < parameters.tips.count:
            index += 1
            place(.right, at: now, into: &effects)
        case .left: dismiss(at: now, into: &effects)
        }
    }

    /// Puts a tip to one side, at rest, to swing in from there.
    mutating func place(_ side: Side, at now: Step, into effects: inout Effects) {
        if pose != nil { cuts.grow("tip") }
        var entering = TipsBody(place(side), parameters, middle: middle)
        entering.snap(to: middle, damping: parameters.snapDamping)
        body = entering
        state = .entering
        shownStep = now
        effects.needsPublish = true
    }

    /// Enters `fading`. A view that shows already is cut if it fades in no time.
    private mutating func begin(_ fade: Fade, _ fading: State, at now: Step) {
        if state != .dismissed {
            func jumps(_ alpha: Animation) -> Bool { alpha.value(at: now) != alpha.from }
            if jumps(fade.backdrop) { cuts.grow("backdrop") }
            if fade.standing != nil, jumps(fade.tip) { cuts.grow("tip") }
        }
        state = fading
    }

    private func fade(
        backdropTo backdrop: Double, tipTo tip: Double, standing: ViewPose?, at now: Step
    ) -> Fade {
        func way(_ from: Double, _ to: Double) -> Animation {
            Animation(from: from, to: to, begin: now, duration: parameters.fade)
        }
        let alphas = self.alphas(at: now)
        return Fade(
            backdrop: way(alphas.backdrop, backdrop), tip: way(alphas.tip, tip),
            standing: standing)
    }

    private func presentation(_ event: Transition.Event) -> Transition {
        Transition("present", event, duration: parameters.fade, curve: .easeInOut)
    }

    private func dismissal(_ event: Transition.Event) -> Transition {
        Transition("dismiss", event, duration: parameters.fade, curve: .easeInOut)
    }

    /// Nil past the last tip: no page follows.
    private func page(_ side: Side, _ event: Transition.Event) -> Transition? {
        let to = side == .right ? max(0, index - 1) : index + 1
        guard to < parameters.tips.count else { return nil }
        return Transition(
            "page", event, from: .index(index), to: .index(to),
            duration: parameters.exitDuration)
    }
}

extension Effects {
    fileprivate mutating func append(_ transition: Transition?) {
        if let transition { transitions.append(transition) }
    }
}
