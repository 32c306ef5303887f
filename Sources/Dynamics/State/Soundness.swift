import Geometry

/// Checks the parts of a decoded animator: their numbers must be safe to compute with.
///
/// Squares and products of such numbers stay far within the range of Double, so that none becomes
/// infinite or NaN.
private let far = 1e12

extension Body {
    var isSound: Bool {
        center.isWithin(far) && rotation.magnitude <= far && velocity.isWithin(far)
            && angularVelocity.magnitude <= far && Tuning.sides.contains(size.width)
            && Tuning.sides.contains(size.height) && inverseMass > 1e-30 && inverseMass < 1e30
            && gyration > 1e-6 && gyration < far
            && (inverseGyration == 0 || inverseGyration == 1 / gyration)
            && (0...1).contains(linearFactor) && (0...1).contains(angularFactor)
            && acceleration.isWithin(1e30) && groundJointCount >= 0 && behaviorCount >= 0
            && behaviorCount < 1 << 30 && stillSteps >= 0 && stillSteps < 1 << 30
            && !(anchored && (isAwake || velocity != .zero || angularVelocity != 0))
    }
}

extension GroundJoint {
    var isSound: Bool {
        offset.isWithin(far) && ground.isWithin(far) && arm.isWithin(far)
            && (0...Tuning.reach).contains(length) && spring.isSound
            && impulse.isWithin(Tuning.reach)
            && spring.isRigid == (kind != .spring)
    }
}

extension Softness {
    var isSound: Bool {
        share >= 0 && share <= 1e30 && biasRate >= 0 && biasRate <= far
            && (biasRate > 0 || share == 0)
    }
}

extension Joint {
    var isSound: Bool {
        firstOffset.isWithin(far) && secondOffset.isWithin(far) && kind.isSound
            && warmStart.isSound
    }
}

extension Joint.Kind {
    fileprivate var isSound: Bool {
        switch self {
        case .distance(let length, let spring):
            (0...Tuning.reach).contains(length) && spring.isSound
        case .pin(let joint):
            joint.reference.magnitude <= far && joint.friction >= 0 && joint.friction <= 1e15
                && joint.range.map(isSound) ?? true
        case .weld(let joint): joint.reference.magnitude <= far && joint.spring.isSound
        case .sliding(let joint):
            joint.reference.magnitude <= far && joint.given.isWithin(far)
                && abs(joint.axis.length - 1) < 1e-6 && joint.range.map(isSound) ?? true
        case .rope(let length): (0...Tuning.reach).contains(length)
        }
    }

    private func isSound(_ range: ClosedRange<Double>) -> Bool {
        range.lowerBound >= -far && range.upperBound <= far
    }
}

extension WarmStart {
    /// The impulse that moves the heaviest body fastest is below this.
    fileprivate var isSound: Bool {
        [impulse.x, impulse.y, impulse.z, friction].allSatisfy { $0.magnitude <= 1e50 }
    }
}

extension PolarVector {
    var isSound: Bool {
        vector.isWithin(Tuning.reach) && angle.magnitude <= far
            && magnitude.magnitude <= 2 * Tuning.reach
    }
}

extension Material {
    private static var most: Double { 1e9 }

    /// The conditions of `check`, as an answer.
    var isSound: Bool {
        (1e-6...1e6).contains(density)
            && [friction, elasticity, resistance, angularResistance]
                .allSatisfy { $0 >= 0 && $0 <= Self.most }
            && charge.magnitude <= Tuning.reach
    }
}

extension ItemProperties {
    var isSound: Bool {
        var material = Material()
        material.set(self)
        return material.isSound
    }
}

extension Group {
    var isSound: Bool {
        !members.isEmpty && middle.isWithin(far) && size.width > 0 && size.height > 0
            && Vector(size.width, size.height).isWithin(far)
            && members.allSatisfy { member in
                Tuning.sides.contains(member.size.width)
                    && Tuning.sides.contains(member.size.height) && member.material.isSound
                    && member.offset.isWithin(far) && member.rotation.magnitude <= far
            }
    }
}

extension ContactManager {
    /// Whether the contacts are possible with the fixtures of `fresh`.
    func isSound(like fresh: ContactManager) -> Bool {
        guard hasSameFixtures(as: fresh), chains == fresh.chains else { return false }
        var meetings: Set<Meeting> = []
        return list.allSatisfy { isSound($0) && meetings.insert(Meeting($0)).inserted }
    }

    /// A pair: two are in contact once.
    private struct Meeting: Hashable {
        let isOnGround: Bool
        let low: Int32
        let high: Int32

        init(_ contact: ShapeContact) {
            isOnGround = contact.isOnGround
            // Edge numbers and fixture numbers are independent.
            low = isOnGround ? contact.first : min(contact.first, contact.second)
            high = isOnGround ? contact.second : max(contact.first, contact.second)
        }
    }

    private func isSound(_ contact: ShapeContact) -> Bool {
        guard contact.manifold.isSound, fixtures.indices.contains(Int(contact.second)) else {
            return false
        }
        let second = fixtures[Int(contact.second)]
        guard second.body == Int32(contact.bodyB) else { return false }
        if contact.isOnGround {
            let kind: ShapeContact.Kind = second.kind == .box ? .edgeAndBox : .edgeAndCircle
            return contact.kind == kind && contact.first >= 0
                && Int(contact.first) < edgeCount && isGround(contact.bodyA)
        }
        guard fixtures.indices.contains(Int(contact.first)) else { return false }
        let first = fixtures[Int(contact.first)]
        let kind: ShapeContact.Kind =
            switch (first.kind, second.kind) {
            case (.box, .box): .boxes
            case (.circle, .circle): .circles
            case (.box, .circle), (.circle, .box): .boxAndCircle
            }
        return contact.kind == kind && first.body == Int32(contact.bodyA)
            && first.body != second.body && (kind != .boxAndCircle || first.kind == .box)
    }
}

extension Fixture {
    /// Whether it is the same fixture, apart from its place and surface.
    func isLike(_ other: Fixture) -> Bool {
        half == other.half && itemMask == other.itemMask && kind == other.kind
            && boundaryMask == other.boundaryMask && body == other.body
            && ordinal == other.ordinal && (0...1e9).contains(friction)
            && (0...1e9).contains(elasticity)
    }
}
