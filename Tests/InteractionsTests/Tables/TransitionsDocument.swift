import Geometry
import Gestures
import Interactions

/// Writes played tables as a document for people.
struct TransitionsDocument {
    /// Columns of one table; wider tables are divided.
    private static let columnsMax = 6

    private(set) var text = """
        # States and events

        This page lists the answer of each kind of component to every event in every state. A test
        plays each pair and writes the answers down, so the page shows what the machines do.

        - A column is a state: the published `phase`, with words for variants that answer
          differently. A row is an event; events with the same answers share a row.
        - `✗ code`: refused with that code, and nothing has changed, to the last bit. `–`:
          accepted, and nothing changes. Otherwise the cell names the new state, in **bold** where
          the change is published at once and not with the next frame.
        - After the state stand: `⏱` and the seconds to the next timer, if the event set it; the
          published transitions, with their ends if they have any; the kinds whose counts are
          cleared.
        - *time passes* is what happens next if no event comes: a timer, the end of an animation,
          or physics that come to rest. A gesture that is open for 3 s without a sample is
          cancelled.
        - *contact* is a raw contact that lands, moves or lifts. *content drag* is a raw contact
          that was recognised as a vertical pan. Every other recognised contact arrives as its
          gesture. A kind that listens to no contacts refuses `pointer` itself.
        - Machines never see the phases of a gesture whose `began` was refused: the session
          answers those itself, with the code of the `began`.
        - With a [spring](protocol/springs.md) in place of a duration the answers are the same;
          `⏱` is then the time until the spring stands still.

        """

    init(_ grids: [Grid]) {
        for grid in grids { append(grid) }
    }

    private mutating func append(_ grid: Grid) {
        text += "\n## `\(grid.kind)`\n\n\(grid.remark)\n"
        let uniform = grid.rows.filter { row in
            isFolded(row)
                && !(grid.listensToContacts && row.event.stimulus.name.group == "pointer")
        }
        let own = grid.rows.filter { !isFolded($0) }
        for columns in tables(of: grid) { append(own, of: grid, columns: columns) }
        for code in [RejectionCode.unknownGesture, .unknownCommand] {
            let rows = uniform.filter { $0.answers.first == .refused(code) }
            append(rows, of: grid, "Refused in every state as `\(code.rawValue)`")
        }
        let idle = uniform.filter { $0.answers.first == .ignored }
        append(idle, of: grid, "Without effect in every state")
    }

    /// Groups of states, as many side by side as can be read.
    private func tables(of grid: Grid) -> [Range<Int>] {
        var tables: [Range<Int>] = []
        var start = 0
        while start < grid.states.count {
            let group = grid.groups[start]
            let end = grid.groups[start...].firstIndex { $0 != group } ?? grid.states.count
            if let last = tables.last, end - last.lowerBound <= Self.columnsMax {
                tables[tables.count - 1] = last.lowerBound..<end
            } else {
                tables.append(start..<end)
            }
            start = end
        }
        return tables
    }

    /// Whether an event needs no row, because it is foreign to the kind.
    private func isFolded(_ row: Grid.Row) -> Bool {
        guard let first = row.answers.first, row.answers.allSatisfy({ $0 == first }) else {
            return false
        }
        switch first {
        case .refused(let code): return code == .unknownGesture || code == .unknownCommand
        case .ignored: return true
        case .accepted: return false
        }
    }

    private mutating func append(
        _ rows: [Grid.Row], of grid: Grid, columns: Range<Int>
    ) {
        text += "\n| event | " + grid.states[columns].joined(separator: " | ") + " |\n"
        text += "|---" + String(repeating: "|---", count: columns.count) + "|\n"
        var merged: [(events: [Grid.Row.Event], cells: [String])] = []
        for row in rows {
            let cells = row.answers[columns].map(\.text)
            let group = row.event.stimulus.name.group
            let alike = merged.lastIndex {
                $0.cells == cells && $0.events.last?.stimulus.name.group == group
            }
            if let alike {
                merged[alike].events.append(row.event)
            } else if merged.last?.cells == cells {
                merged[merged.count - 1].events.append(row.event)
            } else {
                merged.append(([row.event], cells))
            }
        }
        for (events, cells) in merged {
            text += "| \(Self.label(events, of: grid)) | " + cells.joined(separator: " | ") + " |\n"
        }
    }

    private mutating func append(_ rows: [Grid.Row], of grid: Grid, _ title: String) {
        guard !rows.isEmpty else { return }
        text += "\n\(title): \(Self.label(rows.map(\.event), of: grid)).\n"
    }

    /// Events in words, each name of a group once: `pan began, changed; tap`.
    ///
    /// Where all variants of a name are among them, none is named.
    static func label(_ events: [Grid.Row.Event], of grid: Grid) -> String {
        var parts: [(group: String, variant: String, members: [String])] = []
        for event in events {
            let name = event.stimulus.name
            let isWhole = grid.rows.allSatisfy {
                $0.event.stimulus.name != name || events.contains($0.event)
            }
            let variant = isWhole ? "" : event.variant
            let last = parts.last
            if let last, last.group == name.group, last.variant == variant {
                if !last.members.contains(name.member) {
                    parts[parts.count - 1].members.append(name.member)
                }
            } else if let last, last.group == name.group, last.members == [name.member] {
                parts[parts.count - 1].variant += " or \(variant)"
            } else {
                parts.append((name.group, variant, [name.member]))
            }
        }
        return parts.map { part in
            let isWhole = Phase.allCases.allSatisfy { part.members.contains($0.rawValue) }
            let members = isWhole ? "(any phase)" : part.members.joined(separator: ", ")
            return [part.group, members, part.variant].filter { !$0.isEmpty }
                .joined(separator: " ")
        }.joined(separator: "; ")
    }
}

extension Answer {
    /// As it stands in a cell.
    var text: String {
        switch self {
        case .refused(let code): return "✗ \(code.rawValue)"
        case .ignored: return "–"
        case .accepted(let reaction):
            var text = reaction.needsPublish ? "**\(reaction.next)**" : reaction.next
            if let steps = reaction.timerSteps { text += " ⏱ \(Self.seconds(steps))" }
            for line in reaction.told { text += " · \(line)" }
            if !reaction.clearedKinds.isEmpty {
                text += " · clears " + reaction.clearedKinds.joined(separator: ", ")
            }
            return text
        }
    }

    /// To the millisecond, without zeros that say nothing.
    private static func seconds(_ steps: Int) -> String {
        let milliseconds = (steps * 1_000 + Step.perSecond / 2) / Step.perSecond
        var text = "\(milliseconds / 1_000)"
        let rest = milliseconds % 1_000
        guard rest > 0 else { return text }
        text += "." + String(repeating: "0", count: 3 - "\(rest)".count) + "\(rest)"
        while text.hasSuffix("0") { text.removeLast() }
        return text
    }
}
