import Testing

@testable import Bridges

@Suite struct SharedTests {
    private enum Name: String, CaseIterable { case packets, malformed }

    @Test func countersKeepTheirOrderAndBeginAtZero() {
        var counters = Counters<Name>()
        counters.count(.malformed)
        counters.count(.malformed, 2)
        #expect(counters.line == "packets=0 malformed=3")
        #expect(counters[.malformed] == 3)
    }

    @Test func aQueueGivesBackInOrderAndIsBoundedByCount() {
        var queue = BoundedQueue<Int>(countMax: 3, bytesMax: 100)
        for number in 0..<3 { _ = queue.append(number, bytes: 1) }
        let isTaken = queue.append(3, bytes: 1)
        #expect(!isTaken && queue.count == 3)
        var given: [Int] = []
        while let first = queue.first {
            given.append(first)
            queue.removeFirst()
        }
        #expect(given == [0, 1, 2] && queue.bytes == 0)
        queue.removeFirst()
        #expect(queue.isEmpty)
    }

    @Test func aQueueIsBoundedByBytesButTakesOneOfAnySize() {
        var queue = BoundedQueue<String>(countMax: 10, bytesMax: 4)
        let first = queue.append("long", bytes: 9)
        let second = queue.append("short", bytes: 1)
        #expect(first && !second)
        #expect(queue.removeAll() == 1 && queue.bytes == 0)
    }
}
