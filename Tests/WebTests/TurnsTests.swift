import Testing

@testable import Web

struct TurnsTests {
    @Test func aConstantFloodDoesNotStarveTheOtherSource() {
        var (replies, taken) = (5, 0)
        let isDone = Turns.alternate(
            atMost: 20,
            {
                taken += 1
                return true
            },
            {
                replies -= 1
                return replies >= 0
            })
        #expect(!isDone && replies < 0)
        #expect(taken == 15)
    }

    @Test func itEndsWhereBothAreEmpty() {
        var left = 3
        let isDone = Turns.alternate(
            atMost: 20, { false },
            {
                left -= 1
                return left >= 0
            })
        #expect(isDone && left == -1)
    }
}
