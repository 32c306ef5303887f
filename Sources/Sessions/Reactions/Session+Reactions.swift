import Geometry
package import Interactions
import Notation

/// Reactions are performed after the effects of an event or a step, in the order of the scene; then
/// the reactions to what they caused, and so on, up to `Limits.reactionChainMax` in all.
extension Session {
    /// The commands of the session's counts.
    package static let badgesReports = KindReports(
        transitions: [], phases: [], commands: [CommandReport("clear").taking("kind", .name)])

    /// Performs the reactions to what has happened.
    mutating func react() {
        guard !reacting.pending.isEmpty else { return }
        var (count, sets) = (0, 0)
        while !reacting.pending.isEmpty {
            for due in reacting.takePending() {
                guard count < Limits.reactionChainMax else {
                    return stop(at: due, "\(Limits.reactionChainMax) reactions")
                }
                count += 1
                if scene.reactions[due.reaction].deed.isSet { sets += 1 }
                guard sets <= Limits.reactionSetsMax else {
                    return stop(at: due, "\(Limits.reactionSetsMax) times set")
                }
                perform(due)
            }
        }
    }

    /// A step was made: performs the reactions to it, and those that have waited until it.
    mutating func reactInStep() {
        reacting.endWaits(at: motion)
        guard !reacting.pending.isEmpty else { return }
        reacting.isInStep = true
        react()
        reacting.isInStep = false
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
                try apply(reaction.deed.command(due.facts), to: reaction.deed.component)
            }
        } catch {
            reacting.refusedCount += 1
            report(error, of: due)
        }
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
