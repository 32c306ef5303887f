import Dynamics
package import Geometry
package import Gestures

/// How several hands hold the items of a world.
///
/// One contact pans: its item hangs on it. Two and more on one item or group place it, at each
/// step, at the similarity of the contacts with the least squares. A group keeps its size.
extension World {
    package func hand(landing pointer: PointerNumber, at point: Vector) -> Hand {
        guard parameters.drag != .one else { return .shared }
        guard let item = bodies.item(at: point) else { return .beside(pointer) }
        return .on(Hand.Thing(name: bodies.group(of: item)?.behavior.id ?? item, part: item))
    }

    /// A group is for one person where any of its items is.
    package func isExclusive(_ hand: Hand) -> Bool {
        guard case .on(let thing) = hand else { return false }
        return isExclusive(thing.name)
    }

    private func isExclusive(_ name: String) -> Bool {
        guard let index = bodies.itemIndex(name) else {
            return bodies.placedItems.contains {
                $0.item.isExclusive && bodies.group(of: $0.item.id)?.behavior.id == name
            }
        }
        guard let group = bodies.group(of: name)?.behavior.id else {
            return bodies.placedItems[index].item.isExclusive
        }
        return isExclusive(group)
    }

    /// The span of a hand, in points: contacts farther apart are of two.
    private static let spanMax = 240.0

    package func pairs(
        landingAt point: Vector, beside other: Vector, isOnePerson: Bool
    ) -> Bool {
        guard (point - other).length <= Self.spanMax,
            let item = bodies.item(at: (point + other) / 2),
            isOnePerson || !isExclusive(item)
        else { return false }
        let body = bodies.body(moving: item)
        return !hold.items.contains { bodies.body(moving: $0) == body }
    }

    package mutating func grasp(
        _ grasp: Grasp, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        let hand = effects.hand
        var hold = self.hold
        switch grasp.phase {
        case .began:
            let item = try item(under: grasp.landing ?? grasp.middle, for: hand)
            try claim(item, for: hand, &hold)
            releaseGrip(of: hand, &hold)
            hold.placements.removeAll { $0.hand.isSame(as: hand) }
            hold.placements.append(placement(of: item, hand, at: now))
            let placement = hold.placements[hold.placements.count - 1]
            place(placement.item, at: placement.pose)
        case .changed, .ended:
            guard let index = hold.placement(of: hand) else { throw .notOpen(grasp.phase) }
            // Frees the state's reference to the list: a change would copy it.
            state = .moving(until: .never)
            var placement = hold.placements[index]
            if grasp.isRebased { placement.base = pose(of: placement.item) }
            placement.pose = pose(placement.base, grasp, of: placement.item)
            placement.lastSample = now
            hold.placements[index] = placement
            place(placement.item, at: placement.pose)
            if grasp.phase == .ended { hold.placements.remove(at: index) }
        case .cancelled:
            guard let index = hold.placement(of: hand) else { throw .notOpen(.cancelled) }
            hold.placements.remove(at: index)
        }
        go(on: hold, at: now, into: &effects)
        effects.needsPublish = true
    }

    // MARK: Placing

    /// A hold that leaves an item where it is.
    func placement(of item: String, _ hand: Hand, at now: Step) -> WorldHold.Placement {
        let pose = pose(of: item)
        return WorldHold.Placement(
            hand: hand, item: item, base: pose, pose: pose, lastSample: now)
    }

    func pose(of item: String) -> WorldHold.Placement.Pose {
        let motion = bodies.animator.motion(of: bodies.body(moving: item))
        var scale = 1.0
        if let index = bodies.itemIndex(item), bodies.group(of: item) == nil {
            scale = bodies.placedItems[index].item.scale
        }
        return WorldHold.Placement.Pose(
            center: motion.center, rotation: motion.rotation, scale: scale)
    }

    private func pose(
        _ base: WorldHold.Placement.Pose, _ grasp: Grasp, of item: String
    ) -> WorldHold.Placement.Pose {
        var pose = base
        var factor = 1.0
        if bodies.group(of: item) == nil {
            pose.scale = Self.clampedScale(base.scale * grasp.scale)
            factor = pose.scale / base.scale
        }
        let (sine, cosine) = Angle.sineCosine(grasp.angle)
        let arm = (base.center - grasp.origin).rotated(sine: sine, cosine: cosine)
        pose.center = grasp.middle + arm * factor
        pose.rotation = base.rotation + grasp.angle
        return pose
    }

    /// Has hands go on from where a command or another scene has put the items that they place.
    /// Where a token lies, its item stays, in another size.
    mutating func adoptPlaces(_ hold: inout WorldHold) {
        for index in hold.placements.indices {
            let placement = hold.placements[index]
            let now = pose(of: placement.item)
            guard now.isFar(from: placement.pose, Self.driftMax) else { continue }
            if placement.hand.isObject {
                hold.placements[index].pose.scale = now.scale
                place(placement.item, at: hold.placements[index].pose)
            } else {
                hold.placements[index].goOn(from: now)
            }
        }
    }

    mutating func place(_ item: String, at pose: WorldHold.Placement.Pose) {
        bodies.place(item, center: pose.center, rotation: pose.rotation)
        bodies.stop(item)
        if bodies.group(of: item) == nil { scale(item, to: pose.scale) }
    }

    /// Brings the items that hands place back to where these say, after a step has moved them.
    mutating func keepPlacements() {
        guard case .dragging(let hold) = state, !hold.placements.isEmpty else { return }
        for placement in hold.placements {
            let motion = bodies.animator.motion(of: bodies.body(moving: placement.item))
            let drift = motion.center - placement.pose.center
            let turn = motion.rotation - placement.pose.rotation
            guard drift.length > Self.driftMax || turn.magnitude > Self.driftMax else { continue }
            bodies.place(
                placement.item, center: placement.pose.center, rotation: placement.pose.rotation)
            bodies.stop(placement.item)
        }
    }

    /// Points and radians by which rounding may move a placed item.
    private static let driftMax = 1e-6

    // MARK: Holding

    /// The item that a hand's beginning gesture acts on.
    func item(under location: Vector?, for hand: Hand) throws(Rejection) -> String {
        guard let location else { throw Rejection(.missingField, "keys x and y: are required") }
        if let item = landed(hand), !bodies.isAnchored(item) { return item }
        if case .on = hand { throw Self.noItem }
        guard let item = bodies.item(at: location) else { throw Self.noItem }
        return item
    }

    private static let noItem = Rejection(.badValue, "there is no item that could be moved")

    /// The item on which a hand's first contact landed; nil: it landed on none, or that has gone.
    func landed(_ hand: Hand) -> String? {
        let item: String?
        switch hand {
        case .shared: item = touched
        case .on(let thing): item = thing.part
        case .beside, .object: item = nil
        }
        return item.flatMap { bodies.itemIndex($0) == nil ? nil : $0 }
    }

    /// A hand takes an item, and other hands let go of it, unless these keep it.
    mutating func claim(
        _ item: String, for hand: Hand, _ hold: inout WorldHold
    ) throws(Rejection) {
        try checkIsFree(item, for: hand, hold)
        letGo(of: item, before: hand, &hold)
    }

    /// A token keeps the item that follows it, contacts beside all items take none that others
    /// hold, and an exclusive item stays with the contacts that hold it.
    private func checkIsFree(_ item: String, for hand: Hand, _ hold: WorldHold) throws(Rejection) {
        let body = bodies.body(moving: item)
        for (other, held) in hold.hands
        where !other.isSame(as: hand) && bodies.body(moving: held) == body {
            if other.isObject {
                throw Rejection(.badValue, "\"\(item)\" follows a token that lies there")
            }
            if hand.isBeside || other.isBeside && hand != .shared && isExclusive(item) {
                throw Rejection(.badValue, "\"\(item)\" is held by other contacts")
            }
        }
    }

    /// Other hands let go of what moves with an item.
    mutating func letGo(of item: String, before hand: Hand, _ hold: inout WorldHold) {
        guard !hold.isEmpty else { return }
        let body = bodies.body(moving: item)
        for (other, held) in hold.hands
        where !other.isSame(as: hand) && bodies.body(moving: held) == body {
            if let grip = hold.grip(of: other), hold.grips[grip].item == held {
                releaseGrip(of: other, &hold)
            }
            hold.remove(other, from: held)
        }
    }

    mutating func grip(
        _ item: String, _ pan: Pan, time: SampleTime, at now: Step, _ hand: Hand
    ) -> WorldHold.Grip {
        let attachment = bodies.grip(
            item, at: pan.location, frequency: parameters.dragFrequency,
            damping: parameters.dragDamping)
        let drag = Drag(pan, time: time, tracker: tracker, at: now)
        return WorldHold.Grip(hand, item: item, drag: drag, attachment: attachment)
    }

    /// A hand's finger lets its item go, as it moves.
    mutating func releaseGrip(of hand: Hand, _ hold: inout WorldHold) {
        guard let place = hold.grip(of: hand) else { return }
        bodies.animator.remove(hold.grips[place].attachment)
        hold.grips.remove(at: place)
    }

    /// All fingers let go.
    mutating func releaseGrips(_ hold: inout WorldHold) {
        for grip in hold.grips { bodies.animator.remove(grip.attachment) }
        hold.grips = []
    }
}
