import Geometry

extension Animator {
    /// The type that would have to be added now to make the same attachment.
    ///
    /// It contains what was resolved when it was added: a length, the range relative to the present
    /// angle (rad), the axis as it is now in the world.
    package func resolved(_ type: Attachment.Kind, of behavior: BehaviorID) -> Attachment.Kind {
        guard let joint = joints.first(where: { $0.behavior == behavior }) else {
            let joint = groundJoints.first { $0.behavior == behavior }
            guard case .distance(nil, let frequency, let damping) = type, let joint,
                joint.kind != .pin
            else { return type }
            return .distance(length: joint.length, frequency: frequency, damping: damping)
        }
        var (turned, sine, cosine) = (bodies[Int(joint.second)].rotation, 0.0, 1.0)
        if case .body(let first) = joint.first {
            turned -= bodies[Int(first)].rotation
            (sine, cosine) = Angle.sineCosine(bodies[Int(first)].rotation)
        }
        switch (type, joint.kind) {
        case (.distance(_, let frequency, let damping), .distance(let length, _)):
            return .distance(length: length, frequency: frequency, damping: damping)
        case (.limit, .rope(let length)):
            return .limit(length: length)
        case (.pin(let torque, let range?), .pin(let pin)):
            let since = turned - pin.reference
            return .pin(
                frictionTorque: torque,
                range: range.lowerBound - since...range.upperBound - since)
        case (.sliding(let given, let range), .sliding(let slider)):
            // If the other has not rotated, return the axis as given: dividing again by its length
            // would change its bits.
            let axis = (given / given.length).rotated(sine: -sine, cosine: cosine)
            if slider.given == given, slider.axis == axis || joint.first == .ground { return type }
            return .sliding(axis: slider.axis.rotated(sine: sine, cosine: cosine), range: range)
        case (.distance, _), (.fixed, _), (.pin, _), (.sliding, _), (.limit, _):
            return type
        }
    }
}
