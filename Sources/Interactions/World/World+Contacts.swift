import Dynamics
import Geometry
import Notation

/// Two that touch, as it was told.
struct WorldTouch: Hashable, Sendable, Codable {
    let meeting: Transition.Meeting
    /// Of a boundary: another path is another wall.
    let path: [Vector]?

    func isOf(_ other: WorldTouch) -> Bool {
        meeting.items == other.meeting.items && meeting.boundary == other.meeting.boundary
            && path == other.path
    }

    /// The same of these two wherever they touch.
    var nowhere: WorldTouch {
        WorldTouch(
            meeting: Transition.Meeting(
                items: meeting.items, boundary: meeting.boundary, point: .zero), path: path)
    }

    /// Whether a decoded one is of two that could be.
    var isSound: Bool {
        meeting.point.isWithin(1e12)
            && (meeting.items + [meeting.boundary].compactMap { $0 })
                .allSatisfy(Name.isValid)
            && meeting.items.count == (meeting.boundary == nil ? 2 : 1)
            && (meeting.boundary != nil || path == nil)
            && (path?.count ?? 0) <= World.segmentsMax + 1
    }
}

/// Whose contacts are told: whatever began ends, also where its item or its wall is taken away.
extension World {
    /// Tells what the last step brought together and parted.
    mutating func tellContacts(into effects: inout Effects) {
        endLostContacts(into: &effects)
        for contact in bodies.animator.contacts {
            guard let touch = touch(contact) else { continue }
            let known = touching.firstIndex { $0.isOf(touch) }
            switch contact.phase {
            case .began:
                // A wall that moved up in its list is met anew by the engine, and by nobody else.
                guard known == nil else { continue }
                touching.append(touch)
                effects.transitions.append(
                    Transition("contact", .began, meeting: touch.meeting))
            case .ended:
                guard let known else { continue }
                touching.remove(at: known)
                effects.transitions.append(
                    Transition("contact", .ended, meeting: touch.meeting))
            }
        }
    }

    /// Ends the contacts of those whom nothing lets touch any more: no step would tell of them.
    ///
    /// What is only set may be set back before the next step; then they have touched all along.
    mutating func loseContacts(by command: Command, into effects: inout Effects) {
        areTouchesStale = !touching.isEmpty
        if command.name != Change.set.rawValue || !isMoving { endLostContacts(into: &effects) }
    }

    private mutating func endLostContacts(into effects: inout Effects) {
        guard areTouchesStale else { return }
        areTouchesStale = false
        for touch in touching where !bodies.mayMeet(touch) {
            effects.transitions.append(Transition("contact", .ended, meeting: touch.meeting))
        }
        touching.removeAll { !bodies.mayMeet($0) }
    }

    private func touch(_ contact: ContactEvent) -> WorldTouch? {
        switch contact.parties {
        case .items(let a, let b):
            guard let a = bodies.name(of: a), let b = bodies.name(of: b) else { return nil }
            let meeting = Transition.Meeting(
                items: [a, b], boundary: nil, point: contact.point)
            return WorldTouch(meeting: meeting, path: nil)
        case .boundary(let item, let boundary):
            guard let item = bodies.name(of: item) else { return nil }
            let meeting = Transition.Meeting(
                items: [item], boundary: boundary, point: contact.point)
            return WorldTouch(
                meeting: meeting, path: bodies.boundary(boundary, around: item)?.path)
        }
    }
}

extension WorldBodies {
    /// Whether a collision lets two touch.
    func mayMeet(_ touch: WorldTouch) -> Bool {
        guard let boundary = touch.meeting.boundary else {
            return placedBehaviors.contains { placed in
                guard case .collision(let items, let collision, _) = placed.behavior.rule else {
                    return false
                }
                return collision.mode != .boundaries
                    && touch.meeting.items.allSatisfy(items.contains)
            }
        }
        return touch.meeting.items.contains {
            self.boundary(boundary, around: $0)?.path == touch.path
        }
    }

    /// A boundary that an item may touch, of several of one name the oldest.
    func boundary(_ id: String, around item: String) -> Boundary? {
        for placed in placedBehaviors {
            guard case .collision(let items, let collision, _) = placed.behavior.rule,
                collision.mode != .items, items.contains(item),
                let boundary = collision.boundaries.first(where: { $0.id == id })
            else { continue }
            return boundary
        }
        return nil
    }
}
