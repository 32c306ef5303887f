package import Geometry

/// Names a behavior of one animator. Ids are not used again.
package struct BehaviorID: Hashable, Sendable {
    let number: UInt32
}

/// Ties a point of an item to a fixed point, or to a point of another item.
package struct Attachment: Hashable, Sendable {
    /// What the item is tied to.
    package enum End: Hashable, Sendable {
        /// A fixed point, in points.
        case anchor(Vector)
        /// A point of another item, from its center in its own coordinates.
        case item(ItemID, offset: Vector = .zero)
    }

    /// How they are tied.
    package enum Kind: Hashable, Sendable {
        /// At a distance (pt; nil: as far as they are when it is added).
        ///
        /// With a frequency (Hz) it is a soft spring, `damping` its damping ratio; without one a
        /// rigid rod. A rod without a given length whose ends are less than 1 pt apart is a pin.
        case distance(length: Double? = nil, frequency: Double = 0, damping: Double = 0)
        /// As they stand to each other; with a frequency (Hz) their rotation gives softly.
        case fixed(frequency: Double = 0, damping: Double = 0)
        /// The points together, about which both turn.
        ///
        /// Against a friction of at most some torque (kg·m²/s²), and only within a range of
        /// rotation (rad) of the item to the other, from how they stood when it was added.
        case pin(frictionTorque: Double = 0, range: ClosedRange<Double>? = nil)
        /// The item moves along an axis (in the world, as it is when it is added) that is fixed
        /// to the other, without turning to it; only within a range (pt) from the other's point.
        case sliding(axis: Vector, range: ClosedRange<Double>? = nil)
        /// A distance at most (pt; nil: as far as they are when it is added).
        case limit(length: Double? = nil)
    }

    package var item: ItemID
    /// The held point from the item's center, in the item's own coordinates (points).
    package var offset: Vector
    package var end: End
    package var type: Kind

    package init(item: ItemID, offset: Vector = .zero, end: End, type: Kind) {
        self.item = item
        self.offset = offset
        self.end = end
        self.type = type
    }

    /// A spring or a rod to a fixed point.
    package init(
        item: ItemID, offset: Vector = .zero, anchor: Vector, length: Double? = nil,
        frequency: Double = 0, damping: Double = 0
    ) {
        self.init(
            item: item, offset: offset, end: .anchor(anchor),
            type: .distance(length: length, frequency: frequency, damping: damping))
    }
}

/// What ties an item by an attachment.
enum Bond {
    case joint(Joint)
    case link(Link)
}

extension Animator {
    /// Makes what an attachment is; `former` is what it was before it was changed.
    ///
    /// What was settled when it was added stays: lengths that were not given, how the items
    /// stood, and the axis, if it is the same.
    func bond(_ attachment: Attachment, of behavior: BehaviorID, after former: Bond?) -> Bond {
        let index = index(of: attachment.item)
        let offset = held(attachment.item, attachment.offset.reachable)
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
        if let fixed, let joint = Joint(kind, offset, at: fixed, behavior, after: former) {
            return .joint(joint)
        }
        var link = Link(
            behavior: behavior, kind: kind, first: first, firstOffset: other,
            second: Int32(index), secondOffset: offset)
        if case .link(let before) = former, before.kind.isAlike(kind) {
            link.memory = before.memory
        }
        return .link(link)
    }

    private func firstEnd(of attachment: Attachment) -> (Link.First, Vector) {
        switch attachment.end {
        case .anchor(let anchor): (.ground, anchor.reachable)
        case .item(let item, let offset):
            (.body(Int32(index(of: item))), held(item, offset.reachable))
        }
    }

    private func kind(
        _ type: Attachment.Kind, first: Link.First, apart: Double, reference: Double,
        after former: Bond?
    ) -> Link.Kind {
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
            if case .sliding(let joint) = before, joint.given == given {
                axis = joint.axis
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

extension Bond {
    var first: Link.First {
        switch self {
        case .joint: .ground
        case .link(let link): link.first
        }
    }

    /// How the items stood when it was made; nil where that was not kept.
    var reference: Double? {
        switch self {
        case .joint: nil
        case .link(let link): link.kind.reference
        }
    }

    /// As what a link is of.
    var kind: Link.Kind {
        switch self {
        case .link(let link): link.kind
        case .joint(let joint):
            switch joint.kind {
            case .pin: .pin(PinJoint(reference: 0))
            case .spring, .rod: .distance(length: joint.length, spring: joint.spring)
            }
        }
    }
}
