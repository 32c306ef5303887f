import Geometry

/// Several items as one rigid body.
struct Group: Hashable, Sendable, Codable {
    struct Member: Hashable, Sendable, Codable {
        /// The number of the member's item id.
        let number: UInt32
        let shape: ItemShape
        let size: Size
        /// The member's own density, friction and elasticity.
        var material: Material
        /// The member's center from the group's center of mass, while the group's rotation is 0.
        var offset: Vector
        let rotation: Double
    }

    /// The number of the group's own item id.
    let number: UInt32
    private(set) var members: [Member]
    /// The center of the members' bounding rectangle, from the center of mass.
    private(set) var middle = Vector.zero
    /// The bounding rectangle's size.
    let size: Size

    /// Offsets count from the rectangle's center until `updateMass`.
    init(_ items: [Item], number: UInt32) {
        precondition(!items.isEmpty, "a group of no items")
        var aabb = AABB.nothing
        for item in items { aabb = aabb.union(item.aabb) }
        let center = 0.5 * (aabb.low + aabb.high)
        let sides = aabb.high - aabb.low
        size = Size(sides.x, sides.y)
        self.number = number
        members = items.enumerated().map { index, item in
            Member(
                number: number + 1 + UInt32(index), shape: item.shape, size: item.size,
                material: Material(item), offset: item.center.reachable - center,
                rotation: item.rotation)
        }
    }

    /// The body's material: resistance and freedom of the first member, the sum of all charges.
    var material: Material {
        var material = members[0].material
        (material.density, material.friction, material.elasticity) = (1, 0.2, 0.2)
        material.charge = members.reduce(0) { $0 + $1.material.charge }
        return material
    }

    func member(_ number: UInt32) -> Member? { members.first { $0.number == number } }

    /// Changes each member's material.
    mutating func change(_ properties: ItemProperties) {
        for index in members.indices { members[index].material.set(properties) }
    }

    /// Computes the center of mass from the members' densities. Returns its shift, the body's mass
    /// (kg) and its radius of gyration (pt).
    mutating func weigh(_ densities: [Double]) -> (shift: Vector, mass: Double, gyration: Double) {
        let weights = zip(members, densities).map { $0.weight(ofDensity: $1) }
        let mass = weights.reduce(0) { $0 + $1.mass }
        var shift = Vector.zero
        for (member, weight) in zip(members, weights) {
            shift += member.offset * (weight.mass / mass)
        }
        var square = 0.0
        for (index, weight) in weights.enumerated() {
            members[index].offset -= shift
            let lever = members[index].offset.lengthSquared
            square += (weight.gyration * weight.gyration + lever) * (weight.mass / mass)
        }
        middle -= shift
        return (shift, mass, square.squareRoot())
    }
}

extension Group.Member {
    fileprivate func weight(ofDensity density: Double) -> (mass: Double, gyration: Double) {
        var material = material
        material.density = density
        var item = Item(center: .zero, size: size)
        item.shape = shape
        var body = Body(item, number: number)
        body.setMaterial(material, size: size)
        return (1 / body.inverseMass, body.gyration)
    }

    var transform: Transform { Transform(center: offset, rotation: rotation) }
}

extension Item {
    /// The axis-aligned rectangle around the item.
    fileprivate var aabb: AABB {
        let shape = Shape(
            kind: Fixture.Kind(shape), half: shape.half(of: size), transform: .identity)
        let skinned = shape.aabb(at: Transform(center: center.reachable, rotation: rotation))
        return self.shape == .box ? skinned.grown(by: -Tuning.skin) : skinned
    }
}

extension Animator {
    /// Adds items as one body. Its center is the middle of their bounding rectangle.
    ///
    /// Behaviors act on the group. The first item decides the resistances and whether the group may
    /// move and turn; density, friction and elasticity are each item's own, until a behavior sets
    /// them on the group. A member's id gives the member's position, and an attachment or snap may
    /// name it. Members are removed with their group.
    package mutating func addGroup(of items: [Item]) -> (group: ItemID, members: [ItemID]) {
        let group = Group(items, number: itemsGiven)
        var whole = Item(center: items[0].center - group.members[0].offset, size: group.size)
        let material = group.material
        whole.resistance = material.resistance
        whole.angularResistance = material.angularResistance
        whole.allowsRotation = material.allowsRotation
        whole.anchored = material.anchored
        whole.charge = material.charge
        groups.append(group)
        let id = add(whole)
        itemsGiven += UInt32(items.count)
        updateMass(bodies.count - 1)
        return (id, group.members.map { ItemID(number: $0.number) })
    }

    /// The group whose body is at an index.
    func group(ofBodyAt index: Int) -> Group? {
        guard !groups.isEmpty else { return nil }
        return groups.first { $0.number == bodies[index].number }
    }

    /// The group that contains an item.
    func group(of item: ItemID) -> (group: Group, member: Group.Member)? {
        for group in groups {
            if let member = group.member(item.number) { return (group, member) }
        }
        return nil
    }

    /// Converts a point from an item's coordinates to its body's, which count from the center of
    /// mass.
    func bodyPoint(_ item: ItemID, _ offset: Vector) -> Vector {
        if groups.isEmpty { return offset }
        if let group = groups.first(where: { $0.number == item.number }) {
            return offset + group.middle
        }
        if let (_, member) = group(of: item) { return member.transform.point(offset) }
        return offset
    }

    /// The rotation of an item relative to its body (rad); 0 outside groups.
    func rotationOnBody(_ item: ItemID) -> Double { group(of: item)?.member.rotation ?? 0 }

    /// A member's material, with the properties that behaviors set on the group.
    func material(of member: Group.Member, in group: Group) -> Material {
        var material = member.material
        for write in materialsBox.value?.writes ?? []
        where write.items.contains(where: { $0.number == group.number }) {
            material.set(write.properties)
        }
        return material
    }

    /// Gives a group's body the mass and the center of mass of its members.
    mutating func updateMass(_ index: Int) {
        let number = bodies[index].number
        guard let place = groups.firstIndex(where: { $0.number == number }) else { return }
        let group = groups[place]
        let weight = groups[place].weigh(
            group.members.map { material(of: $0, in: group).density })
        bodies[index].setMass(weight.mass, gyration: weight.gyration)
        guard weight.shift != .zero else { return }
        bodies[index].center = bodies[index].point(at: weight.shift)
        for groundJoint in bodies[index].groundJointRange {
            groundJoints[groundJoint].offset -= weight.shift
        }
        for joint in joints.indices { joints[joint].shift(index, by: weight.shift) }
    }
}

extension Joint {
    /// Follows a center of mass that moved within its body.
    fileprivate mutating func shift(_ index: Int, by shift: Vector) {
        if second == Int32(index) { secondOffset -= shift }
        if first == .body(Int32(index)) { firstOffset -= shift }
    }
}
