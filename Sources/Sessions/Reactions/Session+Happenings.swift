import Geometry
import Interactions
import Notation

/// Notes the things in a session that its scene has reactions to.
extension Session {
    /// The session begins. The reactions to that are performed at once.
    mutating func react(to moment: SessionMoment) {
        note(moment)
        reactToBeginning()
    }

    /// Something happened to the whole session. The reactions to it come with those to the event.
    mutating func note(_ moment: SessionMoment) {
        noteReactions { _ in
            Facts()
        } where: {
            $0 == .session(moment)
        }
    }

    /// The session's scene was another one: its components and machines are in place already, and
    /// nothing that led there counts as happened.
    mutating func takeReactions(after former: Scene) {
        reacting = reacting.carried(from: former, to: scene, at: motion)
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
            for cause in reaction.causes {
                guard case .transition(let cause) = cause, cause.component == component,
                    cause.event == transition.event, cause.name == transition.name
                else { continue }
                let parameters = scene.components[component].parameters
                report = report ?? parameters.reports.transition(transition.name)
                guard let report else { return }
                guard var facts = cause.facts(of: transition, report) else { continue }
                facts.user = user.map { ReportedValue.text($0) }
                reacting.add(ReactionState.Due(reaction: index, facts: facts))
                break
            }
        }
    }

    /// A component may have entered another phase.
    mutating func notePhase(of component: Int) {
        guard reacting.watchesPhases(of: component) else { return }
        let phase = machines[component].phase
        guard phase != reacting.phases[component] else { return }
        reacting.phases[component] = phase
        let facts = Facts(user: user)
        noteReactions { _ in
            facts
        } where: {
            $0 == .phase(component: component, phase: phase)
        }
    }

    /// Takes the phases of all components as they are: none is entered.
    mutating func takePhases() {
        reacting.phases = reacting.watchedPhases == 0 ? [] : machines.map(\.phase)
    }

    /// A notification was counted, with the table that it brought; `former` is the count of its
    /// kind before.
    mutating func noteReactions(toNotification kind: String, _ data: Node?, former: Int) {
        guard !scene.reactions.isEmpty else { return }
        let count = badges.counts[kind]
        var facts = Facts(kind: kind, count: count)
        facts.data = data
        noteReactions { _ in
            facts
        } where: { cause in
            switch cause {
            case .notification(kind): true
            case .badge(kind, let bound): bound.isPassed(from: former, to: count)
            default: false
            }
        }
    }

    /// Counts were set to 0. `formers` are the counts before, of all kinds.
    mutating func noteReactions(toClearedCounts formers: BadgeCounts) {
        guard !scene.reactions.isEmpty else { return }
        for entry in formers.entries where badges.counts[entry.kind] != entry.count {
            noteReactions(toCountOf: entry.kind, former: entry.count)
        }
    }

    /// A count has changed, without a notification.
    mutating func noteReactions(toCountOf kind: String, former: Int) {
        let count = badges.counts[kind]
        noteReactions { _ in
            Facts(kind: kind, count: count)
        } where: { cause in
            guard case .badge(kind, let bound) = cause else { return false }
            return bound.isPassed(from: former, to: count)
        }
    }

    /// A variable has another value.
    mutating func noteReactions(toVariable variable: Int, _ value: VariableValue) {
        noteReactions { _ in
            var facts = Facts()
            facts.value = value
            return facts
        } where: { cause in
            guard case .variable(variable, let test) = cause else { return false }
            return test.passes(value)
        }
    }

    /// Makes each reaction pending that has such a cause; each once, whichever of its causes it is.
    private mutating func noteReactions(
        _ facts: (Reaction.Cause) -> Facts, where isMeant: (Reaction.Cause) -> Bool
    ) {
        for (index, reaction) in scene.reactions.enumerated() {
            guard let cause = reaction.causes.first(where: isMeant) else { continue }
            reacting.add(ReactionState.Due(reaction: index, facts: facts(cause)))
        }
    }
}

extension Reaction.TransitionCause {
    /// The facts that a transition tells a reaction that waits for it; nil: it waits for others.
    fileprivate func facts(of transition: Transition, _ report: TransitionReport) -> Facts? {
        var facts = Facts(transition, of: report)
        guard from == nil || from == facts.from, to == nil || to == facts.to,
            row == nil || facts.row == row.map({ .whole($0) }),
            boundary == nil || facts.boundary == boundary.map({ .text($0) }),
            token == nil || facts.token == token.map({ .whole($0) })
        else { return nil }
        guard let items = transition.meeting?.items else {
            return item == nil || facts.item == item.map({ .text($0) }) ? facts : nil
        }
        // Two items meet in either order: the one that a reaction names comes first.
        guard let first = item ?? items.first(where: { $0 != with }), items.contains(first) else {
            return nil
        }
        let other = items.first { $0 != first }
        guard with == nil || other == with else { return nil }
        facts.item = .text(first)
        facts.with = other.map { .text($0) }
        return facts
    }
}
