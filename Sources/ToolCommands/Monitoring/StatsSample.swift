import Commands
import GesturedClient
import Notation

/// The daemon's counters at one instant.
///
/// The commands of this folder look at a running daemon: `stats` and `sessions` print what it says,
/// `top` refreshes it, `check` compares it with thresholds for a monitor, and `bench` measures the
/// daemon with sessions of its own.
struct StatsSample: Sendable {
    let stats: Node
    /// When it was taken, on this machine's monotonic clock.
    let time: ContinuousClock.Instant
    /// How long the daemon took to answer.
    let answer: Duration

    /// - Parameter control: one for all samples, so that connecting is not measured.
    init(_ control: Control) throws(Failure) {
        let began = ContinuousClock.now
        let reply = try daemon { () throws(ClientError) in try control.request("stats") }
        answer = .now - began
        time = began + answer / 2
        guard let stats = reply["stats"], stats.members != nil else {
            throw .daemon("its reply to stats has no counters")
        }
        self.stats = stats
    }

    /// The largest counter that is shown as it is: the daemon's own are far below.
    static let counterMax = 0x1p53

    /// A counter, from 0 to `counterMax`; 0 where an older daemon does not have it.
    subscript(_ name: String) -> Double {
        min(max(0, stats[name]?.double ?? 0), Self.counterMax)
    }

    /// How much a counter grew since an earlier sample; a daemon that restarted begins at 0.
    func growth(of name: String, since earlier: StatsSample) -> Double {
        let isSame = self["uptime_ms"] >= earlier["uptime_ms"]
        return max(0, self[name] - (isSame ? earlier[name] : 0))
    }

    /// The same in a second.
    func rate(of name: String, since earlier: StatsSample) -> Double {
        let seconds = (time - earlier.time) / .seconds(1)
        return seconds > 0 ? growth(of: name, since: earlier) / seconds : 0
    }
}
