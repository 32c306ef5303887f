import Commands
import GesturedClient
import Manual
import Notation

extension Command {
    static let bench = Command(
        name: "bench", arguments: "", summary: "Measure a running daemon",
        details: """
            Opens sessions of its own, measures for some seconds, and closes them, also when it is
            interrupted, or the daemon restarts; where none answers, it names those that are left.
            Other sessions go on; they share the daemon with at most --window events
            that are under way. It measures, as this process sees it:

            alone: the time from sending a scroll to its state, one at a time, --rate a second;

            loaded: the same, and how many a second, with --window events under way;

            stored: the time of a notification until the daemon says that it is on the disk, one
            at a time.

            The figures hold for this machine, now, with all that runs on it, and for one client:
            where gesturectl itself uses most of a core, the daemon could do more.
            """,
        options: [
            Option("--for", "SECONDS", "measure for so long in all, 1 to 600 (default 5)"),
            Option("--sessions", "N", "sessions of its own, 1 to 1000 (default 64)"),
            Option("--rate", "N", "events a second that come alone (default 500)"),
            Option("--window", "N", "events under way at most, 1 to 4096 (default 64)"),
            Option("--json", nil, "print the figures as one JSON object"),
        ],
        examples: [
            ("gesturectl bench", "measure the daemon for five seconds"),
            ("gesturectl bench --for 1 --json", "measure for a second, for a program"),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals([])
        guard context.connection.endpoints.seeds.isEmpty else {
            throw .usage("bench measures one daemon: give one endpoint by --control")
        }
        let settings = try BenchSettings(context.arguments)
        let before = try StatsSample(try context.control())
        let hello = try context.request("hello")
        let signals = InterruptSignals(InterruptSignals.ends)
        let peer = try BenchPeer(context, sessions: settings.sessions)
        defer { signals.unblock() }
        let bench = Bench(
            peer, window: settings.window,
            timeout: .milliseconds(context.connection.timeoutMilliseconds), signals)
        let report: BenchReport
        do throws(Failure) {
            let alone = try bench.measureAlone(rate: settings.rate, for: settings.span / 4)
            let load = try bench.measureLoad(for: settings.span / 2)
            let stored = try bench.measureAcknowledged(for: settings.span / 4)
            report = BenchReport(alone: alone, load: load, stored: stored)
        } catch {
            peer.close()
            throw error
        }
        peer.close()
        if context.arguments.has("--json") {
            try Console.printJSON(report.json(settings, hello, before))
        } else {
            let place = context.connection.endpoints.eventsTaker
            for line in report.lines(settings, hello, before, place) {
                try Console.printLine(line)
            }
        }
    }
}

private struct BenchSettings {
    let span: Duration
    let sessions: Int
    let rate: Double
    let window: Int

    init(_ arguments: Arguments) throws(Failure) {
        let seconds = try arguments.number("--for", in: 1...600) ?? 5
        span = .milliseconds(Int(seconds * 1_000))
        sessions = try arguments.whole("--sessions", in: 1...1_000) ?? 64
        rate = try arguments.number("--rate", in: 1...100_000) ?? 500
        window = try arguments.whole("--window", in: 1...4_096) ?? 64
    }
}

private struct BenchReport {
    var alone: Bench.Latencies
    var load: Bench.Load
    var stored: Bench.Latencies

    private var eventsPerSecond: Double { Double(load.events) / load.seconds }

    private func rows() -> [(name: String, key: String, latencies: Bench.Latencies)] {
        [
            ("alone: event to state", "alone", alone),
            ("loaded: event to state", "loaded", load.latencies),
            ("stored: acknowledged publish", "stored", stored),
        ]
    }

    func lines(
        _ settings: BenchSettings, _ hello: Node, _ before: StatsSample, _ endpoint: String
    ) -> [ShownText] {
        let style = Style.output
        let version = hello["version"]?.string ?? "?"
        func cell(_ text: String) -> String {
            String(repeating: " ", count: max(1, 10 - text.count)) + text
        }
        let head = ["count", "p50 ms", "p90 ms", "p99 ms", "max ms"].map(cell).joined()
        var lines: [ShownText] = [
            "gestured \(version) at \(endpoint), \(short(before["lanes"])) lanes; "
                + "\(settings.sessions) sessions of its own beside "
                + "\(short(before["sessions"])), \(short(before["sessions_moving"])) moving",
            "", style(Help.padded("", to: 30) + head, .dim),
        ]
        for row in rows() {
            let numbers = [0.5, 0.9, 0.99, 1].map { share in
                cell(UpdateTemplate.fixed(row.latencies.quantile(share), 3))
            }
            let text = cell(String(row.latencies.count)) + numbers.joined()
            lines.append("\(style(Help.padded(row.name, to: 30), .cyan))\(text)")
        }
        let rate = style(grouped(Int(eventsPerSecond.rounded())), .bold)
        let merged = load.events - load.states
        let together: ShownText =
            merged > 0 ? ", \(grouped(merged)) of them together with a later one" : ""
        lines += [
            "",
            "\(rate) events a second, \(settings.window) under way; "
                + "\(grouped(load.events)) sent, every one shown in a state\(together)",
        ]
        let share = short(100 * load.ownShare, decimals: 0)
        if load.ownShare > 0.7 {
            lines.append(
                "gesturectl used \(share) % of a core meanwhile: it was the bound, "
                    + "and the daemon could do more")
        } else {
            lines.append("gesturectl used \(share) % of a core meanwhile")
        }
        return lines
    }

    func json(_ settings: BenchSettings, _ hello: Node, _ before: StatsSample) -> Node {
        func number(_ value: Double) -> Node { Node(.number(value)) }
        let latencies = rows().map { row in
            Node.Member(
                row.key,
                Node(
                    .object([
                        .init("count", Node(.integer(row.latencies.count))),
                        .init("p50_ms", number(row.latencies.quantile(0.5))),
                        .init("p90_ms", number(row.latencies.quantile(0.9))),
                        .init("p99_ms", number(row.latencies.quantile(0.99))),
                        .init("max_ms", number(row.latencies.quantile(1))),
                    ])))
        }
        return Node(
            .object(
                [
                    .init("version", hello["version"] ?? Node(.null)),
                    .init("sessions", Node(.integer(settings.sessions))),
                    .init("others", number(before["sessions"])),
                    .init("window", Node(.integer(settings.window))),
                ] + latencies + [
                    .init("events", Node(.integer(load.events))),
                    .init("states", Node(.integer(load.states))),
                    .init("events_per_second", number(eventsPerSecond)),
                    .init("own_core_share", number(load.ownShare)),
                ]))
    }
}

/// A whole number with its thousands apart: `12,345`.
func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
        groups.insert(String(digits.suffix(3)), at: 0)
        digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
}
