// TEMPORARY: what the engine does not have yet, so that the component can be written against it.
package import Geometry

package struct Boundary: Hashable, Sendable {
    package var id: String
    package var path: [Vector]
    package init(id: String, path: [Vector]) {
        self.id = id
        self.path = path
    }
    package init(id: String, rectangle: Rect) {
        let (a, s) = (rectangle.origin, rectangle.size)
        self.init(
            id: id,
            path: [
                a, a + Vector(s.width, 0), a + Vector(s.width, s.height), a + Vector(0, s.height),
                a,
            ])
    }
}

package struct Collision: Hashable, Sendable {
    package enum Mode: Hashable, Sendable { case items, boundaries, everything }
    package var items: [ItemID]
    package var mode = Mode.everything
    package var boundaries: [Boundary] = []
    package init(items: [ItemID]) { self.items = items }
}

package struct ContactEvent: Hashable, Sendable {
    package enum Phase: Hashable, Sendable { case began, ended }
    package enum Parties: Hashable, Sendable {
        case items(ItemID, ItemID)
        case boundary(ItemID, String)
    }
    package var phase: Phase
    package var parties: Parties
    package var point: Vector
}

extension Animator {
    package var contacts: [ContactEvent] { [] }

    package mutating func add(_ collision: Collision) -> BehaviorID {
        add(Push(items: collision.items, mode: .continuous, vector: .zero))
    }
    package mutating func change(_ id: BehaviorID, to collision: Collision) {
        change(id, to: Push(items: collision.items, mode: .continuous, vector: .zero))
    }

    package mutating func addGroup(of items: [Item]) -> (ItemID, [ItemID]) {
        let ids = items.map { add($0) }
        return (ids[0], ids)
    }
}
