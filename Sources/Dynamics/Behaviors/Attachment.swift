package import Geometry

/// Identifies a behavior of one animator. An id is never reused.
package struct BehaviorID: Hashable, Sendable {
    let number: UInt32
}

/// Connects a point of an item to a fixed point or to a point of another item.
package struct Attachment: Hashable, Sendable {
    /// The other end.
    package enum End: Hashable, Sendable {
        /// A fixed point, in points.
        case anchor(Vector)
        /// A point of another item, from that item's center in its own coordinates.
        case item(ItemID, offset: Vector = .zero)
    }

    /// The kind of connection, as UIKit's attachments.
    package enum Kind: Hashable, Sendable {
        /// Keeps a distance (pt; nil: the distance when added).
        ///
        /// With a frequency (Hz) a soft spring with `damping` as its damping ratio; without one a
        /// rigid rod. A rod without a length whose ends are closer than 1 pt is a pin.
        case distance(length: Double? = nil, frequency: Double = 0, damping: Double = 0)
        /// Keeps points and angle as when added. With a frequency (Hz) the angle is soft.
        case fixed(frequency: Double = 0, damping: Double = 0)
        /// Keeps the points together; the items may rotate about them.
        ///
        /// Optionally with friction (a torque in kg·m²/s²), and only within a range of the item's
        /// angle (rad) relative to the other, counted from when it was added.
        case pin(frictionTorque: Double = 0, range: ClosedRange<Double>? = nil)
        /// Lets the item slide along an axis fixed to the other, without rotating. The axis is
        /// given in the world, as it is when added; the range (pt) counts from the other's point.
        case sliding(axis: Vector, range: ClosedRange<Double>? = nil)
        /// Limits the distance (pt; nil: the distance when added).
        case limit(length: Double? = nil)
    }

    package var item: ItemID
    /// The attached point from the item's center, in the item's own coordinates (points).
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

/// The joint that an attachment became: the fast kind if possible.
enum AnyJoint {
    case ground(GroundJoint)
    case joint(Joint)
}

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
