import Notation
import Testing

@testable import Daemon

struct LargeRequestsTests {
    private static let second = 1_000_000_000
    private static let each = Limits.messageBytesMax

    /// How many of the largest a peer may send until one is refused.
    private func count(_ requests: inout LargeRequests, of peer: CInt, at time: Int) -> Int {
        (0..<1_000).first { _ in !requests.take(Self.each, of: peer, at: time) } ?? 1_000
    }

    @Test func aPeerHasABurstAndAnAmountInEachSecond() {
        var requests = LargeRequests()
        let burst = count(&requests, of: 5, at: Self.second)
        #expect(burst == Limits.largeRequestBurstBytesMax / Self.each + 1)
        let later = count(&requests, of: 5, at: 2 * Self.second)
        #expect(later == Limits.largeRequestBytesPerSecondMax / Self.each)
        let other = count(&requests, of: 6, at: 2 * Self.second)
        #expect(other > Limits.largeRequestBytesPerSecondMax / Self.each, "it has its own burst")
    }

    @Test func allPeersTogetherHaveABound() {
        var requests = LargeRequests()
        let counts = (0..<10).map { count(&requests, of: $0, at: Self.second) }
        let sum = counts.reduce(0, +)
        #expect(sum == Limits.largeRequestBurstBytesInAllMax / Self.each + 1)
        let later = (0..<10).map { count(&requests, of: $0, at: 2 * Self.second) }.reduce(0, +)
        #expect(later == Limits.largeRequestBytesPerSecondInAllMax / Self.each)
    }

    @Test func usualRequestsAreNotCounted() {
        var requests = LargeRequests()
        for _ in 0..<10_000 {
            let isTaken = requests.take(Limits.largeRequestBytesMin, of: 5, at: Self.second)
            #expect(isTaken)
        }
    }
}
