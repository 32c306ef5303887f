package import Notation

extension HouseMirror {
    /// A session that found no room, and for which there may be room now: the daemon is to be asked
    /// for its snapshot. Nil: none.
    package mutating func nextLatecomer(at moment: Moment) -> String? {
        let (shown, hasRoom) = (sessions, sessions.count < Self.sessionsMax)
        return latecomers.next(removals: outbox.removals, at: moment) { name in
            hasRoom || shown[name] != nil
        }
    }

    /// Shows a session by the daemon's answer to the request `snapshot`. Updates that came
    /// meanwhile are newer.
    package mutating func take(snapshot reply: Node, of name: String, at moment: Moment) {
        guard let held = latecomers.takeHeld(of: name) else { return }
        var bodies: [String: Node] = [:]
        for update in reply["updates"]?.array ?? [] {
            guard let topic = update["topic"]?.string, let body = update["body"] else { continue }
            bodies[topic] = body
        }
        bodies.merge(held) { $1 }
        // The scene first: it names the components.
        let scene = "scene/\(name)"
        for topic in bodies.keys.sorted(by: { ($0 == scene ? "" : $0) < ($1 == scene ? "" : $1) }) {
            let levels = topic.split(separator: "/").map(String.init)
            guard levels.count >= 2, levels[1] == name, let body = bodies[topic] else { continue }
            show(levels, body, at: moment)
        }
        announceAll(of: name)
        latecomers.settle(name, removals: outbox.removals, at: moment)
    }

    /// Announces all entities of a session: those that found no room before are in no difference of
    /// what the daemon says. Equal ones cost nothing.
    private mutating func announceAll(of name: String) {
        guard let session = sessions[name], let homeAssistant else { return }
        let refusals = outbox.refusals
        announce(homeAssistant.entities(ofAll: session))
        if outbox.refusals != refusals { latecomers.add(name) }
    }

    /// The daemon does not have the session.
    package mutating func forget(latecomer name: String) { latecomers.forget(name) }

    /// The daemon cannot tell of the session now: it is asked again later.
    package mutating func skip(latecomer name: String, at moment: Moment) {
        latecomers.skip(name, at: moment)
    }
}
