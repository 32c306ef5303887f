import Notation
import Testing

@testable import Daemon

struct UsedSlotsTests {
    private func takeAll(_ used: inout UsedSlots) -> [Int] {
        _ = used.beginPhase()
        var taken: [Int] = []
        while let slot = used.take() { taken.append(slot) }
        return taken
    }

    @Test func eachIsTakenOnceWithinAllPhases() {
        var used = UsedSlots()
        let slots = [0, 1, 63, 64, 639, 640, 641, 5_000, 99_999]
        for slot in slots + slots { used.insert(slot) }
        var taken: [Int] = []
        for _ in 0..<Limits.usedPhases { taken += takeAll(&used) }
        #expect(taken.sorted() == slots)
        for _ in 0..<Limits.usedPhases { #expect(takeAll(&used) == []) }
    }

    @Test func manyAreSpreadOverThePhases() {
        var used = UsedSlots()
        for slot in 0..<6_400 { used.insert(slot) }
        for _ in 0..<Limits.usedPhases { #expect(takeAll(&used).count == 640) }
    }

    @Test func oneThatIsInsertedAgainWaitsForItsNextTurn() {
        var used = UsedSlots()
        used.insert(0)
        used.insert(1)
        #expect(used.beginPhase() && used.take() == 0)
        used.insert(0)
        used.insert(2)
        #expect(used.take() == 1 && used.take() == nil)
        for _ in 1..<Limits.usedPhases { #expect(takeAll(&used) == []) }
        #expect(takeAll(&used) == [0, 2])
    }

    @Test func moreSlotsAfterAPhaseKeepNoneFromBeginning() {
        var used = UsedSlots()
        used.insert(0)
        #expect(takeAll(&used) == [0])
        used.insert(64 * Limits.usedPhases)
        used.insert(64)
        #expect(takeAll(&used) == [64])
    }

    @Test func aPhaseEndsBeforeTheNextBegins() {
        var used = UsedSlots()
        used.insert(0)
        used.insert(64)
        used.insert(1)
        #expect(used.beginPhase() && !used.beginPhase())
        #expect(used.take() == 0 && !used.beginPhase())
        #expect(used.take() == 1 && used.take() == nil)
        #expect(used.beginPhase() && used.take() == 64)
    }
}
