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
            if parts[index].room.contains(parts[index].bounds(at: pose)) { continue }
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
        let bounds = parts[index].bounds(at: start).union(parts[index].bounds(at: end))
        guard !parts[index].room.contains(bounds) else { return false }
        var room = bounds.grown(by: Tuning.roomMargin)
        let ahead = (end.center - start.center) * Tuning.roomSteps
        room.low += Vector(min(ahead.x, 0), min(ahead.y, 0))
        room.high += Vector(max(ahead.x, 0), max(ahead.y, 0))
        parts[index].room = room
        return true
    }

    private mutating func makeContacts(of moved: [Int32], _ movers: inout [Mover]) {
        var found: [(Int32, Int32)] = []
        let count = Int32(parts.count)
        for part in moved {
            let room = parts[Int(part)].room
            for other in parts.indices where parts[other].room.touches(room) {
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
        for (index, pair) in found.enumerated() where index == 0 || found[index - 1] != pair {
            makeContact(pair.0, pair.1, &movers)
        }
    }

    /// By the parts' numbers, edges counted after them.
    private mutating func makeContact(_ a: Int32, _ b: Int32, _ movers: inout [Mover]) {
        let count = Int32(parts.count)
        let part = parts[Int(a)]
        let contact: Contact
        if b >= count {
            contact = Contact(
                first: b - count, second: a, bodyA: Int32(movers.count - 1), bodyB: part.body,
                kind: part.kind == .box ? .edgeAndBox : .edgeAndCircle)
            guard !movers[Int(part.body)].isFixed else { return }
        } else {
            let other = parts[Int(b)]
            guard part.body != other.body,
                !movers[Int(part.body)].isFixed || !movers[Int(other.body)].isFixed
            else { return }
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
                first: first, second: second, bodyA: parts[Int(first)].body,
                bodyB: parts[Int(second)].body, kind: kind)
        }
        guard meets(contact), !has(contact) else { return }
        list.reserveCapacity(list.count + 1)
        list.append(contact)
        movers[Int(contact.bodyA)].wake()
        movers[Int(contact.bodyB)].wake()
    }

    private func has(_ contact: Contact) -> Bool {
        list.contains {
            $0.second == contact.second && $0.first == contact.first
                && $0.isOnGround == contact.isOnGround
        }
    }
}
