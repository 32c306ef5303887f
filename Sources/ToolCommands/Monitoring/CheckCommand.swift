import Commands
import Glibc
import Manual
import Notation

extension Command {
    static let check = Command(
        name: "check", arguments: "", summary: "Check the daemon for a monitor",
        details: """
            Prints one line with performance data and exits as monitors expect it (Nagios, Icinga,
            Zabbix, Monit): 0 good, 1 warning, 2 critical or no answer, 3 unknown: the command
            line is wrong. It asks for the counters twice, a second apart (--delay), so that rates
            and shares are those of this second.

            --warning and --critical take FIGURE=RANGE, several with commas. A range is written as
            for other plugins: 10 is good from 0 to 10, 10: from 10 up, ~:10 up to 10, 10:20
            between, @10:20 outside. none switches a threshold off. The figures:

            \(figures)
            """,
        options: [
            Option("--warning", "F=R,…", "warn outside of these ranges"),
            Option("--critical", "F=R,…", "be critical outside of these ranges"),
            Option("--session", "SESSION", "be critical if this session is not open"),
            Option("--delay", "SECONDS", "the time to measure over (default 1)"),
            Option("--verbose", nil, "print a line for each figure, too"),
        ],
        report: { failure in CheckState.report(failure) },
        examples: [
            ("gesturectl check", "see whether the daemon is well"),
            (
                "gesturectl check -w latency=5,rejected=0 -c latency=50,sessions=1:",
                "warn above 5 ms or at any refusal; critical above 50 ms or without a session"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals([])
        let check = try Check(context.arguments)
        let control = try context.control()
        let before = try StatsSample(control)
        Pause.wait(check.delay)
        let now = try StatsSample(control)
        var missing: String?
        if let session = context.arguments.values["--session"] {
            do throws(Failure) {
                _ = try context.request("scene", session: session)
            } catch {
                guard error.daemonReason != nil else { throw error }
                missing = session
            }
        }
        try check.end(CheckFigure.values(now, since: before), missing: missing)
    }

    private static let figures = CheckFigure.all.map { figure in
        let thresholds = [("warning", figure.warning), ("critical", figure.critical)]
            .compactMap { name, range in range.map { "\(name) \($0.text)" } }
            .joined(separator: ", ")
        let unit = figure.unit.isEmpty ? "" : ", \(figure.unit)"
        return "    \(Help.padded(figure.name, to: 10))\(figure.meaning)\(unit)"
            + (thresholds.isEmpty ? "" : " (\(thresholds))")
    }.joined(separator: "\n")
}

/// The states of a monitor; the raw value is the exit status.
enum CheckState: Int32, Comparable {
    case ok = 0
    case warning = 1
    case critical = 2
    case unknown = 3

    var word: String { ["OK", "WARNING", "CRITICAL", "UNKNOWN"][Int(rawValue)] }

    static func < (one: CheckState, other: CheckState) -> Bool { one.rawValue < other.rawValue }

    /// Prints why there is no result, on standard output, where a monitor reads.
    static func report(_ failure: Failure) -> Int32 {
        let state: CheckState
        switch failure {
        case .told(let status): return status
        case .outputClosed, .interrupted: return failure.status
        case .usage, .file, .unavailable: state = .unknown
        case .daemon, .silence, .event: state = .critical
        }
        let reason = failure.message?.text.split(separator: "\n").first ?? ""
        // A bar would begin the performance data.
        let text = reason.replacingEach("|", with: "/")
        _ = try? Console.printLine("GESTURED \(state.word) - \(text)")
        return state.rawValue
    }
}

/// The thresholds of one call.
private struct Check {
    let delay: Duration
    private let isVerbose: Bool
    private var warning: [String: CheckRange] = [:]
    private var critical: [String: CheckRange] = [:]

    init(_ arguments: Arguments) throws(Failure) {
        let seconds = try arguments.number("--delay", in: 0...3_600) ?? 1
        delay = .milliseconds(Int(seconds * 1_000))
        isVerbose = arguments.has("--verbose")
        for figure in CheckFigure.all {
            warning[figure.name] = figure.warning
            critical[figure.name] = figure.critical
        }
        try Self.read("--warning", arguments, into: &warning)
        try Self.read("--critical", arguments, into: &critical)
    }

    private static func read(
        _ option: String, _ arguments: Arguments, into ranges: inout [String: CheckRange]
    ) throws(Failure) {
        guard let text = arguments.values[option] else { return }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(sides[0])
            let names = CheckFigure.all.map(\.name)
            guard names.contains(name) else {
                let hint = nearestName(to: name, among: names).map { "; did you mean \($0)?" }
                throw .usage(
                    "\(option): no figure '\(name)'\(hint ?? ""). There are "
                        + "\(names.joined(separator: ", "))")
            }
            if sides.count == 2, sides[1] == "none" {
                ranges[name] = nil
                continue
            }
            guard sides.count == 2, let range = CheckRange(String(sides[1])) else {
                throw .usage("\(option): \(part) is no FIGURE=RANGE, as latency=10 or sessions=1:")
            }
            ranges[name] = range
        }
    }

    private func state(of name: String, _ value: Double) -> CheckState {
        if critical[name]?.alarms(at: value) == true { return .critical }
        return warning[name]?.alarms(at: value) == true ? .warning : .ok
    }

    /// Prints the line and throws its status.
    func end(_ values: [String: Double], missing: String?) throws(Failure) {
        let states = CheckFigure.all.map { self.state(of: $0.name, values[$0.name] ?? 0) }
        var state: CheckState = states.max() ?? .ok
        var reasons: [String] = []
        if let missing {
            state = .critical
            reasons.append("session \(missing) is not open")
        }
        for (figure, own) in zip(CheckFigure.all, states) where own > .ok {
            let range = own == .critical ? critical[figure.name] : warning[figure.name]
            reasons.append(
                "\(shown(figure, values)) (\(own.word.lowercased()) \(range?.text ?? ""))")
        }
        if reasons.isEmpty {
            func text(_ name: String, _ decimals: Int = 0) -> String {
                short(values[name] ?? 0, decimals: decimals)
            }
            reasons = [
                "\(text("sessions")) sessions, \(text("moving")) moving",
                "\(text("events")) events/s", "answer in \(text("answer", 2)) ms",
            ]
        }
        let performance = CheckFigure.all.map { figure in
            let value = short(values[figure.name] ?? 0)
            let ranges = [warning[figure.name], critical[figure.name]].map { $0?.text ?? "" }
            return "\(figure.name)=\(value)\(figure.unit);\(ranges[0]);\(ranges[1]);0"
                + (figure.unit == "%" ? ";100" : "")
        }.joined(separator: " ")
        let reason = reasons.joined(separator: ", ")
        try Console.printLine("GESTURED \(state.word) - \(reason) | \(performance)")
        if isVerbose {
            for (figure, own) in zip(CheckFigure.all, states) {
                let name = Help.padded(figure.name, to: 10)
                try Console.printLine(
                    "\(own.word): \(name)\(shown(figure, values)), \(figure.meaning)")
            }
        }
        if state != .ok { throw .told(state.rawValue) }
    }

    private func shown(_ figure: CheckFigure, _ values: [String: Double]) -> String {
        let value = short(values[figure.name] ?? 0, decimals: 2)
        return "\(figure.name) \(value)\(figure.unit.isEmpty ? "" : " \(figure.unit)")"
    }
}
