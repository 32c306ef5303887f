import Geometry

extension Animator {
    /// Makes an attachment's joint. `former` is the joint before a change.
    ///
    /// Values that were resolved when it was added stay: lengths that were not given, the reference
    /// angle, and the axis if it is given again.
    func makeJoint(_ attachment: Attachment, of behavior: BehaviorID, after former: AnyJoint?)
        -> AnyJoint
    {
        let index = index(of: attachment.item)
        let offset = bodyPoint(attachment.item, attachment.offset.reachable)
        let (first, other) = firstEnd(of: attachment)
        let held = bodies[index].point(at: offset)
        var fixed: Vector?
        let apart: Double
        var reference = bodies[index].rotation
        switch first {
        case .ground:
            fixed = other
            apart = (held - other).length
        case .body(let body):
            precondition(Int(body) != index, "an item that is attached to itself")
            apart = (held - bodies[Int(body)].point(at: other)).length
            reference -= bodies[Int(body)].rotation
        }
        let kind = kind(
            attachment.type, first: first, apart: apart, reference: reference, after: former)
        if let fixed, let joint = GroundJoint(kind, offset, at: fixed, behavior, after: former) {
            return .ground(joint)
        }
        var joint = Joint(
            behavior: behavior, kind: kind, first: first, firstOffset: other,
            second: Int32(index), secondOffset: offset)
        if case .joint(let before) = former, before.kind.isAlike(kind) {
            joint.warmStart = before.warmStart
        }
        return .joint(joint)
    }

    private func firstEnd(of attachment: Attachment) -> (Joint.First, Vector) {
        switch attachment.end {
        case .anchor(let anchor): (.ground, anchor.reachable)
        case .item(let item, let offset):
            (.body(Int32(index(of: item))), bodyPoint(item, offset.reachable))
        }
    }

    private func kind(
        _ type: Attachment.Kind, first: Joint.First, apart: Double, reference: Double,
        after former: AnyJoint?
    ) -> Joint.Kind {
        let before = former?.kind
        let reference = former?.reference ?? reference
        switch type {
        case .distance(let length, let frequency, let damping):
            precondition(length.map { $0 >= 0 } ?? true, "an attachment of negative length")
            let spring = Softness(frequency: frequency, damping: damping)
            if frequency == 0, length == nil {
                if case .pin = before { return .pin(PinJoint(reference: reference)) }
                if former == nil, apart < Tuning.pinDistance {
                    return .pin(PinJoint(reference: reference))
                }
            }
            let settled = min(length ?? before?.length ?? apart, Tuning.reach)
            return .distance(length: settled, spring: spring)
        case .fixed(let frequency, let damping):
            let spring = Softness(frequency: frequency, damping: damping)
            return .weld(WeldJoint(reference: reference, spring: spring))
        case .pin(let torque, let range):
            precondition(torque >= 0, "a negative friction torque")
            let friction = min(torque, Tuning.reach) * Tuning.areaUnit
            return .pin(PinJoint(reference: reference, friction: friction, range: range))
        case .sliding(let given, let range):
            precondition(given.length > 0 && given.isFinite, "an axis of \(given)")
            var axis = given.reachable / given.reachable.length
            if case .sliding(let slider) = before, slider.given == given {
                axis = slider.axis
            } else if case .body(let body) = first {
                let (sine, cosine) = Angle.sineCosine(bodies[Int(body)].rotation)
                axis = axis.rotated(sine: -sine, cosine: cosine)
            }
            return .sliding(
                SlidingJoint(reference: reference, axis: axis, given: given, range: range))
        case .limit(let length):
            precondition(length.map { $0 >= 0 } ?? true, "a limit of negative length")
            return .rope(length: min(length ?? before?.length ?? apart, Tuning.reach))
        }
    }
}
