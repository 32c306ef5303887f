/// Decides for each update whether it is new, known, or shows that others were missed.
///
/// It receives nothing and asks nothing; the subscriber does as it says.
package struct UpdateFilter: Sendable {
    private struct Seen: Sendable {
        var epoch: String
        var sequence: Int
        var time: Double
    }

    /// The last update shown, by topic. What belongs to a session that ended is forgotten, so
    /// this is as large as what is watched and open.
    private var seen: [String: Seen] = [:]
    /// The epoch before the present one, by topic: what is still on its way from there is late.
    private var former: [String: String] = [:]

    package enum Verdict: Equatable, Sendable {
        /// It is the next one, or the first that is known of its topic.
        case apply
        /// It was shown already, or something newer was.
        case stale
        /// So many updates of its topic were missed before it.
        case gap(missed: Int)
        /// Its daemon or session began anew since the last one shown.
        case restarted(from: String)
    }

    package init() {}

    /// Judges an update that was received; only one to apply counts as shown.
    package mutating func judge(_ update: ReceivedUpdate) -> Verdict {
        guard let last = seen[update.topic] else {
            show(update)
            return .apply
        }
        if update.epoch == last.epoch {
            if update.sequence <= last.sequence { return .stale }
            if update.sequence > last.sequence + 1 {
                return .gap(missed: update.sequence - last.sequence - 1)
            }
            show(update)
            return .apply
        }
        let isLate =
            former[update.topic] == update.epoch
            || Self.isEarlier(update.epoch, than: last.epoch)
        return isLate ? .stale : .restarted(from: last.epoch)
    }

    /// Whether an update of a snapshot shows more than is known; if so it counts as shown.
    package mutating func takeSnapshot(_ update: ReceivedUpdate) -> Bool {
        if let last = seen[update.topic], last.epoch == update.epoch,
            update.sequence < last.sequence || update.time <= last.time
        {
            return false
        }
        show(update)
        return true
    }

    /// Counts an update as shown, whatever came before it.
    package mutating func show(_ update: ReceivedUpdate) {
        if let last = seen[update.topic], last.epoch != update.epoch {
            former[update.topic] = last.epoch
        }
        seen[update.topic] = Seen(
            epoch: update.epoch, sequence: update.sequence, time: update.time)
    }

    /// Forgets a session that ended: its next life is no restart.
    package mutating func forget(session: String) {
        let suffixes = ["/\(session)", "/\(session)/"]
        func isOfSession(_ topic: String) -> Bool {
            guard let slash = topic.firstIndex(of: "/") else { return false }
            let rest = topic[slash...]
            return rest == suffixes[0] || rest.hasPrefix(suffixes[1])
        }
        seen = seen.filter { !isOfSession($0.key) }
        former = former.filter { !isOfSession($0.key) }
    }

    /// The same daemon's epochs of one session are numbered as they follow each other.
    private static func isEarlier(_ epoch: String, than other: String) -> Bool {
        func parts(_ epoch: String) -> (daemon: Substring, number: Int)? {
            guard let dot = epoch.lastIndex(of: "."),
                let number = Int(epoch[epoch.index(after: dot)...])
            else { return nil }
            return (epoch[..<dot], number)
        }
        guard let a = parts(epoch), let b = parts(other), a.daemon == b.daemon else {
            return false
        }
        return a.number < b.number
    }
}

/// The life of the daemon that an epoch of one of its sessions belongs to.
func daemonEpoch(ofSession epoch: String) -> Substring {
    epoch.lastIndex(of: ".").map { epoch[..<$0] } ?? epoch[...]
}
