import Dynamics
import Geometry
import Gestures
import Motion

// MARK: - Presenting and dismissing

extension Tips {
    /// Fades in. A tip that is still there goes on to its place from where it is.
    mutating func present(at now: Step, into effects: inout Effects) {
        var hasTip = false
        if case .dismissing(let fade, let exit) = state {
            effects.transitions.append(dismissal(.cancelled, fade))
            hasTip = fade.hasTip
            if let exit { snapBack(from: exit.rod, at: now) }
        }
        let fade = self.fade(
            backdropTo: parameters.backdropAlpha, tipTo: 1, hasTip: hasTip, at: now)
        begin(fade, .presenting(fade, finger: nil), at: now)
        shownStep = now
        effects.transitions.append(presentation(.began, fade))
        effects.needsPublish = true
    }

    /// Fades out. A tip that swings swings on, one that leaves goes on its way, and one that a
    /// finger holds swings back.
    mutating func dismiss(at now: Step, into effects: inout Effects) {
        let hasTip = pose != nil
        var exit: TipsExit?
        switch state {
        case .presenting(let fade, _):
            effects.transitions.append(presentation(.cancelled, fade))
        case .leaving(let leaving, _):
            effects.append(page(leaving.side, .cancelled))
            exit = leaving
        case .dragging(let grip): snapBack(from: grip.rod, at: now)
        case .dismissed, .entering, .resting, .returning, .dismissing: break
        }
        let fade = self.fade(backdropTo: 0, tipTo: 0, hasTip: hasTip, at: now)
        begin(fade, .dismissing(fade, exit), at: now)
        shownStep = now
        effects.transitions.append(dismissal(.began, fade))
        effects.needsPublish = true
    }

    /// Enters `fading`. A view that shows already is cut if it fades in no time.
    private mutating func begin(_ fade: Fade, _ fading: State, at now: Step) {
        if state != .dismissed {
            func jumps(_ alpha: Animation) -> Bool { alpha.value(at: now) != alpha.from }
            if jumps(fade.backdrop) { cuts.grow("backdrop") }
            if fade.hasTip, jumps(fade.tip) { cuts.grow("tip") }
        }
        state = fading
    }

    private func fade(
        backdropTo backdrop: Double, tipTo tip: Double, hasTip: Bool, at now: Step
    ) -> Fade {
        func way(_ from: Double, _ to: Double, _ former: Animation?) -> Animation {
            Animation(
                from: from, to: to, velocity: former?.velocity(at: now) ?? 0, begin: now,
                pace: parameters.spring.pace(.easeInOut, seconds: parameters.fade),
                precision: Animation.nearShares)
        }
        let alphas = self.alphas(at: now)
        return Fade(
            backdrop: way(alphas.backdrop, backdrop, running?.backdrop),
            tip: way(alphas.tip, tip, running?.tip), hasTip: hasTip)
    }

    /// The fade that goes on; nil: none does.
    private var running: Fade? {
        switch state {
        case .presenting(let fade, _), .dismissing(let fade, _): fade
        case .dismissed, .entering, .resting, .dragging, .returning, .leaving: nil
        }
    }

    func presentation(_ event: Transition.Event, _ fade: Fade) -> Transition {
        fading("present", event, fade)
    }

    func dismissal(_ event: Transition.Event, _ fade: Fade) -> Transition {
        fading("dismiss", event, fade)
    }

    /// The curve is the backdrop's, the time that of all.
    private func fading(_ name: String, _ event: Transition.Event, _ fade: Fade) -> Transition {
        guard parameters.spring != nil else {
            return Transition(name, event, duration: parameters.fade, curve: .easeInOut)
        }
        let seconds = max(fade.backdrop.duration, fade.hasTip ? fade.tip.duration : 0)
        return Transition(name, event, duration: seconds, curve: fade.backdrop.curve)
    }
}

// MARK: - Held and let go

extension Tips {
    mutating func began(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        let drag = Drag(pan, time: time, tracker: tracker, at: now)
        switch state {
        case .dismissed: throw Rejection(.busy, "the tips are dismissed")
        case .dismissing: throw Rejection(.busy, "the tips are being dismissed")
        case .leaving(let exit, _) where exit.side == .left && index == lastIndex:
            throw Rejection(.busy, "the last tip is leaving")
        case .presenting(let fade, _):
            // It holds the tip when the fade has ended.
            state = .presenting(fade, finger: drag)
            return
        case .leaving(let exit, _): exchange(exit.side, at: now, into: &effects)
        case .entering, .resting, .returning, .dragging: break
        }
        // A second gesture replaces the first and takes the tip where it is.
        hold(
            drag, speed: speed(of: drag, pan, time: time), caught: pan.isCatch ? drag.finger : nil)
        effects.needsPublish = true
    }

    /// Hangs the tip, wherever it is, on a finger.
    mutating func hold(_ drag: Drag, speed: Double, caught: Vector? = nil) {
        var former: BehaviorID?
        if case .dragging(let grip) = state { former = grip.rod }
        var held = body ?? TipsBody(home, parameters, pivot: pivot)
        body = nil
        let rod = held.hang(on: drag.finger, insteadOf: former)
        held.resist(resistance(to: speed))
        body = held
        state = .dragging(TipsGrip(drag: drag, rod: rod, speed: speed, caught: caught))
    }

    /// A finger's speed in points per second; 0 where nothing resists it.
    func speed(of drag: Drag, _ pan: Pan, time: SampleTime) -> Double {
        guard parameters.resistance > 0 else { return 0 }
        return drag.velocity(endingWith: pan, time: time).length
    }

    /// Near the middle the tip swings back; elsewhere it leaves to the finger's side. Either way it
    /// goes on as fast as the finger moved it. A finger that has only stopped it decides nothing.
    mutating func release(
        _ grip: TipsGrip, from finger: Vector, at now: Step, into effects: inout Effects
    ) {
        let distance = grip.caught == nil ? finger.x - middle.x : 0
        effects.needsPublish = true
        guard distance.magnitude >= parameters.threshold else {
            snapBack(from: grip.rod, at: now)
            state = .returning
            return
        }
        let side = distance > 0 ? Side.right : .left
        guard var leaving = body else { preconditionFailure("dragging without a body") }
        body = nil
        let exit = exit(to: side, of: &leaving, on: grip.rod, at: now)
        body = leaving
        shownStep = now
        state = .leaving(exit, until: now.after(seconds: parameters.exitDuration))
        effects.append(page(side, .began))
    }

    /// Lets the tip swing to its place, with the velocity that a finger gave it.
    private mutating func snapBack(from rod: BehaviorID, at now: Step) {
        let (place, pivot) = (middle, pivot)
        body?.swingOn(at: now, pivot: pivot)
        body?.snap(to: place, damping: parameters.snapDamping, insteadOf: rod)
    }
}

// MARK: - The next one

extension Tips {
    /// The tip is out: brings the next one in, or dismisses all after the last.
    mutating func exchange(_ side: Side, at now: Step, into effects: inout Effects) {
        effects.append(page(side, .ended))
        switch side {
        case .right:
            let isFirst = index == 0
            index = max(0, index - 1)
            place(isFirst ? .right : .left, at: now, into: &effects)
        case .left where index < lastIndex:
            index += 1
            place(.right, at: now, into: &effects)
        case .left: dismiss(at: now, into: &effects)
        }
    }

    /// Puts a tip to one side, at rest, to swing in from there.
    mutating func place(_ side: Side, at now: Step, into effects: inout Effects) {
        if pose != nil { cuts.grow("tip") }
        var entering = TipsBody(place(side), parameters, pivot: pivot)
        entering.snap(to: middle, damping: parameters.snapDamping)
        body = entering
        state = .entering
        shownStep = now
        effects.needsPublish = true
    }

    /// Nil past the last tip: no page follows.
    func page(_ side: Side, _ event: Transition.Event) -> Transition? {
        let to = side == .right ? max(0, index - 1) : index + 1
        guard to < cards.count else { return nil }
        return Transition(
            "page", event, from: .index(index), to: .index(to),
            duration: parameters.exitDuration)
    }
}

extension Effects {
    mutating func append(_ transition: Transition?) {
        if let transition { transitions.append(transition) }
    }
}
