import Notation

/// How often each view that ends in a number was placed anew: a row of a long list, a glow.
///
/// It counts as ``ViewCuts`` does, but keeps neighbours of one count as one run, so that a list of
/// a million rows needs few. Beyond `runsMax` runs those two neighbours become one whose counts are
/// nearest. The higher count stays, so that no count ever falls.
package struct RowCuts: Hashable, Sendable {
    /// Rows of one count; they begin where the run before ends, the first at row 0.
    private struct Run: Hashable, Sendable, Codable {
        /// The row behind the last one.
        var end: Int
        var count: Int
    }

    /// Runs that are kept: 32 strips of rows, which somebody scrolled to and away from.
    package static let runsMax = 64

    private var runs: [Run] = []

    package init() {}

    package var isEmpty: Bool { runs.isEmpty }

    /// The `cut` of a row's view; rows behind the last run have left never.
    package subscript(row: Int) -> Int { runs.first { row < $0.end }?.count ?? 0 }

    /// The views of these rows were placed anew, or have left.
    package mutating func grow(_ rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        split(at: rows.lowerBound)
        split(at: rows.upperBound)
        for place in runs.indices where rows.contains(runs[place].end - 1) {
            runs[place].count = min(runs[place].count + 1, Limits.viewCutMax)
        }
        joinEqual()
        while runs.count > Self.runsMax { joinNearest() }
    }

    package mutating func grow(_ row: Int) { grow(row..<row + 1) }

    /// Lets a run end before the row.
    private mutating func split(at row: Int) {
        guard row > 0 else { return }
        guard let place = runs.firstIndex(where: { row <= $0.end }) else {
            runs.append(Run(end: row, count: 0))
            return
        }
        if runs[place].end != row {
            runs.insert(Run(end: row, count: runs[place].count), at: place)
        }
    }

    private mutating func joinEqual() {
        for place in runs.indices.dropLast().reversed()
        where runs[place].count == runs[place + 1].count {
            runs.remove(at: place)
        }
    }

    private mutating func joinNearest() {
        var nearest = 0
        for place in runs.indices.dropLast() where step(at: place) < step(at: nearest) {
            nearest = place
        }
        runs[nearest + 1].count = max(runs[nearest].count, runs[nearest + 1].count)
        runs.remove(at: nearest)
        joinEqual()
    }

    /// The difference between a run's count and the next one's.
    private func step(at place: Int) -> Int {
        abs(runs[place + 1].count - runs[place].count)
    }
}

extension RowCuts: Codable {
    private enum CodingKeys: String, CodingKey { case runs }

    package init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        runs = try table.decode([Run].self, forKey: .runs)
        let isRising = zip(runs, runs.dropFirst()).allSatisfy { $0.end < $1.end }
        guard runs.count <= Self.runsMax, isRising,
            runs.allSatisfy({ (1...List.rowsMax).contains($0.end) }),
            runs.allSatisfy({ (0...Limits.viewCutMax).contains($0.count) })
        else { throw decoder.error("must be counts of rows") }
    }
}

// A component that was encoded before there were cuts has none; one without any writes none.

extension KeyedDecodingContainer {
    package func decode(_: RowCuts.Type, forKey key: Key) throws -> RowCuts {
        try decodeIfPresent(RowCuts.self, forKey: key) ?? RowCuts()
    }
}

extension KeyedEncodingContainer {
    package mutating func encode(_ cuts: RowCuts, forKey key: Key) throws {
        if !cuts.isEmpty { try encodeIfPresent(cuts, forKey: key) }
    }
}
