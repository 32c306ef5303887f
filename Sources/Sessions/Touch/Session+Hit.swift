package import Geometry
import Interactions

/// A component under a point, and its view where a view lies there.
package struct Hit: Hashable, Sendable, Codable {
    /// Its index in the scene.
    package var component: Int
    /// Nil: only the component's frame is hit.
    package var view: String?

    package init(component: Int, view: String? = nil) {
        self.component = component
        self.view = view
    }
}

/// A hit as it is told: the names of a component and of its view.
package struct NamedHit: Hashable, Sendable {
    package let component: String
    /// Nil: only the component's frame is hit.
    package let view: String?
}

/// Hits: the session finds out which component is touched.
///
/// The room `Touch` finds the component under a point (`Session+Hit`), in exact reverse of
/// painting, and hands gestures on `gesture/<session>` to it and to those that hold it
/// (`Session+Routing`). Each component hears of points in its own coordinates.
extension Session {
    /// The hit at a point of the viewport; nil: nothing lies there.
    package func hit(at point: Vector) -> Hit? { hit(at: point, heldBy: nil, slot: nil) }

    /// A hit by its names; nil: nothing is hit.
    @inline(__always)
    package borrowing func named(_ hit: Hit?) -> NamedHit? {
        // A closure would get a copy of the component.
        guard let hit else { return nil }
        return NamedHit(component: scene.components[hit.component].id, view: hit.view)
    }

    /// The frontmost of what a slot, or the viewport, holds.
    private func hit(at point: Vector, heldBy holder: Int?, slot: String?) -> Hit? {
        for index in scene.components.indices.reversed() {
            let placement = scene.components[index].placement
            guard placement.holder?.component == holder, placement.holder?.slot.name == slot else {
                continue
            }
            if let hit = hit(index, at: point - placement.frame.origin) { return hit }
        }
        return nil
    }

    /// `point` is in the component's own coordinates.
    private func hit(_ index: Int, at point: Vector) -> Hit? {
        let (placement, machine) = (scene.components[index].placement, machines[index])
        let size = placement.frame.size
        let isWithin = Rect(0, 0, size.width, size.height).contains(point)
        if placement.clips && !isWithin { return nil }
        var list = ViewList()
        machine.views(into: &list)
        let reach = machine.reach
        // Once for all views, of which there may be thousands.
        let held = scene.slotsHeld(in: index)
        for (name, view) in list.fromTheFront {
            guard let inView = Similarity(into: view) else { continue }
            let place = inView.apply(point)
            let isOccupied = held.contains(name)
            if isOccupied, reach != .closed,
                let hit = hit(at: place, heldBy: index, slot: name)
            {
                return hit
            }
            guard machine.isTouchable(name, isOccupied: isOccupied),
                machine.contains(place, in: name, size: view.size)
            else { continue }
            return Hit(component: index, view: name)
        }
        switch reach {
        case .views: return nil
        case .frame: return isWithin ? Hit(component: index) : nil
        case .all(let view): return Hit(component: index, view: view)
        case .closed: return Hit(component: index)
        }
    }

    /// From the viewport's coordinates to a component's own, as everything stands now. Nil: the
    /// slot of what holds it is absent.
    func coordinates(of index: Int) -> Similarity? {
        let placement = scene.components[index].placement
        let ownFrame = Similarity(displacement: -placement.frame.origin)
        guard let holder = placement.holder else { return ownFrame }
        guard let outer = coordinates(of: holder.component) else { return nil }
        var finder = ViewFinder(holder.slot)
        machines[holder.component].views(into: &finder)
        guard let view = finder.found, let inView = Similarity(into: view) else { return nil }
        return outer.then(inView).then(ownFrame)
    }

    /// A component and those that hold it, from the innermost.
    func holders(of index: Int) -> [Int] {
        var chain = [index]
        while let holder = scene.components[chain[chain.count - 1]].placement.holder {
            chain.append(holder.component)
        }
        return chain
    }
}

extension Scene {
    /// The slots of a component that hold others.
    fileprivate func slotsHeld(in index: Int) -> [String] {
        components.compactMap {
            $0.placement.holder?.component == index ? $0.placement.holder?.slot.name : nil
        }
    }
}
