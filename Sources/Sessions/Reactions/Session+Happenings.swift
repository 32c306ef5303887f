import Geometry
import Interactions

/// Notes the things in a session that its scene has reactions to.
extension Session {
    /// Something happened to the whole session. The reactions to it are performed at once.
    mutating func react(to moment: SessionMoment) {
        note(moment)
        react()
    }

    /// Something happened to the whole session. The reactions to it come with those to the event.
    mutating func note(_ moment: SessionMoment) {
        for (index, reaction) in scene.reactions.enumerated()
        where reaction.cause == .session(moment) {
            reacting.add(ReactionState.Due(reaction: index, facts: Facts()))
        }
    }

    /// The session's scene was another one: its components and machines are in place already, and
    /// nothing that led there counts as happened.
    mutating func takeReactions(after former: Scene) {
        reacting = reacting.carried(from: former, to: scene)
        takePhases()
    }

    /// The session came back: nothing that led there counts as happened.
    mutating func reactAnew(to moment: SessionMoment) {
        reacting.dropPending()
        takePhases()
        react(to: moment)
    }

    /// A component's transition began, ended or was cancelled.
    mutating func noteReactions(to transition: Transition, of component: Int) {
        guard reacting.watchesTransitions(of: component) else { return }
        var report: TransitionReport?
        for (index, reaction) in scene.reactions.enumerated() {
            guard case .transition(let cause) = reaction.cause, cause.component == component,
                cause.event == transition.event, cause.name == transition.name
            else { continue }
            let parameters = scene.components[component].parameters
            report = report ?? parameters.reports.transition(transition.name)
            guard let report else { return }
            var facts = Facts(transition, of: report)
            guard cause.from == nil || cause.from == facts.from,
                cause.to == nil || cause.to == facts.to
            else { continue }
            if let item = cause.item {
                let items = transition.meeting?.items
                guard items?.contains(item) ?? (facts.item == .text(item)) else { continue }
                facts.item = .text(item)
            }
            reacting.add(ReactionState.Due(reaction: index, facts: facts))
        }
    }

    /// A component may have entered another phase.
    mutating func notePhase(of component: Int) {
        guard reacting.watchesPhases(of: component) else { return }
        let phase = machines[component].phase
        guard phase != reacting.phases[component] else { return }
        reacting.phases[component] = phase
        for (index, reaction) in scene.reactions.enumerated()
        where reaction.cause == .phase(component: component, phase: phase) {
            reacting.add(ReactionState.Due(reaction: index, facts: Facts()))
        }
    }

    /// Takes the phases of all components as they are: none is entered.
    mutating func takePhases() {
        reacting.phases = reacting.watchedPhases == 0 ? [] : machines.map(\.phase)
    }

    /// A notification was counted; `former` is the count of its kind before.
    mutating func noteReactions(toNotification kind: String, former: Int) {
        guard !scene.reactions.isEmpty else { return }
        let count = badges.counts[kind]
        for (index, reaction) in scene.reactions.enumerated() {
            switch reaction.cause {
            case .notification(kind): break
            case .badge(kind, let bound) where former <= bound && count > bound: break
            default: continue
            }
            reacting.add(
                ReactionState.Due(reaction: index, facts: Facts(kind: kind, count: count)))
        }
    }
}
