import Geometry

extension Animator {
    /// An attachment's type as it would have to be added now, for the attachment to be the same.
    ///
    /// What was settled when it was added is given: a length, how far its items have turned since
    /// then within a range (rad), and an axis as it stands now.
    package func settled(_ type: Attachment.Kind, of behavior: BehaviorID) -> Attachment.Kind {
        guard let link = links.first(where: { $0.behavior == behavior }) else {
            let joint = joints.first { $0.behavior == behavior }
            guard case .distance(nil, let frequency, let damping) = type, let joint,
                joint.kind != .pin
            else { return type }
            return .distance(length: joint.length, frequency: frequency, damping: damping)
        }
        var (turned, sine, cosine) = (bodies[Int(link.second)].rotation, 0.0, 1.0)
        if case .body(let first) = link.first {
            turned -= bodies[Int(first)].rotation
            (sine, cosine) = Angle.sineCosine(bodies[Int(first)].rotation)
        }
        switch (type, link.kind) {
        case (.distance(_, let frequency, let damping), .distance(let length, _)):
            return .distance(length: length, frequency: frequency, damping: damping)
        case (.limit, .rope(let length)):
            return .limit(length: length)
        case (.pin(let torque, let range?), .pin(let joint)):
            let since = turned - joint.reference
            return .pin(
                frictionTorque: torque,
                range: range.lowerBound - since...range.upperBound - since)
        case (.sliding(let given, let range), .sliding(let joint)):
            // Unless the other has turned: what is divided once more by its length is another axis.
            let axis = (given / given.length).rotated(sine: -sine, cosine: cosine)
            if joint.given == given, joint.axis == axis || link.first == .ground { return type }
            return .sliding(axis: joint.axis.rotated(sine: sine, cosine: cosine), range: range)
        case (.distance, _), (.fixed, _), (.pin, _), (.sliding, _), (.limit, _):
            return type
        }
    }
}
