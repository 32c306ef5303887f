import Commands
import Notation
import Recordings

/// How the expectations on one recording ended.
struct ExpectationResult {
    /// The recording's name, for people.
    var recording: String
    var file: String
    var verdicts: [Verdict] = []
    /// Why there are no verdicts: a file that cannot be read.
    var fault: ShownText?
    /// Wall time of the simulation and the comparison.
    var seconds = 0.0
    /// Milliseconds of virtual time.
    var span = 0.0
    /// The seed, where the command varies it.
    var seed: UInt64?

    /// The values that `--update` wrote into the file.
    var changes: [ExpectationUpdate.Change] = []
    /// Whether `--update` made the file.
    var isNew = false

    var failed: [Verdict] { verdicts.filter { !$0.isMet } }
    var isMet: Bool { fault == nil && failed.isEmpty }
}

/// Verdicts as a person reads them.
struct VerdictText {
    /// Rows of a comparison that are shown around a difference.
    private static let contextRows = 3
    private static let labelWidth = 10

    let style: Style
    /// Also those that are met.
    var isVerbose = false

    func lines(_ result: ExpectationResult) -> [ShownText] {
        if let fault = result.fault {
            return ["\(style("✗", .red)) \(result.recording): \(fault)"]
        }
        let count = result.verdicts.count
        let failed = result.failed.count
        let seed: ShownText = result.seed.map { " with seed \($0)" } ?? ""
        let head: ShownText =
            failed == 0
            ? "\(style("✓", .green)) \(result.recording)\(seed): \(Self.counted(count)) met"
            : "\(style("✗", .red)) \(result.recording)\(seed): \(failed) of "
                + "\(Self.counted(count)) not met"
        let changes: [ShownText] = result.changes.map {
            "  \($0.name): \(style($0.before, .red)) → \(style($0.after, .green))"
        }
        let updated: [ShownText] =
            changes.isEmpty
            ? result.isNew ? ["\(result.file): made"] : []
            : ["\(result.file): \(Recordings.counted(changes.count, "value")) written anew"]
        return [head] + updated + changes
            + result.verdicts.filter { isVerbose || !$0.isMet }.flatMap { lines($0, result) }
    }

    private static func counted(_ count: Int) -> String { Recordings.counted(count, "expectation") }

    func lines(_ verdict: Verdict, _ result: ExpectationResult) -> [ShownText] {
        let place = verdict.line > 0 ? "\(result.file):\(verdict.line)" : result.file
        if verdict.isMet {
            return ["  \(style("✓", .green)) \(style(place, .dim))  \(verdict.name)"]
        }
        var lines: [ShownText] = ["", "\(style(place, .cyan))  \(style(verdict.name, .bold))"]
        func add(_ label: String, _ text: ShownText) {
            let padding = String(repeating: " ", count: max(1, Self.labelWidth - label.count))
            lines.append("    \(style(label, .dim))\(padding)\(text)")
        }
        if !verdict.expected.isEmpty { add("expected", style(verdict.expected, .green)) }
        add("got", style(verdict.got, .red))
        for note in verdict.notes { add(note.label, ShownText(note.text)) }
        return lines + rows(verdict.rows)
    }

    /// The rows near a difference, and how many are left out between.
    private func rows(_ rows: [Verdict.Row]) -> [ShownText] {
        var shown: [ShownText] = []
        var skipped = 0
        func endSkip() {
            if skipped > 0 { shown.append("      \(style("… \(skipped) as expected", .dim))") }
            skipped = 0
        }
        for (index, row) in rows.enumerated() {
            let near = rows[max(0, index - Self.contextRows)...]
                .prefix(min(index, Self.contextRows) + Self.contextRows + 1)
            guard near.contains(where: { $0.mark == .missing || $0.mark == .extra }) else {
                skipped += 1
                continue
            }
            endSkip()
            shown.append(line(row))
        }
        endSkip()
        return shown
    }

    private func line(_ row: Verdict.Row) -> ShownText {
        let time = row.time.map { "\(short($0)) ms" } ?? ""
        let padded = String(repeating: " ", count: max(0, 12 - time.count)) + time
        switch row.mark {
        case .same, .gap: return "      \(padded)  \(row.text)"
        case .missing: return style("    - \(padded)  \(row.text)", .red)
        case .extra: return style("    + \(padded)  \(row.text)", .green)
        }
    }
}
