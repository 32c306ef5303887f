package import Notation

/// The figures of the daemon's `stats` as metrics, with base units: seconds and bytes.
package enum DaemonFigures {
    /// A figure that is a metric of its own.
    struct Figure {
        var name: String
        var metric: String
        var kind: MetricsText.Kind
        var help: String
        /// The figure is divided by it.
        var scale = 1.0

        init(counter name: String, _ help: String) {
            self.init(name, "gestured_\(name)_total", .counter, help)
        }

        init(gauge name: String, _ help: String) {
            self.init(name, "gestured_\(name)", .gauge, help)
        }

        init(
            _ name: String, _ metric: String, _ kind: MetricsText.Kind, _ help: String,
            scale: Double = 1
        ) {
            (self.name, self.metric, self.kind) = (name, metric, kind)
            (self.help, self.scale) = (help, scale)
        }
    }

    /// Appends all metrics of a reply's `stats`, and the figures that no table explains as gauges.
    package static func append(_ stats: Node, to text: inout MetricsText) {
        var rest: [String: Double] = [:]
        for member in stats.members ?? [] {
            if let value = member.value.double { rest[member.name] = value }
        }
        for figure in all {
            guard let value = rest.removeValue(forKey: figure.name) else { continue }
            text.add(figure.metric, figure.kind, figure.help, value / figure.scale)
        }
        appendLatency(&rest, to: &text)
        for (name, value) in rest.sorted(by: { $0.key < $1.key }) {
            let (base, scale) = seconds(name)
            let help =
                name.hasPrefix("limit_")
                ? "The bound \(name)." : "The figure \(name) of gestured's stats."
            text.add("gestured_\(base)", .gauge, help, value / scale)
        }
    }

    private static func appendLatency(
        _ rest: inout [String: Double], to text: inout MetricsText
    ) {
        let quantiles = [
            ("0.5", "latency_us_p50"), ("0.99", "latency_us_p99"), ("0.999", "latency_us_p999"),
        ]
        let known = quantiles.compactMap { quantile, name in
            rest.removeValue(forKey: name).map { (quantile, $0) }
        }
        guard !known.isEmpty else { return }
        let name = "gestured_event_latency_seconds"
        text.begin(name, .summary, "Time from reading an event to posting its updates.")
        for (quantile, value) in known {
            text.sample(name, [("quantile", quantile)], value / 1e6)
        }
        guard let longest = rest.removeValue(forKey: "latency_us_max") else { return }
        text.add(
            "gestured_event_latency_max_seconds", .gauge, "The longest such time since the start.",
            longest / 1e6)
    }

    /// A figure's name in base units, and what its value is divided by.
    static func seconds(_ name: String) -> (name: String, scale: Double) {
        for (ending, scale) in [("_us", 1e6), ("_ms", 1e3), ("_s", 1)] where name.hasSuffix(ending)
        {
            return (String(name.dropLast(ending.count)) + "_seconds", scale)
        }
        return (name, 1)
    }

    static let all: [Figure] = [
        Figure("uptime_ms", "gestured_uptime_seconds", .gauge, "Time since the start.", scale: 1e3),
        Figure(counter: "events", "Events read."),
        Figure(counter: "events_pushed", "Events that were pushed."),
        Figure(counter: "events_applied", "Events that took effect."),
        Figure(counter: "events_duplicate", "Events with an id that was applied before."),
        Figure(counter: "events_rejected", "Events refused."),
        Figure(counter: "events_swallowed", "Samples of contacts whose beginning was refused."),
        Figure(counter: "events_unhit", "Gestures under which nothing lay."),
        Figure(counter: "events_paused", "Times that reading paused since a lane had too much."),
        Figure(gauge: "events_pending", "Events that wait in lanes."),
        Figure(counter: "rejections_untold", "Refusals that were not published."),
        Figure(counter: "updates", "Updates sent."),
        Figure(counter: "states", "States of components sent."),
        Figure(counter: "frames", "Frames of motion that showed something new."),
        Figure(counter: "frames_late", "Frames sent more than a step late."),
        Figure(counter: "frames_skipped", "Frames skipped because too much waited to be sent."),
        Figure(counter: "frames_still", "Frames without anything new."),
        Figure(counter: "looks_late", "Looks at moving sessions that came over 67 ms late."),
        Figure(
            counter: "transitions_skipped",
            "Transitions left out because subscribers ask for more than can be sent."),
        Figure(counter: "steps_jumped", "Steps of 1/120 s jumped over after a stall."),
        Figure(gauge: "sessions", "Sessions in memory."),
        Figure(gauge: "sessions_moving", "Sessions that move."),
        Figure(counter: "sessions_opened", "Sessions opened, with restored ones."),
        Figure(counter: "sessions_closed", "Sessions closed by a peer."),
        Figure(counter: "sessions_parked", "Sessions evicted from memory to the store."),
        Figure(counter: "sessions_restored", "Sessions restored from the store."),
        Figure(counter: "sessions_changed", "Changes of the scenes of open sessions."),
        Figure(counter: "sessions_expired", "Sessions removed because nobody used them."),
        Figure(counter: "sessions_throttled", "Times that a session was moved to spare time."),
        Figure(counter: "worlds_put_to_rest", "Worlds that did not come to rest by themselves."),
        Figure(counter: "worlds_unread", "Stored worlds that could not be read."),
        Figure(counter: "reactions_refused", "Commands of reactions that were refused."),
        Figure(counter: "reactions_stopped", "Events that too many reactions followed from."),
        Figure(counter: "store_commits", "Commits done."),
        Figure(counter: "store_commits_failed", "Commits that failed."),
        Figure(
            "store_commit_us", "gestured_store_commit_seconds_total", .counter,
            "Time spent in commits.", scale: 1e6),
        Figure(counter: "requests", "Requests on the control socket."),
        Figure(gauge: "requests_unanswered", "Requests that wait for an answer."),
        Figure(
            counter: "requests_dropped",
            "Requests of more than 4 KiB that were answered busy unread, since too many came."),
        Figure(counter: "replies_unroutable", "Answers to peers that have gone."),
        Figure(counter: "replies_dropped", "Answers without room."),
        Figure(
            counter: "replies_paced", "Large answers to encrypted connections that had to wait."),
        Figure(gauge: "reply_bytes", "Bytes of replies that wait for their peers."),
        Figure(counter: "peers_cut", "Connections that the daemon cut."),
        Figure(
            counter: "handshakes_refused",
            "Connections that were not let in, for their key or for what their host sent."),
        Figure(
            counter: "unauthorized", "Events, requests and subscriptions outside of a grant."),
        Figure(counter: "clock_jumps", "Times that the wall clock jumped."),
        Figure(
            "clock_wrong_s", "gestured_clock_wrong_seconds", .gauge,
            "By how much the wall clock is ahead while it is not believed."),
        Figure(gauge: "subscriptions", "Different subscriptions in force."),
        Figure(gauge: "subscription_bytes", "Bytes of all subscriptions."),
        Figure(gauge: "outbox_bytes", "Bytes that wait to be sent."),
        Figure(gauge: "large_update_bytes", "Bytes of large updates that wait."),
        Figure(gauge: "small_update_bytes", "About the bytes of small updates that wait."),
        Figure(gauge: "scene_bytes", "Bytes of scenes that sessions brought along."),
        Figure(counter: "log_lines_dropped", "Lines of the log without room."),
        Figure(gauge: "lanes", "Serial queues that share the sessions."),
        Figure(counter: "lookups", "Sessions asked for across a network."),
        Figure(
            "lookup_us", "gestured_lookup_seconds_total", .counter,
            "Time that lanes waited for such sessions.", scale: 1e6),
        Figure(gauge: "members", "Members of the cluster."),
        Figure(gauge: "shards", "Shards of the cluster."),
        Figure(gauge: "leased", "Whether this member has a lease."),
        Figure(gauge: "shards_owned", "Shards of the cluster that this member owns."),
        Figure(counter: "shards_claimed", "Shards taken that nobody owned."),
        Figure(counter: "shards_handed_over", "Shards given to other members."),
        Figure(counter: "shards_lost", "Shards taken away from this member."),
        Figure(counter: "leases_late", "Renewals that came after the lease had ended."),
        Figure(counter: "store_lost", "Times that another member ended this one."),
        Figure(
            counter: "store_reconnects", "Times that the connections were made anew."),
        Figure(counter: "store_unknown", "Commits of unknown outcome."),
        Figure(counter: "events_elsewhere", "Events for sessions of other members."),
        Figure(
            counter: "requests_moved", "Requests answered with the owner of their session."),
    ]
}
