import Geometry

/// Checks a decoded animator, so that no later step or call can trap.
///
/// Ours are always sound, but a document may come from anybody. A derived value is
/// computed again and compared; all other numbers must be within safe limits. This room decides
/// about documents alone; nothing in it runs in a step.
extension Animator {
    /// Bodies in a decoded animator. Worlds have far fewer.
    private static var decodedBodiesMax: Int { 1_024 }
    /// Ids given in a decoded animator. It can give many more after them.
    private static var decodedIDsMax: UInt32 { 1 << 30 }

    package var isSound: Bool {
        bodies.count <= Self.decodedBodiesMax && itemsGiven <= Self.decodedIDsMax
            && behaviorsGiven <= Self.decodedIDsMax && gravity.isWithin(Tuning.reach)
            && areListsSound && areBodiesSound && areGroupsSound && areJointsSound
            && arePushesSound && areForcesSound && areMaterialsSound && areMassesSound
            && areCollisionsSound && areBehaviorsCounted
    }

    /// Whether an id may be looked up.
    private func isKnown(_ item: ItemID) -> Bool { has(item) }

    private func isGiven(_ behavior: BehaviorID) -> Bool {
        behavior.number >= 1 && behavior.number <= behaviorsGiven
    }

    // MARK: Bodies

    private var areBodiesSound: Bool {
        var joint: Int32 = 0
        for (index, body) in bodies.enumerated() {
            guard body.isSound, body.number < itemsGiven, body.firstGroundJoint == joint,
                index == 0 || bodies[index - 1].number < body.number
            else { return false }
            joint += Int32(body.groundJointCount)
        }
        return Int(joint) == groundJoints.count && Int(awakeCount) == bodies.count { $0.isAwake }
    }

    /// Whether masses and resistances follow from the items. Call it after materials were found
    /// sound.
    private var areMassesSound: Bool {
        bodies.indices.allSatisfy { index in
            if group(ofBodyAt: index) != nil { return true }
            var made = bodies[index]
            made.setMaterial(material(ofBodyAt: index), size: made.size)
            return made == bodies[index]
        }
    }

    private var areGroupsSound: Bool {
        var numbers: Set<UInt32> = []
        for group in groups {
            guard group.isSound, bodies.contains(where: { $0.number == group.number }),
                numbers.insert(group.number).inserted
            else { return false }
            for member in group.members {
                guard member.number < itemsGiven, numbers.insert(member.number).inserted,
                    !bodies.contains(where: { $0.number == member.number })
                else { return false }
            }
        }
        return true
    }

    // MARK: Behaviors

    private var areJointsSound: Bool {
        var last: UInt32 = 0
        for joint in joints {
            guard joint.isSound, isGiven(joint.behavior), joint.behavior.number > last,
                bodies.indices.contains(Int(joint.second))
            else { return false }
            last = joint.behavior.number
            guard case .body(let first) = joint.first else { continue }
            guard bodies.indices.contains(Int(first)), first != joint.second else { return false }
        }
        return groundJoints.allSatisfy { $0.isSound && isGiven($0.behavior) }
    }

    private var arePushesSound: Bool {
        pushes.allSatisfy { record in
            isGiven(record.behavior) && record.push.force.isSound
                && record.push.offset.isWithin(Tuning.reach)
                && record.push.items.allSatisfy(isKnown)
        }
    }

    private var areForcesSound: Bool {
        guard let forces = forcesBox.value else { return true }
        return forcesBox.isSound && forces.fields.count <= Animator.fieldCountMax
            && forces.fields.allSatisfy { record in
                isGiven(record.behavior) && record.field.isValid
                    && (0...Step.decodedMax.count).contains(record.age)
                    && record.field.items.allSatisfy(isKnown)
            }
            && forces.gravities.allSatisfy { record in
                isGiven(record.behavior) && record.gravity.force.isSound
                    && record.gravity.items.allSatisfy(isKnown)
            }
            && forces.targets.allSatisfy { target in
                bodies.indices.contains(Int(target.body)) && target.spin.magnitude <= 1e30
            }
            && Set(forces.targets.map(\.body)).count == forces.targets.count
            && forces.charges.count <= bodies.count
            && forces.charges.allSatisfy { $0.magnitude <= Tuning.reach }
    }

    private var areMaterialsSound: Bool {
        guard let materials = materialsBox.value else { return true }
        let numbers = Set(bodies.map(\.number))
        return materialsBox.isSound
            && Set(materials.originals.map(\.number)).count == materials.originals.count
            && materials.originals.allSatisfy {
                $0.material.isSound && numbers.contains($0.number)
            }
            && materials.records.allSatisfy { record in
                isGiven(record.id) && record.behavior.properties.isSound
                    && record.behavior.items.allSatisfy(isKnown)
            }
            && areWritesSound(materials)
    }

    /// Whether the writes match their records. Call it after the records were found sound.
    private func areWritesSound(_ materials: Materials) -> Bool {
        guard materials.writes.count <= materials.records.count * ItemProperties.count else {
            return false
        }
        return materials.writes.allSatisfy { write in
            write.properties.isSound
                && materials.records.contains {
                    $0.id == write.behavior && $0.behavior.items == write.items
                }
        }
    }

    // MARK: Collisions

    private var areCollisionsSound: Bool {
        guard let store = collisionsBox.value else { return true }
        var bits: UInt64 = 0
        for record in store.records {
            guard isGiven(record.id), record.bit.nonzeroBitCount == 1, bits & record.bit == 0,
                record.collision.items.allSatisfy(isKnown),
                record.collision.boundaries.allSatisfy({ boundary in
                    boundary.path.allSatisfy { $0.isWithin(2 * Tuning.reach) }
                })
            else { return false }
            bits |= record.bit
        }
        // Fixtures and chains follow from the rest; manifolds and fat AABBs do not.
        var fresh = self
        fresh.collisionsBox.unwrapped.contacts = ContactManager()
        fresh.rebuildContacts()
        return collisionsBox.isSound
            && store.contacts.isSound(like: fresh.collisionsBox.unwrapped.contacts)
    }

    // MARK: For those who know of behaviors

    /// Whether a behavior connects an item to a fixed point, and to nothing else.
    package func anchors(_ behavior: BehaviorID, _ item: ItemID) -> Bool {
        guard has(item) else { return false }
        let index = index(of: item)
        if let joint = joints.first(where: { $0.behavior == behavior }) {
            return joint.first == .ground && joint.second == Int32(index)
        }
        let count = groundJoints.count { $0.behavior == behavior }
        return count > 0
            && bodies[index].groundJointRange.count { groundJoints[$0].behavior == behavior }
                == count
    }

    /// Whether an id belongs to a behavior of this kind and with these items.
    ///
    /// Its items must be known.
    package func has(_ behavior: Behavior, as id: BehaviorID) -> Bool {
        switch behavior {
        case .attachment(let attachment): has(attachment, as: id)
        case .snap(let snap):
            anchors(id, snap.item) && groundJoints.count { $0.behavior == id } == 4
        case .pin(let pin): anchors(id, pin.item) && groundJoints.count { $0.behavior == id } == 1
        case .push(let push):
            pushes.contains { record in
                var other = record.push
                other.isActive = push.isActive
                return record.behavior == id && other == push
            }
        case .gravity(let gravity):
            // Its vector is that of the gravity written last.
            forcesBox.value?.gravities
                .contains { $0.behavior == id && $0.gravity.items == gravity.items } ?? false
        case .field(let field):
            forcesBox.value?.fields.contains { $0.behavior == id && $0.field == field } ?? false
        case .properties(let properties):
            materialsBox.value?.records.contains { $0.id == id && $0.behavior == properties }
                ?? false
        case .collision(let collision):
            collisionsBox.value?.records.contains { $0.id == id && $0.collision == collision }
                ?? false
        }
    }

    /// Whether an id belongs to a push.
    package func isPush(_ id: BehaviorID) -> Bool { pushes.contains { $0.behavior == id } }

    private func has(_ attachment: Attachment, as id: BehaviorID) -> Bool {
        switch attachment.end {
        case .anchor:
            return anchors(id, attachment.item)
                && (joints.contains { $0.behavior == id }
                    || groundJoints.count { $0.behavior == id } == 1)
        case .item(let other, _):
            guard has(attachment.item), has(other) else { return false }
            let (first, second) = (Int32(index(of: other)), Int32(index(of: attachment.item)))
            return joints.contains {
                $0.behavior == id && $0.first == .body(first) && $0.second == second
            }
        }
    }

    /// Whether a body is a group of exactly these members.
    package func isGroup(_ item: ItemID, of members: [ItemID]) -> Bool {
        guard let group = groups.first(where: { $0.number == item.number }) else { return false }
        return Set(group.members.map(\.number)) == Set(members.map(\.number))
            && group.members.count == members.count
    }

    /// Whether an item is a body of its own: neither a group nor a member.
    package func isAlone(_ item: ItemID) -> Bool {
        bodies.contains { $0.number == item.number }
            && !groups.contains { $0.number == item.number }
    }
}
