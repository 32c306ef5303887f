import Geometry
import Testing

@testable import Daemon

struct PublishCountsTests {
    /// Few keys that meet often, or many that make the table grow.
    @Test(arguments: [(8, 1), (3_000, 1), (64, 64)] as [(Int, UInt64)])
    func itCountsAsADictionaryDoes(keys: Int, step: UInt64) {
        var random = SplitMix64(seed: UInt64(keys))
        var counts = PublishCounts()
        var expected: [NameKey: Int] = [:]
        for _ in 0..<20_000 {
            let key = NameKey(value: UInt64(random.whole(in: 0...keys - 1)) * step)
            if random.whole(in: 0...1) == 0 {
                counts.add(key)
                expected[key, default: 0] += 1
            } else {
                counts.remove(key)
                expected[key] = max(0, expected[key, default: 0] - 1)
            }
            let other = NameKey(value: UInt64(random.whole(in: 0...keys - 1)) * step)
            #expect(counts[other] == expected[other, default: 0])
        }
        for (key, count) in expected { #expect(counts[key] == count) }
    }
}
