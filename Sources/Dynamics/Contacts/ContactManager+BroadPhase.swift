import Geometry

/// The broad phase: which fixtures are near each other.
///
/// Each fixture has a fat AABB. Only a fixture that left its own searches for new pairs. Box2D
/// makes its contacts in the same order.
extension ContactManager {
    /// Enlarges the fat AABBs of fixtures that left theirs, and makes contacts with their
    /// neighbors.
    ///
    /// `starts` are the bodies before it: a fat AABB contains the whole movement.
    mutating func follow(_ solverBodies: inout [SolverBody], from starts: [SolverBody]) {
        var moved: [Int32] = []
        var (body, transform) = (Int32(-1), Transform.identity)
        for index in fixtures.indices {
            let own = fixtures[index].body
            let solverBody = solverBodies[Int(own)]
            guard solverBody.isAwake || fixtures[index].fatAABB == .nothing else { continue }
            if own != body { (body, transform) = (own, solverBody.transform) }
            // The fat AABB already contains the former place.
            let aabb = shape(Int32(index)).aabb(at: transform)
            if fixtures[index].fatAABB.aabb.contains(aabb) { continue }
            if move(index, from: starts[Int(own)].transform, to: transform) {
                moved.append(Int32(index))
            }
        }
        if !moved.isEmpty { makeContacts(of: moved, &solverBodies) }
    }

    /// The same for one body, from the place where an impact stopped it.
    mutating func follow(_ body: Int, _ solverBodies: inout [SolverBody], from start: Transform) {
        let transform = solverBodies[body].transform
        var moved: [Int32] = []
        for index in fixtures.indices where fixtures[index].body == Int32(body) {
            if move(index, from: start, to: transform) { moved.append(Int32(index)) }
        }
        if !moved.isEmpty { makeContacts(of: moved, &solverBodies) }
    }

    /// Returns whether a fixture left its fat AABB and got a new one.
    private mutating func move(_ index: Int, from start: Transform, to end: Transform) -> Bool {
        let shape = shape(Int32(index))
        let aabb = shape.aabb(at: start).union(shape.aabb(at: end))
        guard !fixtures[index].fatAABB.aabb.contains(aabb) else { return false }
        var fatAABB = aabb.grown(by: Tuning.aabbMargin)
        let ahead = (end.center - start.center) * Tuning.aabbSteps
        fatAABB.low += Vector(min(ahead.x, 0), min(ahead.y, 0))
        fatAABB.high += Vector(max(ahead.x, 0), max(ahead.y, 0))
        fixtures[index].fatAABB = FatAABB(fatAABB)
        return true
    }

    private mutating func makeContacts(of moved: [Int32], _ solverBodies: inout [SolverBody]) {
        var found: [(Int32, Int32)] = []
        let count = Int32(fixtures.count)
        for fixture in moved {
            let fatAABB = fixtures[Int(fixture)].fatAABB.aabb
            for other in fixtures.indices where fixtures[other].fatAABB.aabb.touches(fatAABB) {
                found.append((min(fixture, Int32(other)), max(fixture, Int32(other))))
            }
            for chain in chains where chain.mask & fixtures[Int(fixture)].boundaryMask != 0 {
                for edge in 0..<chain.edgeCount
                where fatAABB.touches(chain.aabb(ofEdge: edge).grown(by: Tuning.aabbMargin)) {
                    found.append((fixture, chain.firstEdge + Int32(edge) + count))
                }
            }
        }
        found.sort { $0 < $1 }
        // For few pairs a linear search is faster than hashing.
        let keys = found.count * list.count > 4_096 ? Set(list.map { key($0) }) : nil
        var added: [ShapeContact] = []
        for (index, pair) in found.enumerated()
        where index == 0 || found[index - 1] != pair {
            guard let contact = contact(pair.0, pair.1, solverBodies) else { continue }
            let key = key(contact)
            let isKnown = keys?.contains(key) ?? list.contains { self.key($0) == key }
            if !isKnown { added.append(contact) }
        }
        // Exact capacity: the usual doubling would be much of a small world's memory.
        list.reserveCapacity(list.count + added.count)
        list += added
        for contact in added {
            solverBodies[Int(contact.bodyA)].wake()
            solverBodies[Int(contact.bodyB)].wake()
        }
    }

    /// A new contact for two fixtures' numbers; edges count after the fixtures. Nil if they never
    /// collide.
    private func contact(_ a: Int32, _ b: Int32, _ solverBodies: [SolverBody]) -> ShapeContact? {
        let count = Int32(fixtures.count)
        let fixture = fixtures[Int(a)]
        let contact: ShapeContact
        if b >= count {
            contact = ShapeContact(
                fixture.kind == .box ? .edgeAndBox : .edgeAndCircle, first: b - count, second: a,
                bodyA: Int16(solverBodies.count - 1), bodyB: Int16(fixture.body))
        } else {
            let other = fixtures[Int(b)]
            guard fixture.body != other.body else { return nil }
            // A box comes before a circle.
            let isSwapped = fixture.kind == .circle && other.kind == .box
            let (first, second) = isSwapped ? (b, a) : (a, b)
            let kind: ShapeContact.Kind =
                switch (fixture.kind, other.kind) {
                case (.box, .box): .boxes
                case (.circle, .circle): .circles
                case (.box, .circle), (.circle, .box): .boxAndCircle
                }
            contact = ShapeContact(
                kind, first: first, second: second, bodyA: Int16(fixtures[Int(first)].body),
                bodyB: Int16(fixtures[Int(second)].body))
        }
        let isMovable =
            !solverBodies[Int(contact.bodyA)].isFixed || !solverBodies[Int(contact.bodyB)].isFixed
        return isMovable && meets(contact) ? contact : nil
    }

    /// Identifies a pair, regardless of its order.
    private func key(_ contact: ShapeContact) -> Int64 {
        let edge = contact.isOnGround ? contact.first + Int32(fixtures.count) : contact.first
        return Int64(min(edge, contact.second)) << 32 | Int64(max(edge, contact.second))
    }
}
