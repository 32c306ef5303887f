import Testing

@testable import Web

struct RateLimitTests {
    @Test func aBurstIsTakenAtOnceAndThenTheRate() {
        var limit = RateLimit(perSecond: 10, burst: 3, at: 0)
        func taken(_ count: Int, at time: Int) -> [Bool] {
            (0..<count).map { _ in limit.take(1, at: time) }
        }
        #expect(taken(4, at: 0) == [true, true, true, false])
        #expect(taken(1, at: 99_000_000) == [false])
        #expect(taken(2, at: 100_000_000) == [true, false])
        // A clock that stands still or a long silence gives no more than the burst.
        #expect(taken(4, at: .max) == [true, true, true, false])
        #expect(taken(1, at: 0) == [false])
    }
}
