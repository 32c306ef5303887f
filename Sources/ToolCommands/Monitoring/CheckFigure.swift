import Commands
import Notation

/// One figure of `check`, with its unit in performance data and its thresholds if nobody names any.
struct CheckFigure: Sendable {
    var name: String
    /// As monitors know them: `ms`, `s`, `%`, `B`; empty for a plain number.
    var unit: String
    var meaning: String
    var warning: CheckRange?
    var critical: CheckRange?

    static let all = [
        CheckFigure(
            name: "answer", unit: "ms", meaning: "time of the answer to a request",
            warning: CheckRange("500"), critical: CheckRange("2000")),
        CheckFigure(
            name: "latency", unit: "ms",
            meaning: "from event to updates, 99th percentile since the daemon's start"),
        CheckFigure(name: "sessions", unit: "", meaning: "sessions in memory"),
        CheckFigure(
            name: "full", unit: "%", meaning: "the same of the most that may be",
            warning: CheckRange("90"), critical: CheckRange("99")),
        CheckFigure(name: "moving", unit: "", meaning: "sessions that move"),
        CheckFigure(name: "events", unit: "", meaning: "events a second"),
        CheckFigure(name: "updates", unit: "", meaning: "updates a second"),
        CheckFigure(name: "rejected", unit: "", meaning: "refused events a second"),
        CheckFigure(
            name: "late", unit: "%", meaning: "frames that were sent late",
            warning: CheckRange("1"), critical: CheckRange("20")),
        CheckFigure(name: "pending", unit: "", meaning: "events that wait"),
        CheckFigure(
            name: "unstored", unit: "", meaning: "commits to the store that failed",
            critical: CheckRange("0")),
        CheckFigure(name: "uptime", unit: "s", meaning: "seconds since the daemon's start"),
    ]

    /// The value of each figure, from two samples.
    static func values(_ now: StatsSample, since before: StatsSample) -> [String: Double] {
        let frames = now.growth(of: "frames", since: before)
        let late = now.growth(of: "frames_late", since: before)
        let most = now["limit_sessions"]
        return [
            "answer": now.answer / .milliseconds(1), "latency": now["latency_us_p99"] / 1_000,
            "sessions": now["sessions"], "full": most > 0 ? 100 * now["sessions"] / most : 0,
            "moving": now["sessions_moving"], "events": now.rate(of: "events", since: before),
            "updates": now.rate(of: "updates", since: before),
            "rejected": now.rate(of: "events_rejected", since: before),
            "late": frames > 0 ? 100 * late / frames : 0, "pending": now["events_pending"],
            "unstored": now.growth(of: "store_commits_failed", since: before),
            "uptime": now["uptime_ms"] / 1_000,
        ]
    }
}

/// A range as monitors write them: `10` is good from 0 to 10, `10:` from 10 up, `~:10` up to 10,
/// `10:20` between, and `@10:20` outside.
struct CheckRange: Equatable, Sendable {
    let text: String
    private let low: Double
    private let high: Double
    private let isInverted: Bool

    /// Nil: it is no range.
    init?(_ text: String) {
        self.text = text
        isInverted = text.hasPrefix("@")
        let parts = text.dropFirst(isInverted ? 1 : 0)
            .split(separator: ":", omittingEmptySubsequences: false)
        func number(_ part: Substring) -> Double? {
            guard part.allSatisfy({ $0.isASCII && ($0.isNumber || ".+-eE".contains($0)) }) else {
                return nil
            }
            return Double(part).flatMap { $0.isFinite ? $0 : nil }
        }
        switch parts.count {
        case 1:
            guard let number = number(parts[0]) else { return nil }
            (low, high) = (0, number)
        case 2:
            let begin = parts[0] == "~" ? -Double.infinity : number(parts[0])
            let end = parts[1].isEmpty ? Double.infinity : number(parts[1])
            guard let begin, let end else { return nil }
            (low, high) = (begin, end)
        default: return nil
        }
        if !(low <= high) { return nil }
    }

    /// Whether a value raises the alarm.
    func alarms(at value: Double) -> Bool { (low...high).contains(value) == isInverted }
}
