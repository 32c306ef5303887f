import Dynamics
package import Geometry

/// How a world becomes what another scene says of it.
extension World {
    /// How far an item that rests at a wall may lie beyond it, in points: the solver's slop.
    private static let wallSlop = 1.0

    /// Items and behaviors stay by their ids, with their velocities. Whatever the scene says as
    /// before keeps the running value; `WorldMerge` says what else stays.
    package mutating func adapt(
        to scene: WorldParameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        guard scene != parameters else { return }
        let shown = ShownViews(self)
        let merge = WorldMerge(former: parameters, scene: scene, running: bodies)
        let target = merge.target(room: effects.room)
        let (walls, ids) = (bodies.walls, Set(bodies.placedItems.map(\.item.id)))
        var hold = self.hold
        lose(hold.items.filter { bodies.isMadeAnew($0, by: target, merge) }, &hold)
        let remade = bodies.become(target, by: merge)
        for wall in bodies.walls where !walls.contains(where: { $0.isOf(wall) }) {
            let names = wall.names.filter { bodies.members(of: $0).contains(where: ids.contains) }
            bodies.bringInside(wall.rect, names, Self.wallSlop)
        }
        if scene.drag != parameters.drag {
            // The contacts are lost, for the component listens to others now.
            releaseGrips(&hold)
            (hold.pinches, hold.turns, hold.placements) = ([], [], [])
        }
        parameters = scene
        lose(hold.items.filter(bodies.isAnchored), &hold)
        adoptPlaces(&hold)
        matchTokens(&hold, at: now)
        loseContacts(of: remade, into: &effects)
        go(on: hold, at: now, into: &effects)
        for case .plain(let view) in shown.placedAnew(in: ShownViews(self)) { cuts.grow(view) }
        effects.needsPublish = true
    }
}

extension WorldBodies {
    /// A collision's wall along the viewport's edges.
    struct Wall {
        var collision: String
        var rect: Rect
        /// The items and groups that it keeps inside.
        var names: [String]

        func isOf(_ other: Wall) -> Bool { collision == other.collision && rect == other.rect }
    }

    /// The walls along the viewport's edges, oldest first.
    var walls: [Wall] {
        placedBehaviors.compactMap { placed in
            guard case .collision(let items, let collision, _?) = placed.behavior.rule,
                collision.mode != .items,
                let path = collision.boundaries.first?.path, path.count == 5
            else { return nil }
            let size = path[2] - path[0]
            return Wall(
                collision: placed.behavior.id,
                rect: Rect(path[0].x, path[0].y, size.x, size.y), names: items)
        }
    }

    /// An item alone, or a group's items.
    func members(of name: String) -> [String] {
        if itemIndex(name) != nil { return [name] }
        return placedBehaviors.first { $0.behavior.id == name }?.behavior.names ?? []
    }

    /// Whether a finger would lose an item: it goes, or gets another body.
    func isMadeAnew(_ name: String, by target: WorldParameters, _ merge: WorldMerge) -> Bool {
        guard let index = itemIndex(name),
            let item = target.items.first(where: { $0.id == name })
        else { return true }
        let group = group(of: name)?.behavior
        let other = target.behaviors.first { $0.isGroup && $0.names.contains(name) }
        guard group?.id == other?.id else { return true }
        guard let group else { return item.shape != placedItems[index].item.shape }
        return !isKept(group, in: target, merge)
    }

    /// Moves what lies beyond a rectangle into it, by the shortest way. It loses the part of its
    /// velocity that points outward. One without room stands in the middle.
    mutating func bringInside(_ rect: Rect, _ names: [String], _ slop: Double) {
        for name in names {
            guard let (low, high) = extent(of: name) else { continue }
            let end = rect.origin + Vector(rect.size.width, rect.size.height)
            let way = Vector(
                Self.way(low.x, high.x, into: rect.origin.x...end.x, slop),
                Self.way(low.y, high.y, into: rect.origin.y...end.y, slop))
            guard way != .zero else { continue }
            let body = body(moving: name)
            let motion = animator.motion(of: body)
            animator.place(body, center: motion.center + way, rotation: motion.rotation)
            let inward = Vector(
                Self.inward(motion.velocity.x, way.x), Self.inward(motion.velocity.y, way.y))
            guard inward != motion.velocity else { continue }
            animator.addVelocity(linear: inward - motion.velocity, to: body)
        }
    }

    private static func way(
        _ low: Double, _ high: Double, into range: ClosedRange<Double>, _ slop: Double
    ) -> Double {
        let (below, above) = (range.lowerBound - low, high - range.upperBound)
        guard below > slop || above > slop else { return 0 }
        if high - low >= range.upperBound - range.lowerBound { return (below - above) / 2 }
        return below > slop ? below : -above
    }

    private static func inward(_ velocity: Double, _ way: Double) -> Double {
        if way > 0 { return max(0, velocity) }
        return way < 0 ? min(0, velocity) : velocity
    }

    /// The corners of the upright rectangle around an item or a group.
    private func extent(of name: String) -> (low: Vector, high: Vector)? {
        var corners: (low: Vector, high: Vector)?
        for member in members(of: name) {
            guard let index = itemIndex(member) else { continue }
            let (item, motion) = (
                placedItems[index].item, animator.motion(of: placedItems[index].body)
            )
            let half = item.halfExtent(turnedBy: motion.rotation)
            let (low, high) = (motion.center - half, motion.center + half)
            corners =
                corners.map { known in
                    (
                        Vector(min(known.low.x, low.x), min(known.low.y, low.y)),
                        Vector(max(known.high.x, high.x), max(known.high.y, high.y))
                    )
                } ?? (low, high)
        }
        return corners
    }
}

extension WorldItem {
    /// Half the sides of the upright rectangle around it.
    fileprivate func halfExtent(turnedBy rotation: Double) -> Vector {
        let (width, height) = (extent.width / 2, extent.height / 2)
        guard shape == .box else { return Vector(width, width) }
        let (sine, cosine) = Angle.sineCosine(rotation)
        let (s, c) = (sine.magnitude, cosine.magnitude)
        return Vector(width * c + height * s, width * s + height * c)
    }
}
