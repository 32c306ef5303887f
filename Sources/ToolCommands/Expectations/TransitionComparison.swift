import Notation
import Protocol

/// A list of expected transitions beside those that came.
struct TransitionComparison {
    let isMet: Bool
    let rows: [Verdict.Row]

    init(
        _ expected: [ExpectedTransition], _ transitions: [ObservedRun.Transition], first: Double
    ) {
        isMet = Self.fits(expected[...], transitions[...], first)
        rows = isMet ? [] : Self.rows(expected, transitions, first)
    }

    /// Whether the transitions come in this order, and no others but where there is a gap.
    private static func fits(
        _ expected: ArraySlice<ExpectedTransition>,
        _ transitions: ArraySlice<ObservedRun.Transition>,
        _ first: Double
    ) -> Bool {
        let parts = expected.split(omittingEmptySubsequences: false) { $0.isGap }
        func begins(_ part: ArraySlice<ExpectedTransition>, at place: Int) -> Bool {
            guard place >= transitions.startIndex, place + part.count <= transitions.endIndex else {
                return false
            }
            return zip(part, transitions[place...]).allSatisfy { $0.accepts($1, first: first) }
        }
        guard let head = parts.first, let tail = parts.last, begins(head, at: 0) else {
            return false
        }
        if parts.count == 1 { return head.count == transitions.count }
        var place = head.count
        // The leftmost place of each part leaves the most room for the next.
        for part in parts.dropFirst().dropLast() {
            let last = transitions.count - part.count
            guard place <= last, let found = (place...last).first(where: { begins(part, at: $0) })
            else { return false }
            place = found + part.count
        }
        let end = transitions.count - tail.count
        return end >= place && begins(tail, at: end)
    }

    /// Both lists as one, with what is missing and what is extra.
    private static func rows(
        _ expected: [ExpectedTransition], _ transitions: [ObservedRun.Transition], _ first: Double
    ) -> [Verdict.Row] {
        enum Entry {
            case wanted(ExpectedTransition)
            case came(ObservedRun.Transition)
        }
        let wanted = expected.filter { !$0.isGap }
        let hasGaps = wanted.count < expected.count
        let difference = transitions.map(Entry.came).difference(from: wanted.map(Entry.wanted)) {
            switch ($0, $1) {
            case (.wanted(let one), .came(let other)), (.came(let other), .wanted(let one)):
                one.accepts(other, first: first)
            default: false
            }
        }
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var rows: [Verdict.Row] = []
        var next = 0
        func came(_ index: Int, _ mark: Verdict.Row.Mark) -> Verdict.Row {
            let transition = transitions[index]
            return Verdict.Row(mark: mark, time: transition.time - first, text: transition.text)
        }
        for (offset, entry) in wanted.enumerated() {
            if removed.contains(offset) {
                rows.append(Verdict.Row(mark: .missing, time: nil, text: entry.text))
                continue
            }
            while inserted.contains(next) {
                rows.append(came(next, hasGaps ? .gap : .extra))
                next += 1
            }
            rows.append(came(next, .same))
            next += 1
        }
        while next < transitions.count {
            rows.append(came(next, hasGaps ? .gap : .extra))
            next += 1
        }
        return rows
    }
}

extension ObservedRun.Transition {
    /// As in a file of expectations, with its ends if it has them.
    var text: String {
        let ends = [from, to].map { node in
            node.map { $0.string ?? String(decoding: $0.json(), as: UTF8.self) } ?? ""
        }
        return words
            + (ends == ["", ""] ? "" : " \(ends[0])→\(ends[1])")
    }
}
