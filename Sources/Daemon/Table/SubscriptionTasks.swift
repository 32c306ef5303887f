import Geometry
import Interactions
import Sessions

/// The channels that subscribers want of one session by its name, and of each whose name begins so,
/// from now on.
struct SessionInterestTask: LaneTask {
    let session: String
    let channels: Channels
    let ofBeginning: Channels

    func perform(on lane: Lane, at moment: Moment) {
        lane.table.interests.set(ofBeginning, ofBeginning: session)
        lane.table.interests[session] = channels
        guard let resident = lane.table.activeSessions[session] else { return }
        // Where a subscriber left, what moves is still published to its end.
        resident.wanted.byName.formUnion(channels)
        resident.wanted.atRest = resident.wanted.byName == channels ? nil : channels
        lane.table.markChanged(resident)
    }
}

/// The channels that subscribers want of every session, from now on.
struct BroadInterestTask: LaneTask {
    let channels: Channels

    func perform(on lane: Lane, at moment: Moment) { lane.table.interests.broad = channels }
}

/// About how many subscriptions there are to the updates of one session, and of each whose name
/// begins so; nil: of every session.
struct SubscriberCountTask: LaneTask, Equatable {
    let session: String?
    let counts: SubscriberCounts.OfName

    func perform(on lane: Lane, at moment: Moment) {
        lane.table.interests.subscribers.set(counts, of: session)
    }
}

/// Answers a subscription to one session's topics with what is current on each that it matches.
struct CurrentUpdatesTask: LaneTask {
    let session: String
    let prefix: String

    var subject: String? { session }
    var mayTakeLong: Bool { true }
    // The session takes nothing while it becomes another.
    var waitsForChanges: Bool { true }

    func perform(on lane: Lane, at moment: Moment) {
        guard let open = try? lane.table.findCurrent(session, moment) else { return }
        let id = session
        if "session/\(id)".hasPrefix(prefix) { open.session.answer(.session) }
        if "scene/\(id)".hasPrefix(prefix) { open.session.answer(.scene) }
        if "frame/\(id)".hasPrefix(prefix) { open.session.answer(.frame) }
        if "badge/\(id)".hasPrefix(prefix) { open.session.answer(.badge) }
        if "variables/\(id)".hasPrefix(prefix) { open.session.answer(.variables) }
        if "touches/\(id)".hasPrefix(prefix) { open.session.answer(.touches) }
        for (index, component) in open.session.scene.components.enumerated()
        where "state/\(id)/\(component.id)".hasPrefix(prefix) {
            open.session.answer(.state(component: index))
        }
        for (index, component) in open.session.scene.components.enumerated()
        where "rows/\(id)/\(component.id)".hasPrefix(prefix) {
            open.session.answer(.rows(component: index))
        }
    }
}
