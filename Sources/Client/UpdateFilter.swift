/// Decides for each update whether it is new, already known, or shows that others were missed.
///
/// It performs nothing: the subscriber acts on its verdicts.
package struct UpdateFilter: Sendable {
    private struct Seen: Sendable {
        var epoch: String
        var sequence: Int
        var time: Double
        /// It came in a snapshot: a frame there has all states, one that was published not.
        var isWhole = false
    }

    /// The last update shown, by session and topic; those of the daemon under an empty name. It
    /// forgets sessions that ended, so it is as large as the number of watched topics of open ones.
    private var seen: [String: [String: Seen]] = [:]
    /// The newest epoch of each session, and of the daemon under an empty name.
    private var lives: [String: String] = [:]
    /// The last epochs of a cluster's sessions that ended: updates may still come late.
    private var ended: [String: String] = [:]
    /// Ended sessions that are remembered; then all are forgotten: nothing is late for long.
    private static let endedMax = 10_000
    /// Runs of the daemon before the newest one, the latest last: updates that still arrive from
    /// them are late.
    private var formerRuns: [String] = []
    /// Runs that are remembered: nothing is late for longer than a daemon takes to start.
    private static let formerRunsMax = 16
    /// Daemon-wide updates come from several members of a cluster, and tell no run of it.
    package var isOfCluster = false

    package enum Verdict: Equatable, Sendable {
        /// It is the next one, or the first of its topic.
        case apply
        /// It, or a newer one, was shown already.
        case stale
        /// This number of updates of its topic were missed before it.
        case gap(missed: Int)
        /// Its daemon or session restarted since the last one shown.
        case restarted(from: String)
    }

    package init() {}

    /// Judges a received update, and counts it as shown if the verdict is `apply`.
    package mutating func judge(_ update: ReceivedUpdate) -> Verdict {
        guard let session = update.session else {
            return isOfCluster ? .apply : judge(update, of: "")
        }
        if let last = ended[session], SessionEpoch.isLate(update.epoch, than: last) {
            return .stale
        }
        return judge(update, of: session)
    }

    private mutating func judge(_ update: ReceivedUpdate, of session: String) -> Verdict {
        if let life = lives[session], life != update.epoch {
            return isOlder(update.epoch, than: life) ? .stale : .restarted(from: life)
        }
        if let last = seen[session]?[update.topic], last.epoch == update.epoch {
            if update.sequence <= last.sequence { return .stale }
            if update.sequence > last.sequence + 1 {
                return .gap(missed: update.sequence - last.sequence - 1)
            }
        }
        show(update)
        return .apply
    }

    /// Judges an update of a snapshot: returns true, and counts it as shown, if it is newer than
    /// the last one shown.
    package mutating func takeSnapshot(_ update: ReceivedUpdate) -> Bool {
        let session = update.session ?? ""
        if let life = lives[session], life != update.epoch,
            isOlder(update.epoch, than: life)
        {
            return false
        }
        if let last = seen[session]?[update.topic], last.epoch == update.epoch {
            if update.sequence < last.sequence || update.time < last.time { return false }
            let isMore = update.topic.hasPrefix("frame/") && !last.isWhole
            if update.time == last.time && !isMore { return false }
        }
        show(update)
        seen[session]?[update.topic]?.isWhole = true
        return true
    }

    /// Counts an update as shown without judging it.
    package mutating func show(_ update: ReceivedUpdate) {
        begin(update.epoch, of: update.session)
        seen[update.session ?? "", default: [:]][update.topic] = Seen(
            epoch: update.epoch, sequence: update.sequence, time: update.time)
    }

    /// Notes the newest epoch of a session; nil: of the daemon. One of a former run is none.
    package mutating func begin(_ epoch: String, of session: String?) {
        if formerRuns.contains(String(daemonEpoch(ofSession: epoch))) { return }
        guard let life = lives.updateValue(epoch, forKey: session ?? "") else { return }
        let former = String(daemonEpoch(ofSession: life))
        if former == daemonEpoch(ofSession: epoch) || formerRuns.contains(former) { return }
        formerRuns.append(former)
        if formerRuns.count > Self.formerRunsMax { formerRuns.removeFirst() }
    }

    /// Forgets a session that ended, so that its next opening is not taken for a restart.
    package mutating func forget(session: String) {
        seen[session] = nil
        guard let life = lives.removeValue(forKey: session), SessionEpoch.isShared(life)
        else { return }
        if ended.count >= Self.endedMax { ended = [:] }
        ended[session] = life
    }

    /// Whether an update is of the daemon's newest run, as far as any is known.
    package func isOfNewestRun(_ update: ReceivedUpdate) -> Bool {
        if isOfCluster || SessionEpoch.isShared(update.epoch) { return true }
        guard let run = lives[""] else { return true }
        return daemonEpoch(ofSession: update.epoch) == daemonEpoch(ofSession: run)
    }

    private func isOlder(_ epoch: String, than life: String) -> Bool {
        formerRuns.contains(String(daemonEpoch(ofSession: epoch)))
            || SessionEpoch.isLate(epoch, than: life)
    }
}

/// The daemon's part of a session's epoch.
func daemonEpoch(ofSession epoch: String) -> Substring {
    epoch.lastIndex(of: ".").map { epoch[..<$0] } ?? epoch[...]
}
