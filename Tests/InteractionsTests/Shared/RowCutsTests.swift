import Geometry
import Interactions
import Notation
import Testing

@testable import Interactions

struct RowCutsTests {
    private struct Holder: Codable, Equatable {
        var cuts = RowCuts()
    }

    @Test func eachRowCountsFromZero() {
        var cuts = RowCuts()
        #expect(cuts[0] == 0 && cuts[999_999] == 0 && cuts.isEmpty)
        cuts.grow(2..<5)
        cuts.grow(4)
        cuts.grow(0..<1)
        cuts.grow(7..<7)
        #expect((0..<8).map { cuts[$0] } == [1, 0, 1, 1, 2, 0, 0, 0])
    }

    /// Scrolled down a million rows and up again, each row has left twice but the last few.
    @Test func aScrollThroughAllRowsKeepsFewRuns() {
        var cuts = RowCuts()
        for row in 0..<9_990 { cuts.grow(row * 100..<row * 100 + 100) }
        for row in (0..<9_990).reversed() { cuts.grow(row * 100 + 5..<row * 100 + 105) }
        #expect([4, 5, 998_999, 999_003, 999_005].map { cuts[$0] } == [1, 2, 2, 1, 0])
        #expect(Node(encoding: cuts)["runs"]?.array?.count == 3)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func noCountFallsWhereRunsBecomeOne(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let rows = 400
        var (cuts, exact) = (RowCuts(), [Int](repeating: 0, count: rows))
        var former = exact
        for event in 0..<300 {
            let first = random.whole(in: 0...rows - 1)
            let grown = first..<min(rows, first + random.whole(in: 1...12))
            cuts.grow(grown)
            for row in grown { exact[row] += 1 }
            let shown = (0..<rows).map { cuts[$0] }
            for row in 0..<rows {
                #expect(shown[row] >= max(former[row] + (grown.contains(row) ? 1 : 0), exact[row]))
            }
            // As long as few rows have left, nothing is rounded.
            if event < 30 { #expect(shown == exact, "seed \(seed), event \(event)") }
            #expect(Node(encoding: cuts)["runs"]?.array?.count ?? 0 <= RowCuts.runsMax)
            former = shown
        }
    }

    @Test func aComponentWithoutCutsWritesNoneAndReadsNone() throws {
        #expect(Node(encoding: Holder()) == Node(.object([])))
        #expect(try Node(.object([])).decode(Holder.self) == Holder())
        var holder = Holder()
        holder.cuts.grow(3..<1_000_000)
        #expect(try Node(encoding: holder).decode(Holder.self) == holder)
    }

    @Test(
        arguments: [
            [(5, 1), (5, 2)], [(5, 1), (4, 2)], [(0, 1)], [(-1, 1)], [(1_000_001, 1)], [(5, -1)],
            [(5, Limits.viewCutMax + 1)], (1...65).map { ($0, $0) },
        ] as [[(Int, Int)]])
    func whatCannotBeIsRefused(runs: [(Int, Int)]) {
        let document = Node(
            .object([
                Node.Member(
                    "runs",
                    Node(
                        .array(
                            runs.map { end, count in
                                Node(
                                    .object([
                                        Node.Member("end", Node(.integer(end))),
                                        Node.Member("count", Node(.integer(count))),
                                    ]))
                            })))
            ]))
        #expect(throws: (any Error).self) { try document.decode(RowCuts.self) }
    }
}
