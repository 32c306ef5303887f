import Geometry

/// Which parts come near each other.
///
/// Each part has a room, larger than itself: only who leaves it looks for neighbors. As in
/// Box2D, whose contacts are made in the same order.
extension Contacts {
    /// Gives rooms to the parts that left theirs, and makes contacts with their neighbors.
    ///
    /// `starts` is where the bodies stood, so that a room holds the whole way.
    mutating func follow(_ movers: inout [Mover], from starts: [Pose]) {
        var moved: [Int32] = []
        var (body, pose) = (Int32(-1), Pose.identity)
        for index in parts.indices {
            let own = parts[index].body
            let mover = movers[Int(own)]
            guard mover.isAwake || parts[index].room == .nothing else { continue }
            if own != body { (body, pose) = (own, mover.pose) }
            // Where it stood it had been followed to, so that its room holds it there.
            let bounds = piece(Int32(index)).bounds(at: pose)
            if parts[index].room.bounds.contains(bounds) { continue }
            if move(index, from: starts[Int(own)], to: pose) { moved.append(Int32(index)) }
        }
        if !moved.isEmpty { makeContacts(of: moved, &movers) }
    }

    /// The same for one body, from where it was stopped on its way.
    mutating func follow(_ body: Int, _ movers: inout [Mover], from start: Pose) {
        let pose = movers[body].pose
        var moved: [Int32] = []
        for index in parts.indices where parts[index].body == Int32(body) {
            if move(index, from: start, to: pose) { moved.append(Int32(index)) }
        }
        if !moved.isEmpty { makeContacts(of: moved, &movers) }
    }

    /// Returns whether a part left its room and has another one now.
    private mutating func move(_ index: Int, from start: Pose, to end: Pose) -> Bool {
        let piece = piece(Int32(index))
        let bounds = piece.bounds(at: start).union(piece.bounds(at: end))
        guard !parts[index].room.bounds.contains(bounds) else { return false }
        var room = bounds.grown(by: Tuning.roomMargin)
        let ahead = (end.center - start.center) * Tuning.roomSteps
        room.low += Vector(min(ahead.x, 0), min(ahead.y, 0))
        room.high += Vector(max(ahead.x, 0), max(ahead.y, 0))
        parts[index].room = Room(room)
        return true
    }

    private mutating func makeContacts(of moved: [Int32], _ movers: inout [Mover]) {
        var found: [(Int32, Int32)] = []
        let count = Int32(parts.count)
        for part in moved {
            let room = parts[Int(part)].room.bounds
            for other in parts.indices where parts[other].room.bounds.touches(room) {
                found.append((min(part, Int32(other)), max(part, Int32(other))))
            }
            for chain in chains where chain.among & parts[Int(part)].amongBoundaries != 0 {
                for piece in 0..<chain.edgeCount
                where room.touches(chain.bounds(of: piece).grown(by: Tuning.roomMargin)) {
                    found.append((part, chain.firstEdge + Int32(piece) + count))
                }
            }
        }
        found.sort { $0 < $1 }
        // Few are sought one by one: to hash them all would take longer.
        let keys = found.count * list.count > 4_096 ? Set(list.map { key($0) }) : nil
        var added: [Contact] = []
        for (index, pair) in found.enumerated()
        where index == 0 || found[index - 1] != pair {
            guard let contact = contact(pair.0, pair.1, movers) else { continue }
            let key = key(contact)
            let isKnown = keys?.contains(key) ?? list.contains { self.key($0) == key }
            if !isKnown { added.append(contact) }
        }
        // A world has few: twice the room that they need would be much of its size.
        list.reserveCapacity(list.count + added.count)
        list += added
        for contact in added {
            movers[Int(contact.bodyA)].wake()
            movers[Int(contact.bodyB)].wake()
        }
    }

    /// Of parts' numbers, edges counted after them, that may touch each other.
    private func contact(_ a: Int32, _ b: Int32, _ movers: [Mover]) -> Contact? {
        let count = Int32(parts.count)
        let part = parts[Int(a)]
        let contact: Contact
        if b >= count {
            contact = Contact(
                part.kind == .box ? .edgeAndBox : .edgeAndCircle, first: b - count, second: a,
                bodyA: Int16(movers.count - 1), bodyB: Int16(part.body))
        } else {
            let other = parts[Int(b)]
            guard part.body != other.body else { return nil }
            // A box before a circle.
            let isSwapped = part.kind == .circle && other.kind == .box
            let (first, second) = isSwapped ? (b, a) : (a, b)
            let kind: Contact.Kind =
                switch (part.kind, other.kind) {
                case (.box, .box): .boxes
                case (.circle, .circle): .circles
                case (.box, .circle), (.circle, .box): .boxAndCircle
                }
            contact = Contact(
                kind, first: first, second: second, bodyA: Int16(parts[Int(first)].body),
                bodyB: Int16(parts[Int(second)].body))
        }
        let isMovable =
            !movers[Int(contact.bodyA)].isFixed || !movers[Int(contact.bodyB)].isFixed
        return isMovable && meets(contact) ? contact : nil
    }

    /// What names a contact's two, in whichever order.
    private func key(_ contact: Contact) -> Int64 {
        let edge = contact.isOnGround ? contact.first + Int32(parts.count) : contact.first
        return Int64(min(edge, contact.second)) << 32 | Int64(max(edge, contact.second))
    }
}
