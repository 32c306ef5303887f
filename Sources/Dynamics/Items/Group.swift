import Geometry

/// Several items as one body. Only worlds with groups keep any.
struct Group: Hashable, Sendable, Codable {
    struct Member: Hashable, Sendable, Codable {
        /// Of its item's id.
        let number: UInt32
        let shape: ItemShape
        let size: Size
        /// Its own density, friction and elasticity.
        var material: Material
        /// Where it is from the group's center of mass when the group is not turned.
        var offset: Vector
        let rotation: Double
    }

    /// Of the group's own id.
    let number: UInt32
    private(set) var members: [Member]
    /// The middle of the rectangle about all members, from the center of mass.
    private(set) var middle = Vector.zero
    /// The rectangle's size.
    let size: Size

    /// Offsets count from the middle until the group is weighed.
    init(_ items: [Item], number: UInt32) {
        precondition(!items.isEmpty, "a group of no items")
        var bounds = Bounds.nothing
        for item in items { bounds = bounds.union(item.bounds) }
        let center = 0.5 * (bounds.low + bounds.high)
        let sides = bounds.high - bounds.low
        size = Size(sides.x, sides.y)
        self.number = number
        members = items.enumerated().map { index, item in
            Member(
                number: number + 1 + UInt32(index), shape: item.shape, size: item.size,
                material: Material(item), offset: item.center.reachable - center,
                rotation: item.rotation)
        }
    }

    /// What the body as a whole is made of: as its first item is, and charged as all together.
    var material: Material {
        var material = members[0].material
        (material.density, material.friction, material.elasticity) = (1, 0.2, 0.2)
        material.charge = members.reduce(0) { $0 + $1.material.charge }
        return material
    }

    func member(_ number: UInt32) -> Member? { members.first { $0.number == number } }

    /// Changes what each member is made of.
    mutating func change(_ properties: ItemProperties) {
        for index in members.indices { members[index].material.set(properties) }
    }

    /// Finds the center of mass anew, of members with these densities. Returns by how much it
    /// moved, and the body's mass and radius of gyration.
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
        body.make(of: material, size: size)
        return (1 / body.inverseMass, body.gyration)
    }

    var pose: Pose { Pose(center: offset, rotation: rotation) }
}

extension Item {
    /// The rectangle along the axes about it.
    fileprivate var bounds: Bounds {
        let piece = Piece(kind: Part.Kind(shape), half: shape.half(of: size), pose: .identity)
        let skinned = piece.bounds(at: Pose(center: center.reachable, rotation: rotation))
        return shape == .box ? skinned.grown(by: -Tuning.skin) : skinned
    }
}

extension Animator {
    /// Takes items in as one body, whose center is the middle of the rectangle about them all.
    ///
    /// Behaviors act on the group. Resistances, and whether it may move and turn, are its first
    /// item's; density, friction and elasticity are each item's own until a behavior sets them
    /// on the group. The items' ids say where they are, and take part in whatever is tied to
    /// them; they go with the group.
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
        weigh(bodies.count - 1)
        return (id, group.members.map { ItemID(number: $0.number) })
    }

    /// The group that is a body, if one is.
    func group(ofBodyAt index: Int) -> Group? {
        guard !groups.isEmpty else { return nil }
        return groups.first { $0.number == bodies[index].number }
    }

    /// The group that an item is in.
    func group(of item: ItemID) -> (group: Group, member: Group.Member)? {
        for group in groups {
            if let member = group.member(item.number) { return (group, member) }
        }
        return nil
    }

    /// A point of an item, from its center, as a point of its body, from the center of mass.
    func held(_ item: ItemID, _ offset: Vector) -> Vector {
        if groups.isEmpty { return offset }
        if let group = groups.first(where: { $0.number == item.number }) {
            return offset + group.middle
        }
        if let (_, member) = group(of: item) { return member.pose.point(offset) }
        return offset
    }

    /// How an item stands on its body.
    func turn(_ item: ItemID) -> Double { group(of: item)?.member.rotation ?? 0 }

    /// What a member of a group is made of, with all that behaviors set on the group.
    func material(of member: Group.Member, in group: Group) -> Material {
        var material = member.material
        for write in makeupStore.first?.writes ?? []
        where write.items.contains(where: { $0.number == group.number }) {
            material.set(write.properties)
        }
        return material
    }

    /// Gives a group's body the mass and the center of mass of its members.
    mutating func weigh(_ index: Int) {
        let number = bodies[index].number
        guard let place = groups.firstIndex(where: { $0.number == number }) else { return }
        let group = groups[place]
        let weight = groups[place].weigh(
            group.members.map { material(of: $0, in: group).density })
        bodies[index].weigh(weight.mass, gyration: weight.gyration)
        guard weight.shift != .zero else { return }
        bodies[index].center = bodies[index].point(at: weight.shift)
        for joint in bodies[index].jointRange { joints[joint].offset -= weight.shift }
        for link in links.indices { links[link].shift(index, by: weight.shift) }
    }
}

extension Link {
    /// After a body's center of mass moved within it.
    fileprivate mutating func shift(_ index: Int, by shift: Vector) {
        if second == Int32(index) { secondOffset -= shift }
        if first == .body(Int32(index)) { firstOffset -= shift }
    }
}
