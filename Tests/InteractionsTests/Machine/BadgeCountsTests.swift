import Geometry
import Interactions
import TestSupport
import Testing

@Suite struct BadgeCountsTests {
    /// Against a dictionary: the same counts, in byte order of their kinds.
    @Test(arguments: 0..<16 as Range<UInt64>)
    func theyAreADictionaryInOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var counts = BadgeCounts()
        var model: [String: Int] = [:]
        let letters = Array("Az0._~-q")
        for _ in 0..<300 {
            let kind = String(
                (0..<random.whole(in: 1...2)).map { _ in
                    letters[random.whole(in: 0...7)]
                })
            let count = random.whole(in: 0...3)
            counts.set(kind, to: count)
            model[kind] = count
            if count == 3, counts.forgetOneAtZero() {
                let gone = model.keys.filter { !counts.contains($0) }
                #expect(gone.count == 1 && model[gone[0]] == 0)
                gone.forEach { model[$0] = nil }
            }
        }
        let order = model.keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        #expect(counts.entries.map(\.kind) == order)
        #expect(
            counts.entries.allSatisfy { model[$0.kind] == $0.count && counts[$0.kind] == $0.count })
        #expect(counts["absent"] == 0 && !counts.contains("absent"))
    }
}
