import Geometry
import Testing

@testable import Daemon

struct LaneChoiceTests {
    private func choice(_ seed: UInt64, count: Int = 8) -> LaneChoice {
        var generator = SplitMix64(seed: seed)
        return LaneChoice(count: count, by: &generator)
    }

    @Test func aNameHasOneLaneWhetherItIsTextOrBytes() {
        let choice = choice(1)
        for length in 1...128 {
            let name = String(repeating: "n", count: length)
            let bytes = Array(name.utf8)
            #expect(choice.lane(of: name) == choice.lane(of: unsafe bytes.span.bytes))
            #expect((0..<8).contains(choice.lane(of: name)))
        }
    }

    /// Seed 1.
    @Test func namesAreSharedOutEvenly() {
        let choice = choice(1)
        var counts = Array(repeating: 0, count: 8)
        for index in 0..<8_000 { counts[choice.lane(of: "s\(index)")] += 1 }
        #expect(counts.allSatisfy { (850...1_150).contains($0) }, "\(counts)")
    }

    /// The two names have one `StableHash`, and so would have one lane under every key that is
    /// mixed into it. Seeds 1 to 400.
    @Test(arguments: [
        ("8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ"), ("alice", "bob"), ("a", "aaaaaaaa"),
    ])
    func twoNamesMeetUnderAnEighthOfTheKeysAlone(one: String, other: String) {
        let met = (1...400).count { seed in
            let choice = choice(UInt64(seed))
            return choice.lane(of: one) == choice.lane(of: other)
        }
        #expect((20...85).contains(met), "\(met)")
    }

    @Test func eachStartDrawsAKeyOfItsOwn() {
        let names = (0..<64).map { "s\($0)" }
        let (one, other) = (LaneChoice(count: 8), LaneChoice(count: 8))
        #expect(names.map { one.lane(of: $0) } != names.map { other.lane(of: $0) })
    }
}
