import Dynamics
package import Geometry
import Motion

extension Tips {
    /// In which time a tip in flight gets onto the pin of another frame.
    private static let moveSeconds = 0.3

    /// The shown tip stays, by its index. In flight it goes on from where it is; at rest it is in
    /// its place at once. Without any tip everything is dismissed.
    package mutating func adapt(
        to parameters: TipsParameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        guard parameters != self.parameters || viewport != self.viewport else { return }
        let former = self
        let page = leavingPage(.cancelled)
        if parameters.tips != former.parameters.tips { broughtCards = nil }
        (self.parameters, self.viewport) = (parameters, viewport)
        cardsChanged(after: page, into: &effects)
        effects.needsPublish = true
        if isOtherwiseHeld(than: former) { takeAlong(at: now) }
        cutWhatStands(otherwiseThan: former)
        switch state {
        case .presenting(var fade, let finger):
            fade.backdrop = fade.backdrop.turned(to: parameters.backdropAlpha, at: now)
            state = .presenting(fade, finger: finger)
        case .dismissed, .entering, .resting, .dragging, .returning, .leaving, .dismissing: break
        }
        guard cards.isEmpty else { return }
        switch state {
        case .dismissed, .dismissing: break
        case .presenting, .entering, .resting, .dragging, .returning, .leaving:
            dismiss(at: now, into: &effects)
        }
    }

    private func isOtherwiseHeld(than former: Tips) -> Bool {
        pivot != former.pivot || middle != former.middle
            || parameters.size != former.parameters.size
            || parameters.snapDamping != former.parameters.snapDamping
    }

    private mutating func cutWhatStands(otherwiseThan former: Tips) {
        guard state != .dismissed else { return }
        if body == nil, pose != former.pose { cuts.grow("tip") }
        var isFading = false
        switch state {
        case .presenting, .dismissing: isFading = true
        case .dismissed, .entering, .resting, .dragging, .returning, .leaving: break
        }
        let isElsewhere = middle != former.middle
        let isOther = !isFading && parameters.backdropAlpha != former.parameters.backdropAlpha
        if isElsewhere || isOther { cuts.grow("backdrop") }
    }

    /// Hangs the tip in flight onto the new pin, and on what holds it.
    private mutating func takeAlong(at now: Step) {
        guard let former = body else { return }
        var moved = TipsBody(
            former, parameters, pivot: pivot, at: now, duration: Self.moveSeconds)
        body = nil
        switch state {
        case .dismissed, .resting: break
        case .presenting, .entering, .returning, .dismissing(_, nil):
            moved.snap(to: middle, damping: parameters.snapDamping)
        case .dragging(var grip):
            grip.rod = moved.hang(on: grip.drag.finger)
            state = .dragging(grip)
        case .leaving(let exit, let until):
            state = .leaving(goingOn(exit, of: &moved, at: now), until: until)
        case .dismissing(let fade, .some(let exit)):
            state = .dismissing(fade, goingOn(exit, of: &moved, at: now))
        }
        body = moved
    }

    /// The turn goes on as it was; a tip that was sent to its exit at once turns from here.
    private func goingOn(_ exit: TipsExit, of body: inout TipsBody, at now: Step) -> TipsExit {
        let turn =
            exit.turn
            ?? Animation(
                from: Angle.wrapped(body.pose.rotation), to: place(exit.side).rotation, begin: now,
                duration: Self.moveSeconds, curve: .easeIn)
        let point = center(
            turnedTo: exit.angle(at: now) ?? turn.from, pin: body.pin(at: now, pivot: pivot))
        return TipsExit(
            side: exit.side, rod: body.hold(at: point, insteadOf: nil), turn: turn, push: exit.push)
    }
}

extension Animation {
    /// Goes on from its value to another target. It ends when it would have, or so much later that
    /// nothing jumps.
    fileprivate func turned(to target: Double, at now: Step) -> Animation {
        guard target != to, now < end else { return self }
        if case .spring(let curve) = curve {
            return Animation(
                from: value(at: now), to: target, velocity: velocity(at: now), begin: now,
                pace: .spring(Spring(curve)), precision: Self.nearShares)
        }
        return Animation(
            from: value(at: now), to: target, begin: now,
            duration: max(end.seconds(since: now), 0.1), curve: curve)
    }
}
