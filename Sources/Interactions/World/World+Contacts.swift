import Dynamics
import Geometry
import Notation

/// A contact that was reported, without its impulse.
struct WorldTouch: Hashable, Sendable, Codable {
    let meeting: Transition.Meeting
    /// The boundary's path: another path is another wall.
    let path: [Vector]?

    func isOf(_ other: WorldTouch) -> Bool {
        meeting.items == other.meeting.items && meeting.boundary == other.meeting.boundary
            && path == other.path
    }

    /// The contact without its point.
    var nowhere: WorldTouch {
        WorldTouch(
            meeting: Transition.Meeting(
                items: meeting.items, boundary: meeting.boundary, point: .zero), path: path)
    }

    /// Whether a decoded contact could be one.
    var isSound: Bool {
        meeting.point.isWithin(1e12) && meeting.impulse == nil
            && (meeting.items + [meeting.boundary].compactMap { $0 })
                .allSatisfy(Name.isValid)
            && meeting.items.count == (meeting.boundary == nil ? 2 : 1)
            && (meeting.boundary != nil || path == nil)
            && (path?.count ?? 0) <= World.segmentsMax + 1
    }
}

/// Contacts. Each that began also ends, even if its item or its wall is removed.
extension World {
    /// Reports the contacts that the last step began and ended.
    mutating func reportContacts(into effects: inout Effects) {
        endLostContacts(into: &effects)
        for contact in bodies.animator.contacts {
            guard let touch = touch(contact) else { continue }
            let known = touching.firstIndex { $0.isOf(touch) }
            switch contact.phase {
            case .began:
                // The engine reports a contact again when a wall moves up in its list.
                guard known == nil else { continue }
                touching.append(touch)
                var meeting = touch.meeting
                meeting.impulse = contact.impulse
                effects.transitions.append(Transition("contact", .began, meeting: meeting))
            case .ended:
                guard let known else { continue }
                touching.remove(at: known)
                effects.transitions.append(
                    Transition("contact", .ended, meeting: touch.meeting))
            }
        }
    }

    /// Ends contacts that no collision allows any more: no step would report them.
    ///
    /// After `set` it waits for the next step: the value may be set back before.
    mutating func loseContacts(by command: ComponentCommand, into effects: inout Effects) {
        areTouchesStale = !touching.isEmpty
        if command.name != Action.set.rawValue || !isMoving { endLostContacts(into: &effects) }
    }

    /// Ends the contacts of names that have other bodies or collisions now, and those that no
    /// collision allows any more.
    mutating func loseContacts(of names: Set<String>, into effects: inout Effects) {
        areTouchesStale = !touching.isEmpty
        endLostContacts(into: &effects)
        for touch in touching where !names.isDisjoint(with: touch.meeting.items) {
            effects.transitions.append(Transition("contact", .ended, meeting: touch.meeting))
        }
        touching.removeAll { !names.isDisjoint(with: $0.meeting.items) }
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
    /// Whether a collision allows the contact.
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

    /// The boundary that an item may touch; the oldest of several with one name.
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
