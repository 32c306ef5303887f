import Dynamics
import Geometry
import Notation

/// The world that a running one becomes when its scene does: made of the scene so far, the new one
/// and the world itself, by ids.
///
/// Whatever the new scene says as the former one did keeps the running value, and stays removed if
/// a command removed it. Things that commands added stay. All that the new scene says otherwise is
/// so.
struct WorldMerge {
    let former: WorldParameters
    let scene: WorldParameters
    let running: WorldBodies

    /// A place and a rotation that a scene says; nil: the item stays as it is.
    struct Placement: Hashable {
        var center: Vector?
        var rotation: Double?

        var isEmpty: Bool { center == nil && rotation == nil }
    }

    /// How much stays of what the scene does not say.
    private enum Keeping: CaseIterable {
        case everything
        /// Not what behaviors were added by commands.
        case items
        /// Nor items that were added by commands.
        case changes
    }

    /// The items and behaviors, within the bounds of a world and the session's room.
    ///
    /// Where both do not fit together, the scene's own stays: what commands added goes, behaviors
    /// first, and last what they changed. A center and a rotation are those that the scene says.
    func target(room: Bulk) -> WorldParameters {
        for keeping in Keeping.allCases {
            guard let merged = merged(keeping), merged.bulk.excess(of: room) == nil else {
                continue
            }
            return merged
        }
        return scene
    }

    /// Nil: the result is no world.
    private func merged(_ keeping: Keeping) -> WorldParameters? {
        let items = items(withAdded: keeping != .changes)
        let behaviors = behaviors(of: items.map(\.id), withAdded: keeping == .everything)
        let table = Node(
            .object([
                .init("items", Node(.array(items.map { Node(encoding: $0) }))),
                .init("behaviors", Node(.array(behaviors.map { Node(.object($0.source)) }))),
            ]))
        guard var reader = try? TableReader(table, path: "world"),
            var merged = try? WorldParameters(&reader, viewport: scene.viewport)
        else { return nil }
        (merged.drag, merged.dragFrequency, merged.dragDamping) = (
            scene.drag, scene.dragFrequency, scene.dragDamping
        )
        return merged
    }

    // MARK: Items

    private func items(withAdded isWithAdded: Bool) -> [WorldItem] {
        var items: [WorldItem] = scene.items.compactMap { item in
            let base = former.items.first { $0.id == item.id }
            guard let index = running.itemIndex(item.id) else {
                return base?.isLike(item) == true ? nil : item
            }
            let now = running.placedItems[index].item
            var merged = item
            if base?.size == item.size { merged.size = now.size }
            if base?.scale == item.scale { merged.scale = now.scale }
            if base?.isExclusive == item.isExclusive { merged.isExclusive = now.isExclusive }
            return merged
        }
        guard isWithAdded else { return items }
        let known = Set((scene.items + former.items).map(\.id))
        items += running.items.filter { !known.contains($0.id) }
        return items
    }

    /// Where the scene places an item that stays otherwise than before.
    func placement(of item: WorldItem) -> Placement {
        guard let base = former.items.first(where: { $0.id == item.id }),
            let said = scene.items.first(where: { $0.id == item.id })
        else { return Placement() }
        return Placement(
            center: said.center == base.center ? nil : said.center,
            rotation: said.rotation == base.rotation ? nil : said.rotation)
    }

    // MARK: Behaviors

    private func behaviors(
        of items: [String], withAdded isWithAdded: Bool
    ) -> [WorldBehavior] {
        var behaviors: [WorldBehavior] = []
        for behavior in scene.behaviors {
            let base = former.behaviors.first { $0.id == behavior.id }
            guard base?.isLike(behavior) == true else {
                behaviors.append(behavior)
                continue
            }
            if let index = running.behaviorIndex(behavior.id) {
                behaviors.append(running.placedBehaviors[index].behavior)
            }
        }
        if isWithAdded {
            let known = Set((scene.behaviors + former.behaviors).map(\.id))
            behaviors += running.placedBehaviors.map(\.behavior).filter { !known.contains($0.id) }
        }
        return Self.reduced(behaviors, to: Set(items))
    }

    /// The behaviors without the items, and the groups, that are gone.
    private static func reduced(
        _ behaviors: [WorldBehavior], to items: Set<String>
    ) -> [WorldBehavior] {
        let groups = behaviors.filter { $0.isGroup && $0.names.allSatisfy(items.contains) }
        let names = items.union(groups.map(\.id))
        return behaviors.compactMap { behavior in
            var rest: WorldBehavior? = behavior
            for name in behavior.names where !names.contains(name) { rest = rest?.without(name) }
            return rest
        }
    }
}

extension WorldItem {
    /// Whether both tables say the same.
    fileprivate func isLike(_ other: WorldItem) -> Bool {
        id == other.id && center == other.center && size == other.size
            && rotation == other.rotation && shape == other.shape && scale == other.scale
    }
}

extension WorldBehavior {
    /// Whether both tables say the same; the viewport may be another one.
    func isLike(_ other: WorldBehavior) -> Bool { id == other.id && said == other.said }

    /// The rule without the boundary that follows from the viewport.
    private var said: Rule {
        guard case .collision(let items, var collision, let insets?) = rule else { return rule }
        collision.boundaries.removeAll { $0.id == Self.boundsName }
        return .collision(items: items, collision, insets: insets)
    }
}
