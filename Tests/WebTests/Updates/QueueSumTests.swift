import Geometry
import Testing

@testable import Web

struct QueueSumTests {
    @Test func theClientForWhichMostWaitsGoesWhereAllHaveTooMuch() {
        var sum = QueueSum<Int>()
        for client in 1...10 { sum.set(client * 10, of: client) }
        #expect(sum.total == 550)
        #expect(sum.largest(above: 550) == nil && sum.largest(above: 549) == 10)
        sum.set(0, of: 10)
        sum.set(1_000, of: 3)
        #expect(sum.total == 1_420 && sum.largest(above: 1_000) == 3)
        for client in 1...10 { sum.set(0, of: client) }
        #expect(sum.total == 0 && sum.largest(above: -1) == nil)
    }

    @Test func theSumAgreesWithAModel() {
        var dice = SplitMix64(seed: 7)
        var (sum, model) = (QueueSum<Int>(), [Int: Int]())
        for _ in 0..<10_000 {
            let client = Int.random(in: 0..<20, using: &dice)
            let cost = Bool.random(using: &dice) ? 0 : Int.random(in: 0..<1_000, using: &dice)
            sum.set(cost, of: client)
            model[client] = cost
            #expect(sum.total == model.values.reduce(0, +))
        }
    }
}
