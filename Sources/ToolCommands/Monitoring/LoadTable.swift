import Commands
import GesturedClient
import Glibc
import Manual
import Notation

/// The sessions of a daemon by load, refreshed: what `top` shows.
///
/// A load is what a session published since the last look, and its share of a core: the
/// processor's time of one of its steps, as its lane measured it last, times the steps of a second
/// while it moves.
struct LoadTable {
    /// Sessions that are listed in one look, so that a look stays cheap with 100,000 of them.
    static let sessionsMax = 1_000
    private static let stepsPerSecond = 120.0

    enum Order: String, CaseIterable {
        case load, updates, name
    }

    struct Row: Equatable {
        var name: String
        var scene: String
        var isMoving: Bool
        /// Updates a second.
        var updates: Double
        /// The share of a core, in per cent.
        var load: Double
        var stepMicroseconds: Double
    }

    private let control: Control
    var order: Order { didSet { sort() } }
    private var before: StatsSample
    private(set) var now: StatsSample
    private var counts: [String: Double] = [:]
    private var hasCounts = false
    private(set) var rows: [Row] = []
    /// Why the last look failed; empty: it did not.
    private(set) var notice: ShownText = ""
    /// Whether more sessions are open than are listed.
    private(set) var isPart = false

    init(_ control: Control, order: Order) throws(Failure) {
        self.control = control
        self.order = order
        before = try StatsSample(control)
        now = before
    }

    /// Asks anew. A daemon that is gone leaves the last rows and a notice.
    mutating func look() throws(Failure) {
        do throws(Failure) {
            try ask()
            notice = ""
        } catch {
            guard let reason = error.daemonReason else { throw error }
            notice = reason
        }
    }

    private mutating func ask() throws(Failure) {
        let sample = try StatsSample(control)
        let seconds = (sample.time - now.time) / .seconds(1)
        (before, now) = (now, sample)
        // With many sessions only those that move are asked for: the others cost nothing.
        let isMany = sample["sessions"] > Double(Self.sessionsMax)
        let reply = try daemon { () throws(ClientError) in
            try control.request(
                "sessions",
                [
                    .init("detail", Node(.bool(true))),
                    .init("only", Node(.string(isMany ? "moving" : "open"))),
                    .init("limit", Node(.integer(Self.sessionsMax))),
                ])
        }
        isPart = isMany || reply["next"]?.string != nil
        var counts: [String: Double] = [:]
        rows = (reply["entries"]?.array ?? []).compactMap { entry in
            guard let name = entry["session"]?.string, entry["state"]?.string == "open" else {
                return nil
            }
            let count = entry["updates"]?.double ?? 0
            counts[name] = count
            // A session that is new has published all of it since.
            let former = self.counts[name] ?? (hasCounts ? 0 : count)
            let step = entry["step_us"]?.double ?? 0
            let isMoving = entry["moving"]?.bool ?? false
            return Row(
                name: name, scene: entry["scene"]?.string ?? "", isMoving: isMoving,
                // Its numbers begin anew with its epoch.
                updates: seconds > 0 ? (count >= former ? count - former : count) / seconds : 0,
                load: isMoving ? step * Self.stepsPerSecond / 1e6 * 100 : 0,
                stepMicroseconds: step)
        }
        self.counts = counts
        hasCounts = true
        sort()
    }

    private mutating func sort() {
        rows.sort { one, other in
            switch order {
            case .name: break
            case .load where one.load != other.load: return one.load > other.load
            case .load, .updates:
                if one.updates != other.updates { return one.updates > other.updates }
            }
            return one.name < other.name
        }
    }

    // MARK: Text

    /// Lines of a screen: the daemon's figures, then as many sessions as fit.
    func lines(columns: Int, rows height: Int, _ style: Style) -> [ShownText] {
        var lines = head(columns, style)
        // Two lines stay free: for what is left out, and for the keys.
        let room = max(0, height - lines.count - 2)
        let shown = rows.prefix(room)
        lines += shown.map { line($0, columns, style) }
        let hidden = rows.count - shown.count
        if rows.isEmpty {
            lines.append(style(isPart ? "No session moves." : "No session is open.", .dim))
        } else if hidden > 0 || isPart {
            let resting = Int(now["sessions"]) - rows.count
            let others = isPart && resting > 0 ? " and \(grouped(resting)) that are not listed" : ""
            lines.append(style("… \(grouped(hidden)) more\(others)", .dim))
        }
        return lines
    }

    private func head(_ columns: Int, _ style: Style) -> [ShownText] {
        func rate(_ name: String) -> String { count(now.rate(of: name, since: before)) }
        func share(_ part: Double, _ all: Double) -> String {
            all > 0 ? short(100 * part / all, decimals: 1) : "0"
        }
        let late = now.growth(of: "frames_late", since: before)
        let frames = now.growth(of: "frames", since: before)
        let rejected = now.rate(of: "events_rejected", since: before)
        let fields: [[(name: String, value: String, isBad: Bool)]] = [
            [
                ("up", Self.span(seconds: now["uptime_ms"] / 1_000), false),
                ("sessions", grouped(Int(now["sessions"])), false),
                ("moving", grouped(Int(now["sessions_moving"])), false),
                ("lanes", short(now["lanes"]), false),
            ],
            [
                ("events/s", rate("events"), false), ("updates/s", rate("updates"), false),
                ("rejected/s", count(rejected), rejected > 0),
                ("late frames %", share(late, frames), frames > 0 && late > frames / 100),
            ],
            [
                ("latency since the start: p50", milliseconds("latency_us_p50"), false),
                ("p99", milliseconds("latency_us_p99"), false),
                ("pending", grouped(Int(now["events_pending"])), false),
            ]
                + (now["store_commits_failed"] > 0
                    ? [("failed commits", grouped(Int(now["store_commits_failed"])), true)] : []),
        ]
        let lines = fields.map { Self.cut($0, columns, style) }
        let title = Self.columns(
            "SESSION", "SCENE", "STATE", "UPDATES/S", "STEP µs", "LOAD %", columns)
        return lines + [style(notice, .red), style(Help.padded(title, to: columns), .bold)]
    }

    /// Names and values as far as they fit.
    private static func cut(
        _ fields: [(name: String, value: String, isBad: Bool)], _ columns: Int, _ style: Style
    ) -> ShownText {
        var line: ShownText = ""
        var width = 0
        for field in fields {
            let own = field.name.count + 1 + field.value.count
            let gap = width == 0 ? 0 : 3
            if width + gap + own > columns { break }
            let value = style(field.value, field.isBad ? .red : .bold)
            line +=
                ShownText(String(repeating: " ", count: gap))
                + style("\(field.name) ", .dim) + value
            width += gap + own
        }
        return line
    }

    private func milliseconds(_ name: String) -> String {
        "\(short(now[name] / 1_000, decimals: 2)) ms"
    }

    private func count(_ value: Double) -> String {
        let shown = min(value, StatsSample.counterMax)
        return value < 10 ? short(value, decimals: 1) : grouped(Int(shown.rounded()))
    }

    static func span(seconds: Double) -> String {
        let whole = Int(seconds)
        let clock = [whole / 3_600 % 24, whole / 60 % 60, whole % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return whole >= 86_400 ? "\(whole / 86_400) d \(clock)" : clock
    }

    private static let numberWidths = [9, 11, 9, 8]

    /// One row: names to the left, numbers to the right, all of it as wide as the screen.
    private static func columns(
        _ name: String, _ scene: String, _ state: String, _ updates: String, _ step: String,
        _ load: String, _ columns: Int
    ) -> String {
        let numbers = zip([state, updates, step, load], numberWidths).map { text, width in
            String(repeating: " ", count: max(1, width - text.count)) + text
        }.joined()
        let room = max(10, columns - numberWidths.reduce(0, +))
        let sceneWidth = room / 3
        let nameWidth = room - sceneWidth
        func fitted(_ text: String, _ width: Int) -> String {
            text.count < width
                ? Help.padded(text, to: width) : "\(text.prefix(max(0, width - 2)))… "
        }
        return fitted(name, nameWidth) + fitted(scene, sceneWidth) + numbers
    }

    private func line(_ row: Row, _ columns: Int, _ style: Style) -> ShownText {
        let text = Self.columns(
            Printable.line(row.name), Printable.line(row.scene), row.isMoving ? "moves" : "rests",
            count(row.updates),
            row.stepMicroseconds > 0 ? short(row.stepMicroseconds, decimals: 1) : "-",
            row.load > 0 ? UpdateTemplate.fixed(row.load, 2) : "-", columns)
        let shown = ShownText(String(text.prefix(columns)))
        return row.isMoving ? style(shown, .green) : shown
    }
}
