import Dynamics
package import Geometry
package import Gestures
package import Notation

// MARK: - Saving

extension World {
    package struct Saved: SavedValue {
        package var world: SavedWorld

        package init(world: SavedWorld) { self.world = world }

        package init(_ table: inout TableReader) throws(TableError) {
            guard let tree = table.node("world") else { throw table.absence("world") }
            world = SavedWorld(tree)
        }
    }

    /// The world at rest where it is; fingers have let go.
    package var saved: Saved {
        if state == .resting { return Saved(world: SavedWorld(bodies)) }
        var resting = self
        var hold = self.hold
        resting.releaseGrips(&hold)
        resting.bodies.animator.rest()
        return Saved(world: SavedWorld(resting.bodies))
    }

    /// An unreadable world is made anew from its description, or else from the scene.
    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        do throws(NodeError) {
            let kept = try parameters.decode(WorldBodies.self, saved.world.bodies)
            guard kept.isHeld(by: []) else {
                throw NodeError(path: "bodies", message: "has what nobody put in")
            }
            bodies = kept
        } catch {
            effects.worldsUnread += 1
            if let described = WorldParameters(saved.world, viewport: parameters.viewport) {
                bodies = WorldBodies(described)
            }
        }
        bodies.animator.rest()
    }
}

extension WorldParameters {
    /// The described items and behaviors; nil: they cannot be read.
    fileprivate init?(_ kept: SavedWorld, viewport: Size) {
        guard var reader = try? TableReader(kept.description, path: "world"),
            let read = try? WorldParameters(&reader, viewport: viewport)
        else { return nil }
        self = read
    }
}

// MARK: - As it stands

extension World {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        guard tracker == self.tracker, areTouchesSound,
            bodies.isHeld(by: hold.grips.map(\.attachment)), areTokensSound
        else { return false }
        switch state {
        case .resting: return bodies.animator.isResting
        case .moving(let until):
            return !bodies.animator.isResting && (until != .never || bodies.isDriven)
        case .dragging(let hold): return isSound(hold)
        }
    }

    /// Whether tokens could lie there, and the items that follow them are there.
    private var areTokensSound: Bool {
        tokens.isSound
            && tokens.lying.allSatisfy { token in
                token.item.map { bodies.itemIndex($0) != nil } ?? true
            }
    }

    /// Whether each pair stands once, and each could meet or was just parted by a command.
    private var areTouchesSound: Bool {
        var known: Set<WorldTouch> = []
        return touching.allSatisfy { touch in
            touch.isSound && (areTouchesStale || bodies.mayMeet(touch))
                && known.insert(touch.nowhere).inserted
        }
    }

    private func isSound(_ hold: WorldHold) -> Bool {
        guard !hold.isEmpty, hold.items.allSatisfy({ bodies.itemIndex($0) != nil }) else {
            return false
        }
        guard
            hold.grips.allSatisfy({ grip in
                grip.drag.isSound(tracker)
                    && bodies.animator.anchors(grip.attachment, bodies.body(moving: grip.item))
            }), hold.areHandsSound
        else { return false }
        return hold.pinches.allSatisfy {
            Self.scales.contains($0.base) && bodies.group(of: $0.item) == nil
        }
            && hold.turns.allSatisfy { $0.base.magnitude <= 1e12 }
            && hold.placements.allSatisfy { isSound($0.base) && isSound($0.pose) }
    }

    private func isSound(_ pose: WorldHold.Placement.Pose) -> Bool {
        Self.scales.contains(pose.scale) && pose.center.isWithin(1e12)
            && pose.rotation.magnitude <= 1e12
    }
}

extension WorldHold {
    /// Whether each hand holds one item in each way.
    fileprivate var areHandsSound: Bool {
        func areSound(_ hands: [Hand]) -> Bool {
            hands.count <= World.itemsMax
                && hands.indices.allSatisfy { index in
                    hands[index].isSound
                        && !hands[..<index].contains { $0.isSame(as: hands[index]) }
                }
        }
        return areSound(grips.map(\.hand)) && areSound(pinches.map(\.hand))
            && areSound(turns.map(\.hand)) && areSound(placements.map(\.hand))
    }
}

extension World.State: Codable {
    private enum CodingKeys: String, CodingKey { case moving, dragging }

    /// `moving` without a time is a driven world; no key at all is a world at rest.
    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        if table.contains(.moving) {
            let until = try table.decodeIfPresent(Step.self, forKey: .moving)
            self = .moving(until: until ?? .never)
        } else if table.contains(.dragging) {
            self = .dragging(try table.decode(WorldHold.self, forKey: .dragging))
        } else {
            self = .resting
        }
    }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .resting: break
        case .moving(.never): try table.encodeNil(forKey: .moving)
        case .moving(let until): try table.encode(until, forKey: .moving)
        case .dragging(let hold): try table.encode(hold, forKey: .dragging)
        }
    }
}

/// Items and behaviors are encoded as their tables and read again.
extension WorldBodies: Codable {
    private enum CodingKeys: String, CodingKey { case animator, items, bodies, behaviors, handles }

    init(from decoder: any Decoder) throws {
        let viewport = try WorldParameters(from: decoder).viewport
        let table = try decoder.container(keyedBy: CodingKeys.self)
        let bodies = try table.decode([ItemID].self, forKey: .bodies)
        let handles = try table.decode([Handle].self, forKey: .handles)
        let tables = Node(
            .object([
                .init("items", try table.decode(Node.self, forKey: .items)),
                .init("behaviors", try table.decode(Node.self, forKey: .behaviors)),
            ]))
        let world: WorldParameters
        do throws(TableError) {
            var reader = try TableReader(tables, path: "world")
            world = try WorldParameters(&reader, viewport: viewport)
        } catch {
            throw decoder.error(error.description)
        }
        guard bodies.count == world.items.count, handles.count == world.behaviors.count else {
            throw decoder.error("must have a body for each item, a handle for each behavior")
        }
        self.init(
            animator: try table.decode(Animator.self, forKey: .animator),
            placedItems: zip(world.items, bodies).map { PlacedItem(item: $0, body: $1) },
            placedBehaviors: zip(world.behaviors, handles).map {
                PlacedBehavior(behavior: $0, handle: $1)
            })
        guard isSound else { throw decoder.error("its bodies are not those of its items") }
    }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(animator, forKey: .animator)
        try table.encode(placedItems.map(\.item), forKey: .items)
        try table.encode(placedItems.map(\.body), forKey: .bodies)
        try table.encode(
            placedBehaviors.map { Node(.object($0.behavior.source)) }, forKey: .behaviors)
        try table.encode(placedBehaviors.map(\.handle), forKey: .handles)
    }

    /// The engine's behaviors of the placed ones.
    private var known: [BehaviorID] {
        placedBehaviors.compactMap { placed in
            if case .behavior(let id) = placed.handle { id } else { nil }
        }
    }

    /// Whether only placed behaviors and the fingers' grips move the bodies.
    func isHeld(by grips: [BehaviorID]) -> Bool {
        guard let others = animator.behaviors(beside: known) else { return false }
        return others.count == grips.count && Set(others) == Set(grips)
    }

    /// The bodies that move: of groups, and of items in no group.
    private var movingBodies: [ItemID] {
        let members = Set(placedBehaviors.flatMap { $0.behavior.isGroup ? $0.behavior.names : [] })
        let groups = placedBehaviors.compactMap { placed in
            if case .group(let body) = placed.handle { body } else { nil }
        }
        return groups + placedItems.filter { !members.contains($0.item.id) }.map(\.body)
    }

    /// Whether the animator has the named bodies and behaviors, and at most the fingers' grips.
    private var isSound: Bool {
        // The cheap checks come first: a document may be large and hostile.
        guard Set(placedItems.map(\.body)).count == placedItems.count,
            Set(placedBehaviors.map(\.handle)).count == placedBehaviors.count,
            animator.consists(of: movingBodies),
            let others = animator.behaviors(beside: known), others.count <= World.itemsMax,
            animator.isSound
        else { return false }
        for placed in placedBehaviors {
            guard case .group(let body) = placed.handle else { continue }
            let members = placed.behavior.names.compactMap { itemIndex($0) }.map {
                placedItems[$0].body
            }
            guard placed.behavior.isGroup, animator.isGroup(body, of: members) else { return false }
        }
        for placed in placedItems where group(of: placed.item.id) == nil {
            guard animator.isAlone(placed.body) else { return false }
        }
        return placedBehaviors.allSatisfy { placed in
            guard case .behavior(let id) = placed.handle else { return placed.behavior.isGroup }
            return !placed.behavior.isGroup && animator.has(engineBehavior(placed.behavior), as: id)
        }
    }
}
