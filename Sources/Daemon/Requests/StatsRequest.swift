import Interactions
import Membership
import Notation
import Protocol
import Synchronization
import ZeroMQ

/// `stats`: what the daemon has counted, how long events took, and its bounds.
struct StatsRequest: ReactorRequest {
    static let operation = "stats"

    var right: RequestRight { .administration }

    init(_ fields: RequestFields) {}

    func reply(from reactor: Reactor, into buffer: inout ByteBuffer) {
        let settings = reactor.operations.settings
        reactor.work.cluster?.driver.count(into: reactor.counters)
        var values = Counters.Name.allCases.map {
            (name: $0.text, value: reactor.counters.get($0))
        }
        let uptime = (Clock.monotonic() - settings.grid.origin) / 1_000_000
        values.append(("uptime_ms", uptime))
        values.append(("subscriptions", reactor.subscriptions.holders.count))
        values.append(("subscription_bytes", reactor.subscriptions.holders.bytes))
        values.append(("reply_bytes", reactor.unanswered.replies.bytes))
        values.append(("requests_unanswered", reactor.unanswered.count))
        values.append(("outbox_bytes", reactor.outbox.bytes))
        values.append(("large_update_bytes", reactor.outbox.largeUpdates.count))
        values.append(("small_update_bytes", reactor.outbox.smallUpdates.count))
        values.append(("scene_bytes", settings.shelf.bytes))
        values.append(("log_lines_dropped", reactor.operations.log.dropped))
        let wrong = reactor.storeWriter?.wallClock.secondsWrong() ?? 0
        values.append(("clock_wrong_s", wrong))
        values.append(("lanes", reactor.lanes.count))
        let map = reactor.clusterMap(for: -1)
        values.append(("members", map.members.count))
        values.append(("shards", map.owners.count))
        values.append(("shards_owned", map.shardCount(of: map.member)))
        values.append(("leased", reactor.work.cluster?.driver.isLeased == false ? 0 : 1))
        var latencies = Histogram()
        var pending = 0
        for lane in reactor.lanes {
            lane.load.latencies.withLock { latencies.merge($0) }
            pending += lane.load.pendingEvents.load(ordering: .relaxed)
        }
        values.append(("events_pending", pending))
        for (name, share) in [("p50", 0.5), ("p99", 0.99), ("p999", 0.999)] {
            values.append(("latency_us_\(name)", latencies.quantile(share) / 1_000))
        }
        values.append(("latency_us_max", latencies.max / 1_000))
        buffer.key("stats")
        buffer.json(values + Limits.published(sessionsMax: settings.sessionsMax))
        buffer.key("clients")
        reactor.clients.write(into: &buffer)
    }
}
