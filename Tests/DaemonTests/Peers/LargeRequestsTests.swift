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
            let isTaken = requests.take(Limits.mediumRequestBytesMin, of: 5, at: Self.second)
            #expect(isTaken)
        }
    }

    /// Medium ones are read of each peer, as far as its share goes, whatever others send.
    @Test func mediumRequestsOfManyLeaveEachItsShare() {
        var requests = LargeRequests()
        let bytes = 60 * 1024
        func count(of peer: CInt, at time: Int) -> Int {
            (0..<10_000).first { _ in !requests.take(bytes, of: peer, at: time) } ?? 10_000
        }
        let peers = CInt(5)..<25
        let all = peers.map { count(of: $0, at: Self.second) }.reduce(0, +)
        let ofShares = 2 * peers.count
        #expect(all == Limits.mediumRequestBurstBytesInAllMax / bytes + 1 + ofShares)
        let late = count(of: 100, at: Self.second)
        #expect(late == 2, "it has asked for nothing yet")
        let again = count(of: 100, at: Self.second)
        #expect(again == 0)
        let next = count(of: 101, at: 2 * Self.second)
        let burst = Limits.mediumRequestBurstBytesInAllMax / bytes + 1
        #expect(next == burst + 2, "all is there again")
    }
}
