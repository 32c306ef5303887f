import Notation
import Testing

@testable import Web

struct SlowReadersTests {
    /// The clients that go where so many updates come between all looks.
    private func surplus(
        _ readers: [(client: UInt64, updates: Int)], atMost max: Int
    ) -> [UInt64] {
        var slow = SlowReaders()
        for _ in 0..<3 { _ = slow.surplus(readers, atMost: max) }
        return slow.surplus(readers, atMost: max)
    }

    @Test func thoseWithMostGoUntilTheRestIsWithinTheBound() {
        let readers: [(client: UInt64, updates: Int)] = [
            (1, 50), (2, 10), (3, 70), (4, 50), (5, 20),
        ]
        #expect(surplus(readers, atMost: 200).isEmpty)
        #expect(surplus(readers, atMost: 199) == [3])
        #expect(surplus(readers, atMost: 130) == [3])
        #expect(surplus(readers, atMost: 129) == [3, 4], "the one that came last")
        #expect(surplus(readers, atMost: 0) == [3, 4, 1, 5, 2])
        #expect(surplus([], atMost: 0).isEmpty)
    }

    /// Ten laptops that sleep, before a wall of a hundred sessions that move at 60 Hz: 120 updates
    /// of each in a second.
    @Test func aFewThatSleepStay() {
        let max = Limits.webUnreadUpdatesOfLookMax
        let readers = (1...10).map { (client: UInt64($0), updates: 100 * 120 / 10) }
        #expect(surplus(readers, atMost: max).isEmpty)
        let many = (1...240).map { (client: UInt64($0), updates: 100 * 120 / 10) }
        #expect(surplus(many, atMost: max).count > 200)
    }

    /// The machine stood still, and what came meanwhile comes at once.
    @Test func noneGoesForABurst() {
        var slow = SlowReaders()
        let usual: [(client: UInt64, updates: Int)] = [(1, 90)]
        for _ in 0..<4 { #expect(slow.surplus(usual, atMost: 100).isEmpty) }
        #expect(slow.surplus([(1, 130)], atMost: 100).isEmpty)
        #expect(slow.surplus([(1, 300)], atMost: 100) == [1])
    }
}
