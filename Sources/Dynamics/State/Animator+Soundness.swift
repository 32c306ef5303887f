import Geometry

/// What a decoded animator must be so that no step and no call of ours can trap.
///
/// Encoded by ours it always is; a document may come from anybody. What can be made anew of the
/// rest is compared with it, all else is held within what can be reckoned with.
extension Animator {
    /// Bodies of one animator that are decoded; a world has far fewer.
    private static var decodedBodiesMax: Int { 1_024 }
    /// Ids given so far that are decoded: many more can be given after them.
    private static var decodedIDsMax: UInt32 { 1 << 30 }

    package var isSound: Bool {
        bodies.count <= Self.decodedBodiesMax && itemsGiven <= Self.decodedIDsMax
            && behaviorsGiven <= Self.decodedIDsMax && gravity.isWithin(Tuning.reach)
            && areListsSound && areBodiesSound && areGroupsSound && areJointsSound
            && arePushesSound && areForcesSound && isMakeupSound && areBodiesMade
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
            guard body.isSound, body.number < itemsGiven, body.firstJoint == joint,
                index == 0 || bodies[index - 1].number < body.number
            else { return false }
            joint += Int32(body.jointCount)
        }
        return Int(joint) == joints.count && Int(awakeCount) == bodies.count { $0.isAwake }
    }

    /// Whether masses and resistances are those of the items. Asked when materials are sound.
    private var areBodiesMade: Bool {
        bodies.indices.allSatisfy { index in
            if group(ofBodyAt: index) != nil { return true }
            var made = bodies[index]
            made.make(of: material(ofBodyAt: index), size: made.size)
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
        for link in links {
            guard link.isSound, isGiven(link.behavior), link.behavior.number > last,
                bodies.indices.contains(Int(link.second))
            else { return false }
            last = link.behavior.number
            guard case .body(let first) = link.first else { continue }
            guard bodies.indices.contains(Int(first)), first != link.second else { return false }
        }
        return joints.allSatisfy { $0.isSound && isGiven($0.behavior) }
    }

    private var arePushesSound: Bool {
        pushes.allSatisfy { record in
            isGiven(record.behavior) && record.push.force.isSound
                && record.push.offset.isWithin(Tuning.reach)
                && record.push.items.allSatisfy(isKnown)
        }
    }

    private var areForcesSound: Bool {
        guard let forces = forceStore.first else { return true }
        return forceStore.count == 1 && forces.fields.count <= Animator.fieldCountMax
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

    private var isMakeupSound: Bool {
        guard let makeup = makeupStore.first else { return true }
        let numbers = Set(bodies.map(\.number))
        return makeupStore.count == 1
            && Set(makeup.originals.map(\.number)).count == makeup.originals.count
            && makeup.originals.allSatisfy {
                $0.material.isSound && numbers.contains($0.number)
            }
            && makeup.records.allSatisfy { record in
                isGiven(record.id) && record.behavior.properties.isSound
                    && record.behavior.items.allSatisfy(isKnown)
            }
            && areWritesSound(makeup)
    }

    /// Whether behaviors set what they set, on their items. Asked when their records are sound.
    private func areWritesSound(_ makeup: Makeup) -> Bool {
        guard makeup.writes.count <= makeup.records.count * ItemProperties.count else {
            return false
        }
        return makeup.writes.allSatisfy { write in
            write.properties.isSound
                && makeup.records.contains {
                    $0.id == write.behavior && $0.behavior.items == write.items
                }
        }
    }

    // MARK: Collisions

    private var areCollisionsSound: Bool {
        guard let store = collisionStore.first else { return true }
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
        // Parts and chains follow from the rest; only what touches and the rooms do not.
        var fresh = self
        fresh.collisionStore[0].contacts = Contacts()
        fresh.rebuildContacts()
        return collisionStore.count == 1
            && store.contacts.isSound(like: fresh.collisionStore[0].contacts)
    }

    // MARK: For those who know of behaviors

    /// Whether a behavior ties an item, and nothing else, to a fixed point.
    package func anchors(_ behavior: BehaviorID, _ item: ItemID) -> Bool {
        guard has(item) else { return false }
        let index = index(of: item)
        if let link = links.first(where: { $0.behavior == behavior }) {
            return link.first == .ground && link.second == Int32(index)
        }
        let count = joints.count { $0.behavior == behavior }
        return count > 0
            && bodies[index].jointRange.count { joints[$0].behavior == behavior } == count
    }

    /// Whether an id is that of such a behavior, as far as it can be changed in its place.
    ///
    /// Whatever the behavior names must be known.
    package func has(_ behavior: Behavior, as id: BehaviorID) -> Bool {
        switch behavior {
        case .attachment(let attachment): has(attachment, as: id)
        case .snap(let snap):
            anchors(id, snap.item) && joints.count { $0.behavior == id } == 4
        case .pin(let pin): anchors(id, pin.item) && joints.count { $0.behavior == id } == 1
        case .push(let push):
            pushes.contains { record in
                var other = record.push
                other.isActive = push.isActive
                return record.behavior == id && other == push
            }
        case .gravity(let gravity):
            // Its vector is that of whichever gravity was written last.
            forceStore.first?.gravities
                .contains { $0.behavior == id && $0.gravity.items == gravity.items } ?? false
        case .field(let field):
            forceStore.first?.fields.contains { $0.behavior == id && $0.field == field } ?? false
        case .properties(let properties):
            makeupStore.first?.records.contains { $0.id == id && $0.behavior == properties }
                ?? false
        case .collision(let collision):
            collisionStore.first?.records.contains { $0.id == id && $0.collision == collision }
                ?? false
        }
    }

    /// Whether an id is that of a push.
    package func isPush(_ id: BehaviorID) -> Bool { pushes.contains { $0.behavior == id } }

    private func has(_ attachment: Attachment, as id: BehaviorID) -> Bool {
        switch attachment.end {
        case .anchor:
            return anchors(id, attachment.item)
                && (links.contains { $0.behavior == id }
                    || joints.count { $0.behavior == id } == 1)
        case .item(let other, _):
            guard has(attachment.item), has(other) else { return false }
            let (first, second) = (Int32(index(of: other)), Int32(index(of: attachment.item)))
            return links.contains {
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

    /// Whether an item is a body of its own: no group, no member.
    package func isAlone(_ item: ItemID) -> Bool {
        bodies.contains { $0.number == item.number }
            && !groups.contains { $0.number == item.number }
    }
}
