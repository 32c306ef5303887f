import Notation
import Web

extension Bridge {
    func answer(_ request: RequestHead, from connection: ConnectionNumber) -> HTTPAnswer? {
        let answer = decide(request, from: connection)
        if let answer { counters.answers[answer.status, default: 0] += 1 }
        return answer
    }

    func refuse(_ flaw: RequestHead.Flaw) -> HTTPAnswer {
        counters.refusedRequests += 1
        counters.answers[flaw.status, default: 0] += 1
        tell("a request (\(flaw.status)): \(flaw.message)")
        var answer = HTTPAnswer.text(flaw.status, flaw.message)
        switch flaw.status {
        case 405: answer.head.append(("allow", "GET"))
        case 426:
            answer.head += [("sec-websocket-version", "13"), ("upgrade", "websocket")]
        default: break
        }
        return answer
    }

    /// Answers a request that had to wait for the daemon.
    func respond(_ answer: HTTPAnswer, to connection: ConnectionNumber) {
        counters.answers[answer.status, default: 0] += 1
        server?.respond(answer, to: connection)
    }

    private func decide(_ request: RequestHead, from connection: ConnectionNumber) -> HTTPAnswer? {
        let host = request.value("host") ?? ""
        guard settings.rule.allows(host: host) else { return refuse(host, request) }
        // It says one word, and a monitor needs no secret for it. A WebSocket there is as any
        // other.
        let isOpen = request.path == "/healthz" && !request.isUpgrade
        if !isOpen, let answer = checkAccess(request) { return answer }
        if request.isUpgrade {
            let origin = request.value("origin") ?? ""
            guard settings.rule.allows(origin: origin, host: host) else {
                return refuse(pageOf: origin, host)
            }
            guard clients.count < Limits.webClientsMax else {
                counters.refusedClients += 1
                let reason = "limit_clients \(Limits.webClientsMax) are connected"
                tell("a WebSocket (503): \(reason)")
                return .text(503, reason)
            }
            return nil
        }
        guard request.method != .other else {
            var answer = HTTPAnswer.text(405, "GET and HEAD only")
            answer.head.append(("allow", "GET, HEAD"))
            return answer
        }
        switch request.path {
        case "/healthz": return health(connection)
        case "/metrics":
            // Those who wait already have asked for this one, too.
            guard
                !metricsAskers.isEmpty
                    || ask(.metrics, until: seconds(2), { Self.question("stats", $0) })
            else { return metrics(from: nil) }
            metricsAskers.append(connection)
            return nil
        default: return files.answer(request)
        }
    }

    /// Refuses a request that calls the bridge by a name which is not its own.
    private func refuse(_ host: String, _ request: RequestHead) -> HTTPAnswer {
        counters.refusedHosts += 1
        let way = Self.way(toName: host, isFromTLS: request.isFromTLS)
        tell("a request (421): it calls \(RefusalLog.shown(host)), no name of mine; \(way)")
        return .text(421, "this is no name of mine; \(way)")
    }

    /// The option that adds a name; `isFromTLS` is nil where the page may have been called by
    /// either scheme.
    private static func way(toName host: String, isFromTLS: Bool?) -> String {
        let scheme = isFromTLS == true ? "https" : "http"
        guard let origin = try? PageOrigin("\(scheme)://\(host)") else {
            return "no option can add it"
        }
        guard isFromTLS == nil, let secure = try? PageOrigin("https://\(host)") else {
            return "--origin \(origin) adds it"
        }
        return "--origin \(origin) adds it, or \(secure) where a proxy speaks TLS"
    }

    /// Refuses a WebSocket of a page that comes from elsewhere. The page itself cannot read the
    /// answer, so the log says what to do.
    private func refuse(pageOf origin: String, _ host: String) -> HTTPAnswer {
        counters.refusedOrigins += 1
        let way = Self.way(toAdmit: origin)
        tell(
            "a WebSocket (403): its page is of \(RefusalLog.shown(origin)), and it calls "
                + "\(RefusalLog.shown(host)); \(way)")
        return .text(403, "this page's origin may not use the bridge; \(way)")
    }

    /// The option that lets pages of an origin in, or why none does.
    private static func way(toAdmit origin: String) -> String {
        do throws(PageOrigin.Flaw) {
            let page = try PageOrigin(origin)
            return "--origin \(page) lets it in"
        } catch {
            return "that \(error.message)"
        }
    }

    /// Writes into the log what was refused, now and then.
    func tell(_ refused: String) {
        let line = refusals.line("refused \(refused)", at: Clock.monotonic())
        if let line { onRefusal?(line) }
    }

    static func question(_ operation: String, _ number: Int) -> [UInt8] {
        Array("{\"id\":\(number),\"op\":\"\(operation)\"}".utf8)
    }

    private var updatesReason: String {
        refusal ?? "is --updates the endpoint that this key may read?"
    }

    /// The fault of a daemon that is there, as where an endpoint is not its own; nil: none.
    var lack: String? {
        guard isDaemonThere else { return nil }
        let patience = Limits.webHeartbeatSeconds * 1_000_000_000
        guard let lastHeartbeat, Clock.monotonic() - lastHeartbeat <= patience else {
            return "the daemon answers, and no update of it comes: \(updatesReason)"
        }
        guard daemons.isHeard else {
            return "the daemon takes no events: is --events its endpoint?"
        }
        return daemons.isAsked ? nil : "the daemon takes no requests: is --control its endpoint?"
    }

    private func health(_ connection: ConnectionNumber) -> HTTPAnswer? {
        guard isDaemonThere else { return .unhealthy("no heartbeat of the daemon comes") }
        if let lack { return .unhealthy(lack) }
        guard
            !healthAskers.isEmpty || ask(.health, until: seconds(1), { Self.question("time", $0) })
        else { return .unhealthy("the control socket is not connected") }
        healthAskers.append(connection)
        return nil
    }

    func tellHealth(_ answer: HTTPAnswer) {
        let askers = healthAskers
        healthAskers = []
        for connection in askers { respond(answer, to: connection) }
    }

    func tellMetrics(from reply: [UInt8]?) {
        let askers = metricsAskers
        metricsAskers = []
        let answer = metrics(from: reply)
        for connection in askers { respond(answer, to: connection) }
    }
}

extension HTTPAnswer {
    static let security: [(name: String, value: String)] = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                + "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'"
        ),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
    ]

    static func text(_ status: Int, _ line: String) -> HTTPAnswer {
        HTTPAnswer(
            status: status,
            head: security + [
                ("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store"),
            ], body: Array("\(line)\n".utf8))
    }

    static let healthy = text(200, "ok")

    static func unhealthy(_ reason: String) -> HTTPAnswer { text(503, reason) }
}
