import Geometry
package import Interactions
import Notation

/// Reactions are performed after the effects of an event or a step, in the order of the scene; then
/// the reactions to what they caused, and so on, up to `Limits.reactionChainMax` actions in all.
extension Session {
    /// The commands of the session's counts.
    package static let badgesReports = KindReports(
        transitions: [], phases: [],
        commands: [
            CommandReport("clear").taking("kind", .name),
            CommandReport("add").requiring("kind", .name)
                .taking("count", .whole(0...BadgeCounts.countMax)),
            CommandReport("set").requiring("kind", .name)
                .requiring("count", .whole(0...BadgeCounts.countMax)),
        ])

    /// Whether its scene has reactions, so that a short event may lead to much.
    package var hasReactions: Bool { !scene.reactions.isEmpty }

    /// Whether reactions of its scene may change the scene.
    package var changesItself: Bool { reacting.changesScene }

    /// Whether reactions of its scene may change the scene, and each change takes long.
    @inline(__always)
    package var areChangesLong: Bool { reacting.areChangesLong }

    /// Whether the next change may be left.
    var mayLeaveChange: Bool { leavesChanges && reacting.areChangesLong }

    /// Whether a reaction that changes the scene is left, with all that comes behind it. Until
    /// ``makeChange()`` has made the last one, the session takes no event and makes no step.
    @inline(__always)
    package var hasChangeLeft: Bool { reacting.left.isAny }

    /// Makes the change that is left, and performs what follows up to the next change.
    package mutating func makeChange() {
        guard case .chain(let chain) = reacting.left else {
            preconditionFailure("no change is left")
        }
        reacting.left = .nothing
        perform(chain, mayChange: true)
        if !hasChangeLeft { reacting.isInStep = false }
    }

    /// Performs the reactions to what has happened.
    mutating func react() {
        react(changesMax: Limits.reactionSetsMax)
    }

    /// Performs the reactions to the session's beginning, in one go: there is no session yet that
    /// could leave a change. So only some may change a long scene.
    mutating func reactToBeginning() {
        let bytes = max(1, scene.text?.utf8.count ?? 0)
        let count = Limits.reactionSetBytesAtBeginningMax / bytes
        react(changesMax: min(max(1, count), Limits.reactionSetsMax))
    }

    private mutating func react(changesMax: Int) {
        if reacting.pending.isEmpty { showDueTexts() }
        guard !reacting.pending.isEmpty else { return }
        precondition(!hasChangeLeft, "changes are left of what happened before")
        perform(ReactionState.Chain(), mayChange: !mayLeaveChange, changesMax: changesMax)
    }

    /// A step was made: performs the reactions to it, and those that have waited until it.
    mutating func reactInStep() {
        if reacting.earliestWait <= motion {
            // A finger that rests is a touch too, also where it hits nothing.
            if reacting.heedsTouches, !trackings.isEmpty || routes.hasContact(at: motion) {
                noteTouch()
            }
            reacting.endWaits(at: motion, clock: clock, in: scene)
            dirtyParts.insert(.own)
        }
        guard !reacting.pending.isEmpty else { return }
        reacting.isInStep = true
        react()
        if !hasChangeLeft { reacting.isInStep = false }
    }

    /// Somebody touches the session.
    mutating func noteTouch() { reacting.noteTouch(at: motion, in: scene) }

    /// Performs a chain to its end, or until a change is to be left. `mayChange`: the next change
    /// is to be made.
    private mutating func perform(
        _ chain: ReactionState.Chain, mayChange: Bool, changesMax: Int = Limits.reactionSetsMax
    ) {
        var (chain, mayChange) = (chain, mayChange)
        repeat {
            while let due = chain.next {
                guard let action = nextAction(of: due, &chain) else {
                    if chain.count > Limits.reactionChainMax { return stop(at: due, .actions) }
                    chain.moveOn()
                    continue
                }
                let deed = action.deed
                let isLater = action.after > 0 && due.action == nil
                let isChange = deed.isChange && !isLater
                if let bound = chain.bound(of: action, isLater: isLater, changesMax) {
                    return stop(at: due, bound)
                }
                if isChange, !mayChange {
                    reacting.left = .chain(chain)
                    return
                }
                if isChange, mayLeaveChange { mayChange = false }
                let place = chain.action ?? 0
                chain.pass(deed)
                if isLater {
                    wait(for: due, action: place, action.after)
                } else if case .update = deed {
                    let former = scene.reactions
                    perform(deed, of: due)
                    chain.move(from: former, to: scene.reactions)
                } else {
                    perform(deed, of: due)
                }
            }
            if let due = chain.excess { return stop(at: due, .pending) }
            if reacting.pending.isEmpty { chain.count(textBytes: showDueTexts()) }
            reacting.givePending(to: &chain)
        } while chain.next != nil
    }

    /// The next action of a reaction whose turn it is; nil: it has no more, it begins to wait, or
    /// its conditions do not hold.
    private mutating func nextAction(
        of due: ReactionState.Due, _ chain: inout ReactionState.Chain
    ) -> Reaction.Action? {
        let reaction = scene.reactions[due.reaction]
        if let place = due.action {
            // One action that has waited by itself.
            guard chain.action == nil else { return nil }
            chain.action = place
            return reaction.actions[place]
        }
        if chain.action == nil {
            guard due.hasWaited || holds(reaction.conditions) else { return nil }
            if reaction.after > 0, !due.hasWaited {
                chain.countWait()
                if chain.count <= Limits.reactionChainMax {
                    wait(for: due, action: nil, reaction.after)
                }
                return nil
            }
            chain.action = 0
        }
        let place = chain.action ?? 0
        return place < reaction.actions.count ? reaction.actions[place] : nil
    }

    private mutating func wait(for due: ReactionState.Due, action: Int?, _ seconds: Double) {
        let wait = ReactionState.Wait(
            reaction: due.reaction, due: motion.after(seconds: seconds), facts: due.facts,
            action: action)
        guard reacting.dataBytes(with: wait) <= Limits.reactionWaitDataBytesMax else {
            reacting.refusedCount += 1
            let bound = "\(Limits.reactionWaitDataBytesMax) bytes of data in actions that wait"
            return report(Rejection(.reactionLimit, "more than \(bound)"), of: due, action ?? 0)
        }
        reacting.wait(wait)
        dirtyParts.insert(.own)
    }

    private mutating func perform(_ deed: Reaction.Deed, of due: ReactionState.Due) {
        do throws(Rejection) {
            switch deed {
            case .command(let order):
                try order.check(due.facts)
                if let values = order.values(due.facts) {
                    try apply(.revise(.set(values)))
                } else {
                    try give(order.command(due.facts), to: order.component, of: due.reaction)
                }
            case .assign(let assignment): try assign(assignment, due.facts)
            case .cancel(let name):
                reacting.cancel(name, in: scene)
                dirtyParts.insert(.own)
            case .resize(let revision): try apply(.revise(revision))
            case .update(let name): try apply(.update(.named(name)))
            }
        } catch {
            reacting.refusedCount += 1
            report(error, of: due, deed)
        }
    }

    /// Gives a reaction's command to its component. It merges with what it repeats: where it would
    /// change nothing, or where the component is busy with the same command of this reaction. Many
    /// notifications in a second are one reason to show a screen.
    private mutating func give(
        _ command: ComponentCommand, to component: String, of reaction: Int
    ) throws(Rejection) {
        guard component != Self.badgesComponent else { return try apply(command, to: component) }
        let index = try self.index(of: component)
        if machines[index].repeats(command) { return }
        do throws(Rejection) {
            try apply(command, to: component)
        } catch {
            guard error.code == .busy, reacting.isUnderWay(command, of: reaction, on: index)
            else { throw error }
            return
        }
        // A scene may have become another one, whose components begin at rest.
        if moving & 1 << UInt32(index) != 0 { reacting.begin(command, of: reaction, on: index) }
    }

    // MARK: Reports

    /// Too much follows from one event: the rest of it does not happen.
    private mutating func stop(at due: ReactionState.Due, _ bound: ReactionState.ChainBound) {
        showDueTexts()
        reacting.dropPending()
        reacting.stoppedCount += 1
        let rejection = Rejection(
            .reactionLimit, "more than \(bound.description) for one event or step")
        report(rejection, of: due, due.action ?? 0)
    }

    private mutating func report(
        _ rejection: Rejection, of due: ReactionState.Due, _ action: Int
    ) {
        report(rejection, of: due, scene.reactions[due.reaction].actions[action].deed)
    }

    /// Tells of an action that was not performed, within the bound of the session's reports.
    private mutating func report(
        _ rejection: Rejection, of due: ReactionState.Due, _ deed: Reaction.Deed
    ) {
        guard mayReport() else { return }
        let (topic, command) = told(deed, due.facts)
        var report = RejectionReport(rejection, topic: topic, excerpt: "")
        report.reaction = RejectionReport.Reaction(
            index: due.reaction,
            command: Node(
                .object([Node.Member("command", Node(.string(command.name)))] + command.arguments)))
        self.report(report)
    }

    /// An action as the event that would do the same.
    private func told(_ deed: Reaction.Deed, _ facts: Facts) -> (String, ComponentCommand) {
        switch deed {
        case .command(let order):
            return ("command/\(id)/\(order.component)", order.command(facts))
        case .assign(let assignment):
            let name = scene.variables[assignment.variable].name
            let (key, value) = assignment.told(facts)
            return (
                "command/\(id)",
                ComponentCommand(
                    "assign", [.init(key, Node(.object([Node.Member(name, value)])))])
            )
        case .cancel(let name):
            return ("command/\(id)", ComponentCommand("cancel", [.init("id", Node(.string(name)))]))
        case .resize: return ("command/\(id)", ComponentCommand("resize"))
        case .update(let name):
            return (
                "command/\(id)",
                ComponentCommand("update", [.init("scene", Node(.string(name)))])
            )
        }
    }
}

extension ReactionState {
    /// Something that one event may not lead to more of.
    enum ChainBound {
        case actions
        case pending
        case changes(Int)
        case values
        case texts

        var description: String {
            switch self {
            case .actions: "\(Limits.reactionChainMax) reactions"
            case .pending: "\(Limits.reactionsPendingMax) reactions to look at"
            case .changes(let count): "\(count) times set"
            case .values: "\(Limits.reactionValuesMax) values in commands"
            case .texts: "\(Limits.shownTextsBytesMax) bytes of texts that change"
            }
        }
    }
}

extension ReactionState.Chain {
    /// The bound that an action would exceed; nil: none.
    fileprivate func bound(
        of action: Reaction.Action, isLater: Bool, _ changesMax: Int
    ) -> ReactionState.ChainBound? {
        let values = isLater ? 0 : action.deed.valueCount
        guard count < Limits.reactionChainMax else { return .actions }
        guard !action.deed.isChange || changeCount < changesMax else {
            return .changes(changesMax)
        }
        guard valueCount + values <= Limits.reactionValuesMax || valueCount == 0 else {
            return .values
        }
        return textBytes <= Limits.shownTextsBytesMax ? nil : .texts
    }
}
