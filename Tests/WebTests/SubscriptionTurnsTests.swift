import Notation
import Testing

@testable import Web

struct SubscriptionTurnsTests {
    private static let second = 1_000_000_000

    private func prefix(_ number: Int) -> [UInt8] { Array("x/\(number)".utf8) }

    @Test func aNewcomerHasItsPrefixesThoughOthersWantAllTheyMay() {
        var budget = SubscriptionBudget(at: 0)
        var shares = (0...24).map { _ in SubscriptionBudget.Share(at: 0) }
        var turns = SubscriptionTurns<Int>()
        var number = 0
        var newcomers: [Int] = []
        // For ten seconds each of 24 clients begins and ends as much as it gets; the newcomer comes
        // once the rate of all is used up.
        for time in stride(from: 0, to: 10 * Self.second, by: Self.second / 100) {
            for client in 0..<24 {
                while turns.count(of: client) < 10 {
                    number += 1
                    turns.add(prefix(number), of: client)
                }
            }
            if time == 5 * Self.second {
                for one in 0..<5 { turns.add(prefix(-1 - one), of: 24) }
            }
            _ = turns.advance { client, prefix in
                switch budget.take(prefix, of: &shares[client], at: time) {
                case .taken: break
                case .refused: return .done
                case .isClientHasty: return .waits
                case .areAllHasty: return .allWait
                }
                if client == 24 { newcomers.append(time) }
                budget.give(prefix, isLast: true, of: &shares[client])
                return .done
            }
        }
        #expect(newcomers.count == 5, "none is refused")
        #expect((newcomers.last ?? .max) < 5 * Self.second + Self.second / 2)
    }

    @Test func prefixesComeInTheirOrderAndByTurns() {
        var turns = SubscriptionTurns<Int>()
        for number in 1...3 {
            turns.add(prefix(number), of: 1)
            turns.add(prefix(10 * number), of: 2)
        }
        #expect(turns.count == 6 && turns.contains(prefix(20), of: 2))
        let wasThere = turns.remove(prefix(20), of: 2)
        let isAgain = turns.remove(prefix(20), of: 2)
        #expect(wasThere && !isAgain)
        var begun: [[UInt8]] = []
        var room = 3
        func begin(_ client: Int, _ prefix: [UInt8]) -> SubscriptionTurns<Int>.Outcome {
            if room == 0 { return .allWait }
            room -= 1
            begun.append(prefix)
            return .done
        }
        _ = turns.advance(begin)
        #expect(begun == [1, 10, 2].map(prefix) && turns.count == 2)
        room = 10
        _ = turns.advance(begin)
        #expect(begun == [1, 10, 2, 30, 3].map(prefix) && turns.isEmpty)
    }

    @Test func whoHasHadItsPartHoldsOthersUpNotAtAll() {
        var turns = SubscriptionTurns<Int>()
        for client in 1...3 { for number in 1...2 { turns.add(prefix(number), of: client) } }
        var begun: [Int] = []
        let isOver = turns.advance { client, _ in
            if client == 2 { return .waits }
            begun.append(client)
            return .done
        }
        #expect(isOver && begun == [1, 3, 1, 3] && turns.count == 2 && turns.count(of: 2) == 2)
        turns.removeAll(of: 2)
        #expect(turns.isEmpty)
    }

    /// All that was held back may begin at once, as when all the rest is held by others already.
    @Test func whatMayBeginAtOnceBeginsAFewAtATimeAndByTurns() {
        var turns = SubscriptionTurns<Int>()
        for client in 0..<225 { for number in 0..<253 { turns.add(prefix(number), of: client) } }
        var begun: [Int] = []
        var isOver = turns.advance(atMost: 64) { client, _ in
            begun.append(client)
            return .done
        }
        #expect(!isOver && begun == Array(0..<64))
        // A newcomer's first one is after one of each of them.
        turns.add(prefix(0), of: 999)
        for _ in 0..<4 {
            isOver = turns.advance(atMost: 64) { client, _ in
                begun.append(client)
                return .done
            }
        }
        #expect(!isOver && begun.count == 320 && begun.contains(999))
        #expect(begun[..<225].elementsEqual(0..<225))
        while !isOver {
            isOver = turns.advance(atMost: 64) { _, _ in .done }
        }
        #expect(turns.isEmpty)
    }
}
