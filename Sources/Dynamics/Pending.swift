// TEMPORARY: what the engine does not have yet, so that the component can be written against it.
package import Geometry

package enum ItemShape: Hashable, Sendable { case box, circle }

package struct ItemProperties: Hashable, Sendable {
    package var elasticity: Double?
    package var friction: Double?
    package var density: Double?
    package var resistance: Double?
    package var angularResistance: Double?
    package var allowsRotation: Bool?
    package var charge: Double?
    package var anchored: Bool?
    package init() {}
}

package struct ItemBehavior: Hashable, Sendable {
    package var items: [ItemID]
    package var properties: ItemProperties
    package init(items: [ItemID], properties: ItemProperties) {
        self.items = items
        self.properties = properties
    }
}

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

package enum Behavior: Hashable, Sendable {
    case attachment(Attachment)
    case snap(Snap)
    case push(Push)
    case gravity(Gravity)
    case collision(Collision)
    case properties(ItemBehavior)
    case field(Field)
    case pin(Pin)
}

extension Attachment {
    package enum End: Hashable, Sendable {
        case anchor(Vector)
        case item(ItemID, offset: Vector)
    }
    package enum Kind: Hashable, Sendable {
        case distance(length: Double?, frequency: Double, damping: Double)
        case fixed(frequency: Double, damping: Double)
        case pin(frictionTorque: Double, range: ClosedRange<Double>?)
        case sliding(axis: Vector, range: ClosedRange<Double>?)
        case limit(length: Double?)
    }
    package init(item: ItemID, offset: Vector, end: End, type: Kind) {
        var anchor = Vector.zero
        if case .anchor(let point) = end { anchor = point }
        self.init(item: item, offset: offset, anchor: anchor)
        if case .distance(let length, let frequency, let damping) = type {
            self.length = length
            self.frequency = frequency
            self.damping = damping
        }
    }
}

extension Item {
    package var shape: ItemShape {
        get { .box }
        set {}
    }
}

extension Animator {
    package var contacts: [ContactEvent] { [] }

    package mutating func add(_ behavior: Behavior) -> BehaviorID {
        switch behavior {
        case .attachment(let attachment): add(attachment)
        case .snap(let snap): add(snap)
        case .push(let push): add(push)
        case .gravity(let gravity): add(gravity)
        case .field(let field): add(field)
        case .pin(let pin): add(pin)
        case .collision, .properties: add(Push(items: [], mode: .continuous, vector: .zero))
        }
    }

    package mutating func change(_ id: BehaviorID, to behavior: Behavior) {}

    package mutating func addGroup(of items: [Item]) -> (ItemID, [ItemID]) {
        let ids = items.map { add($0) }
        return (ids[0], ids)
    }

    package mutating func remove(_ item: ItemID) {}
    package mutating func place(_ item: ItemID, center: Vector, rotation: Double) {
        bodies[Int(item.index)].center = center
        bodies[Int(item.index)].rotation = rotation
        wake(Int(item.index))
    }
    package mutating func resize(_ item: ItemID, to size: Size) {}
    package mutating func rest() {
        for index in bodies.indices {
            bodies[index].stop()
            bodies[index].isAwake = false
        }
        awakeCount = 0
    }
}
