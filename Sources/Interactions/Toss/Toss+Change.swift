import Dynamics
package import Geometry

extension Toss {
    /// At rest it is in the new frame at once. In flight it goes on, and returns to the new frame;
    /// a return that is under way begins anew from where it is.
    package mutating func adapt(
        to parameters: TossParameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        guard parameters != self.parameters else { return }
        let former = self.parameters
        self.parameters = parameters
        effects.needsPublish = true
        if parameters.markers != .always { marks = nil }
        switch state {
        case .resting:
            if parameters.frame.center != former.frame.center { cuts.grow("item") }
        case .returning:
            if parameters.frame.center != former.frame.center { goHome(at: now, into: &effects) }
        case .dragging, .thrown:
            guard
                parameters.frame.size != former.frame.size
                    || parameters.friction != former.friction
            else { break }
            takeAlong(at: now)
        }
    }

    /// Gives what flies or hangs its new size, and leaves it its velocity.
    private mutating func takeAlong(at now: Step) {
        guard let former = body else { return }
        let motion = former.animator.motion(of: former.item)
        var moved = TossBody(former.pose, parameters)
        switch state {
        case .resting, .returning: break
        case .dragging(let drag, let touch, _):
            let (sine, cosine) = Angle.sineCosine(-motion.rotation)
            let held = (drag.finger - motion.center).rotated(sine: sine, cosine: cosine)
            let grip = moved.animator.add(
                Attachment(item: moved.item, offset: held, anchor: drag.finger))
            state = .dragging(drag, firstTouch: touch, grip: grip)
        case .thrown:
            // One that was thrown in this step is yet to be pushed.
            for behavior in former.animator.behaviors(beside: []) ?? [] {
                var push = former.animator.push(of: behavior)
                push.items = [moved.item]
                _ = moved.animator.add(push)
            }
        }
        moved.animator.addVelocity(
            linear: motion.velocity, angular: motion.angularVelocity, to: moved.item)
        body = moved
    }
}
