import Geometry
import Testing

@Suite struct RandomTests {
    /// The output of the authors' reference program.
    private static let published: [UInt64: [UInt64]] = [
        1_234_567: [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ],
        0: [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F],
    ]

    @Test func splitMixGivesThePublishedNumbers() {
        for (seed, numbers) in Self.published {
            var random = SplitMix64(seed: seed)
            #expect(numbers.map { _ in random.next() } == numbers, "seed \(seed)")
        }
    }

    @Test func wholeNumbersFillTheirRangeEvenly() {
        var random = SplitMix64(seed: 3)
        var counts: [Int: Int] = [:]
        for _ in 0..<20_000 { counts[random.whole(in: -10...9), default: 0] += 1 }
        #expect(counts.keys.sorted() == Array(-10...9))
        #expect(counts.values.allSatisfy { abs($0 - 1_000) < 150 }, "\(counts)")
    }

    @Test func theWidestRangesWork() {
        var random = SplitMix64(seed: 4)
        #expect(random.whole(in: 5...5) == 5)
        let draws = (0..<100).map { _ in random.whole(in: .min ... .max) }
        #expect(draws.contains { $0 < 0 } && draws.contains { $0 > 0 })
    }

    @Test func unitsAreBelowOne() {
        var random = SplitMix64(seed: 5)
        let draws: [Double] = (0..<10_000).map { _ in random.unit() }
        #expect(draws.allSatisfy { $0 >= 0 && $0 < 1 })
        let mean: Double = draws.reduce(0, +) / 10_000
        #expect(abs(mean - 0.5) < 0.02)
    }

    /// The published test values of 64-bit FNV-1a.
    @Test(arguments: [
        ("", 0xCBF2_9CE4_8422_2325 as UInt64), ("a", 0xAF63_DC4C_8601_EC8C),
        ("foobar", 0x8594_4171_F739_67E8),
    ])
    func theStableHashIsFNV(text: String, hash: UInt64) {
        #expect(StableHash(text).value == hash)
    }
}
