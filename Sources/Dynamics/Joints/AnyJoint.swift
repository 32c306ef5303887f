/// The joint that an attachment became: the fast kind if possible.
enum AnyJoint {
    case ground(GroundJoint)
    case joint(Joint)
}

extension AnyJoint {
    var first: Joint.First {
        switch self {
        case .ground: .ground
        case .joint(let joint): joint.first
        }
    }

    /// The angle of the items when the joint was made; nil if the joint does not keep it.
    var reference: Double? {
        switch self {
        case .ground: nil
        case .joint(let joint): joint.kind.reference
        }
    }

    /// The kind, in `Joint`'s terms.
    var kind: Joint.Kind {
        switch self {
        case .joint(let joint): joint.kind
        case .ground(let joint):
            switch joint.kind {
            case .pin: .pin(PinJoint(reference: 0))
            case .spring, .rod: .distance(length: joint.length, spring: joint.spring)
            }
        }
    }
}
