import Geometry
package import Interactions
import Notation

/// Reactions are performed after the effects of an event or a step, in the order of the scene; then
/// the reactions to what they caused, and so on, up to `Limits.reactionChainMax` in all.
extension Session {
    /// The commands of the session's counts.
    package static let badgesReports = KindReports(
        transitions: [], phases: [], commands: [CommandReport("clear").taking("kind", .name)])

    /// Whether its scene has reactions, so that a short event may lead to much.
    package var hasReactions: Bool { !scene.reactions.isEmpty }

    /// Whether reactions of its scene may change the scene.
    package var changesItself: Bool { reacting.setsKeys }

    /// Whether reactions of its scene may change the scene, and each change takes long.
    package var areChangesLong: Bool { reacting.areChangesLong }

    /// Whether the next change may be left.
    var mayLeaveChange: Bool { leavesChanges && reacting.areChangesLong }

    /// Whether a reaction that changes the scene is left, with all that comes behind it. Until
    /// ``makeChange()`` has made the last one, the session takes no event and makes no step.
    package var hasChangeLeft: Bool { reacting.left != nil }

    /// Makes the change that is left, and performs what follows up to the next change.
    package mutating func makeChange() {
        guard let chain = reacting.left else { preconditionFailure("no change is left") }
        reacting.left = nil
        perform(chain, mayChange: true)
        if reacting.left == nil { reacting.isInStep = false }
    }

    /// Performs the reactions to what has happened.
    mutating func react() {
        guard !reacting.pending.isEmpty else { return }
        precondition(reacting.left == nil, "changes are left of what happened before")
        perform(ReactionState.Chain(), mayChange: !mayLeaveChange)
    }

    /// A step was made: performs the reactions to it, and those that have waited until it.
    mutating func reactInStep() {
        reacting.endWaits(at: motion)
        guard !reacting.pending.isEmpty else { return }
        reacting.isInStep = true
        react()
        if reacting.left == nil { reacting.isInStep = false }
    }

    /// Performs a chain to its end, or until a change is to be left. `mayChange`: the next change
    /// is to be made.
    private mutating func perform(_ chain: ReactionState.Chain, mayChange: Bool) {
        var (chain, mayChange) = (chain, mayChange)
        repeat {
            while let due = chain.next {
                let reaction = scene.reactions[due.reaction]
                let isSet = reaction.deed.isSet
                let isChange = isSet && (reaction.after == 0 || due.hasWaited)
                guard chain.count < Limits.reactionChainMax else {
                    return stop(at: due, "\(Limits.reactionChainMax) reactions")
                }
                guard !isSet || chain.setCount < Limits.reactionSetsMax else {
                    return stop(at: due, "\(Limits.reactionSetsMax) times set")
                }
                if isChange, !mayChange {
                    reacting.left = chain
                    return
                }
                if isChange, mayLeaveChange { mayChange = false }
                chain.pass(isSet: isSet)
                perform(due)
            }
            chain.take(reacting.takePending())
        } while chain.next != nil
    }

    private mutating func perform(_ due: ReactionState.Due) {
        let reaction = scene.reactions[due.reaction]
        if reaction.after > 0, !due.hasWaited {
            reacting.wait(
                ReactionState.Wait(
                    reaction: due.reaction, due: motion.after(seconds: reaction.after),
                    facts: due.facts))
            return
        }
        do throws(Rejection) {
            if let values = reaction.deed.values(due.facts) {
                try apply(.revise(.set(values)))
            } else {
                try give(
                    reaction.deed.command(due.facts), to: reaction.deed.component,
                    of: due.reaction)
            }
        } catch {
            reacting.refusedCount += 1
            report(error, of: due)
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

    /// Too much follows from one event: the rest of it does not happen.
    private mutating func stop(at due: ReactionState.Due, _ bound: String) {
        reacting.dropPending()
        reacting.stoppedCount += 1
        report(Rejection(.reactionLimit, "more than \(bound) for one event or step"), of: due)
    }

    /// Tells of a reaction that was not performed, within the bound of the session's reports.
    private mutating func report(_ rejection: Rejection, of due: ReactionState.Due) {
        guard mayReport() else { return }
        let deed = scene.reactions[due.reaction].deed
        let command = deed.command(due.facts)
        var report = RejectionReport(
            rejection, topic: "command/\(id)/\(deed.component)", excerpt: "")
        report.reaction = RejectionReport.Reaction(
            index: due.reaction,
            command: Node(
                .object([Node.Member("command", Node(.string(command.name)))] + command.arguments)))
        self.report(report)
    }
}
