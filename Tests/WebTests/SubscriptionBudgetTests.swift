import Notation
import Testing

@testable import Web

struct SubscriptionBudgetTests {
    private static let second = 1_000_000_000

    private func prefix(_ number: Int, count: Int = 200) -> [UInt8] {
        let digits = Array("\(number)/".utf8)
        return digits + Array(repeating: UInt8(ascii: "x"), count: count - digits.count)
    }

    @Test func allClientsTogetherHoldNoMoreThanTheBound() {
        var budget = SubscriptionBudget(at: 0)
        var taken: [Int] = []
        for client in 0..<256 {
            var share = SubscriptionBudget.Share(at: 0)
            let before = budget.byteCount
            for number in 0..<256 {
                // Hours pass: the rate is no matter here.
                let now = (client * 256 + number) * 60 * Self.second
                _ = budget.take(prefix(client * 256 + number), of: &share, at: now)
            }
            taken.append(budget.byteCount - before)
        }
        #expect(budget.byteCount <= Limits.webSubscriptionBytesMax)
        #expect(taken.allSatisfy { $0 > 600 }, "the last one has its own")
    }

    @Test func changesHaveARateAndAnEndIsPaidBefore() {
        var budget = SubscriptionBudget(at: 0)
        var shares = (0..<256).map { _ in SubscriptionBudget.Share(at: 0) }
        var changes = 0
        var outcome = SubscriptionBudget.Outcome.taken
        for number in 0..<20_000 {
            let one = prefix(number, count: 8)
            outcome = budget.take(one, of: &shares[number % 256], at: 0)
            guard outcome == .taken else { break }
            budget.give(one, isLast: true, of: &shares[number % 256])
            changes += 2
        }
        #expect(outcome == .areAllHasty)
        #expect(changes <= 16_384 && budget.byteCount == 0)
        let later = budget.take(prefix(1), of: &shares[0], at: Self.second)
        #expect(later == .taken)
    }

    /// Each brings `session/<name>` along, which tells where the session moves.
    @Test func prefixesOfAClusterCostForTwo() {
        var budget = SubscriptionBudget(at: 0, followsMoves: true)
        var share = SubscriptionBudget.Share(at: 0)
        let outcome = budget.take(prefix(1), of: &share, at: 0)
        #expect(outcome == .taken)
        #expect(budget.byteCount >= 2 * (200 + Limits.webSubscriptionOverheadBytes))
        budget.give(prefix(1), isLast: true, of: &share)
        #expect(budget.byteCount == 0)
    }

    @Test func oneClientDoesNotUseUpTheRateOfAll() {
        var budget = SubscriptionBudget(at: 0)
        var hasty = SubscriptionBudget.Share(at: 0)
        for _ in 0..<2_000 where budget.take(prefix(0), of: &hasty, at: 0) == .taken {
            budget.give(prefix(0), isLast: true, of: &hasty)
        }
        let last = budget.take(prefix(0), of: &hasty, at: 0)
        #expect(last == .isClientHasty)
        var other = SubscriptionBudget.Share(at: 0)
        for number in 1...50 {
            let outcome = budget.take(prefix(number), of: &other, at: 0)
            #expect(outcome == .taken)
        }
    }

    @Test func aPrefixThatSomebodyHasCostsTheDaemonNothing() {
        var budget = SubscriptionBudget(at: 0)
        var (one, two) = (SubscriptionBudget.Share(at: 0), SubscriptionBudget.Share(at: 0))
        _ = budget.take(prefix(1), of: &one, at: 0)
        let before = budget.byteCount
        budget.join(prefix(1), of: &two)
        #expect(budget.byteCount == before)
        budget.give(prefix(1), isLast: false, of: &one)
        #expect(budget.byteCount == before)
        budget.give(prefix(1), isLast: true, of: &two)
        #expect(budget.byteCount == 0)
    }
}
