import CSystem
import Manual
import Notation
import Protocol
import Web

extension Bridge {
    /// The page of `/metrics`, with the daemon's figures if it has answered.
    func metrics(from reply: [UInt8]?) -> HTTPAnswer {
        var text = MetricsText()
        let stats = reply.flatMap { try? Document.json($0) }?["stats"]
        text.add(
            "gestured_up", .gauge, "Whether gestured answers.", stats?.members == nil ? 0 : 1)
        // Before a cluster another member may answer the next time: its counters are others.
        if let stats, !daemons.isCluster { DaemonFigures.append(stats, to: &text) }
        appendOwn(to: &text)
        appendProcess(to: &text)
        var answer = HTTPAnswer.text(200, "")
        answer.head =
            HTTPAnswer.security + [
                ("content-type", "text/plain; version=0.0.4; charset=utf-8"),
                ("cache-control", "no-store"),
            ]
        answer.body = text.bytes
        return answer
    }

    private func appendOwn(to text: inout MetricsText) {
        var sums = counters
        for client in clients.values { sums.count(client.queue) }
        sums.gathered = inbox.gatheredCount
        sums.dropped = inbox.droppedCount
        func name(_ name: String) -> String { "gesture_web_\(name)" }
        text.begin(name("info"), .gauge, "The version of gesture-web.")
        text.sample(name("info"), [("version", Version.text)], 1)
        for (figure, help, value) in [
            ("daemon_up", "Whether heartbeats of gestured come.", isDaemonThere ? 1 : 0),
            ("clients", "WebSockets that are open.", clients.count),
            ("connections", "Connections that are open.", server?.connectionCount ?? 0),
            ("subscriptions", "Different prefixes that clients subscribe to.", index.count - 1),
            (
                "subscriptions_waiting", "Prefixes of clients that wait for their turn.",
                subscriptionTurns.count
            ),
            ("sessions_bound", "Sessions that live as long as a client.", bound.count),
            ("requests_pending", "Requests that wait for gestured.", pending.count),
            (
                "requests_waiting", "Requests of clients that wait for their turn.",
                turns.waitingCount
            ),
            (
                "queue_bytes", "Bytes that wait for clients.",
                clients.values.reduce(0) { $0 + $1.queue.byteCount }
            ),
            (
                "held_bytes", "Bytes that wait for clients or arrive from them, as bounded.",
                queueSum.total
            ),
            ("inbox_bytes", "Bytes of updates that no client has been given.", inbox.byteCount),
        ] {
            text.add(name(figure), .gauge, help, Double(value))
        }
        for (figure, help, value) in sums.plain {
            text.add(name("\(figure)_total"), .counter, help, Double(value))
        }
        for (figure, label, help, values) in sums.labelled {
            text.begin(name("\(figure)_total"), .counter, help)
            for (key, value) in values {
                text.sample(name("\(figure)_total"), [(label, key)], Double(value))
            }
        }
        for limit in WebLimits.published {
            text.add(name(limit.name), .gauge, "The bound \(limit.name).", Double(limit.value))
        }
    }

    /// The figures that every program has under the same names.
    private func appendProcess(to text: inout MetricsText) {
        text.add(
            "process_cpu_seconds_total", .counter, "Processor time of gesture-web.",
            Clock.processor())
        text.add(
            "process_resident_memory_bytes", .gauge, "Resident memory of gesture-web.",
            Double(gs_memory_resident()))
        text.add(
            "process_start_time_seconds", .gauge, "Start of gesture-web since the Unix epoch.",
            startTime)
    }
}

extension WebCounters {
    /// Names without their ending, helps and values.
    fileprivate var plain: [(String, String, Int)] {
        [
            ("clients_opened", "WebSockets opened.", opened),
            ("messages_received", "Messages of clients.", received),
            ("received_bytes", "Bytes of clients' messages, inflated.", receivedBytes),
            ("messages_sent", "Messages to clients.", sent),
            ("sent_bytes", "Bytes of messages to clients, before they are deflated.", sentBytes),
            ("events_published", "Events passed to gestured.", published),
            ("requests", "Requests passed to gestured.", requests),
            ("requests_unanswered", "Requests that gestured did not answer in time.", unanswered),
            ("sessions_closed", "Sessions closed because their client had gone.", sessionsClosed),
            ("updates", "Updates of gestured.", updates),
            ("updates_gathered", "Updates made one with an older one that waited.", gathered),
            ("updates_dropped", "Updates of sessions for which too many waited.", dropped),
            ("updates_replaced", "Updates that a newer one of their topic replaced.", replaced),
            ("frames_merged", "Frames that a newer one of their session took in.", merged),
        ]
    }

    /// Names without their ending, labels, helps and values by the label's value.
    fileprivate var labelled: [(String, String, String, [(String, Int)])] {
        [
            (
                "clients_closed", "reason", "WebSockets closed by gesture-web.",
                [
                    ("slow", closedSlow), ("faults", closedFaults), ("broken", closedBroken),
                    ("room", closedRoom),
                ]
            ),
            (
                "refused", "what", "Connections and WebSockets refused.",
                [
                    ("connection", refusedConnections), ("client", refusedClients),
                    ("origin", refusedOrigins), ("host", refusedHosts),
                    ("request", refusedRequests), ("token", refusedTokens),
                ]
            ),
            (
                "connections_cut", "reason", "Connections without a WebSocket that were cut.",
                CutReason.allCases.map { ($0.rawValue, cut[$0] ?? 0) }
            ),
            (
                "messages_refused", "code", "Messages of clients that were refused.",
                refused.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            ),
            (
                "http_responses", "status", "Answers to HTTP requests.",
                answers.sorted { $0.key < $1.key }.map { (String($0.key), $0.value) }
            ),
        ]
    }
}
