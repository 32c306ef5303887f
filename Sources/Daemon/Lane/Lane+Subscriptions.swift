import Geometry
import Interactions
import Sessions

/// Subscriptions to this lane's sessions.
extension Lane {
    func setInterest(_ channels: Channels, of id: String) {
        interests[id] = channels
        guard let resident = activeSessions[id] else { return }
        // Where somebody left, what moves is still told to its end.
        resident.wanted.byName.formUnion(channels)
        resident.wanted.atRest = resident.wanted.byName == channels ? nil : channels
        markChanged(resident)
    }

    /// Answers a subscription with what is current on every topic that it matches.
    func answerSubscription(_ prefix: String, session id: String, _ moment: Moment) {
        guard let resident = try? find(id, moment) else { return }
        advance(resident, to: moment)
        markChanged(resident)
        if "session/\(id)".hasPrefix(prefix) { resident.session.answer(.session) }
        if "scene/\(id)".hasPrefix(prefix) { resident.session.answer(.scene) }
        if "frame/\(id)".hasPrefix(prefix) { resident.session.answer(.frame) }
        if "badge/\(id)".hasPrefix(prefix) { resident.session.answer(.badge) }
        for (index, component) in resident.session.scene.components.enumerated()
        where "state/\(id)/\(component.id)".hasPrefix(prefix) {
            resident.session.answer(.state(component: index))
        }
    }
}
