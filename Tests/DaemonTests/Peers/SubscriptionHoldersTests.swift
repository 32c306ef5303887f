import Geometry
import Notation
import Testing
import ZeroMQ

@testable import Daemon

struct SubscriptionHoldersTests {
    private static func peer(_ number: Int, at descriptor: CInt? = nil) -> Sender {
        Sender(number: number, descriptor: descriptor ?? CInt(number + 10))
    }

    @Test func anEndCountsOnlyFromAHolder() {
        var holders = SubscriptionHolders()
        #expect(holders.insert("badge/alice", by: Self.peer(1)) == .begins)
        #expect(holders.remove("badge/alice", by: Self.peer(2)) == .none)
        #expect(holders.remove("state/alice", by: Self.peer(2)) == .none)
        #expect(holders.insert("badge/alice", by: Self.peer(2)) == .none)
        for _ in 0..<3 { #expect(holders.remove("badge/alice", by: Self.peer(1)) != .begins) }
        #expect(holders.count == 1, "the second still holds it")
        #expect(holders.remove("badge/alice", by: Self.peer(2)) == .ends)
        #expect(holders.count == 0 && holders.bytes == 0)
    }

    @Test func theFirstPrefixesOfAConnectionAreListed() throws {
        var holders = SubscriptionHolders()
        for number in (10..<90).shuffled() {
            _ = holders.insert("badge/\(number)", by: Self.peer(1))
        }
        let held = try #require(holders.held(by: 11, listing: 3))
        #expect(held.count == 80 && held.first == ["badge/10", "badge/11", "badge/12"])
        #expect(holders.held(by: 11, listing: 100)?.first.count == 80)
        #expect(holders.held(by: 12, listing: 3) == nil)
    }

    @Test func anAnswerToPeersServesAllWhoAskWithinAMoment() {
        var peers = KeptPeers()
        #expect(peers.text(at: 5) == nil)
        peers.keep([1], at: 5)
        #expect(peers.text(at: 6) == [1])
        #expect(peers.text(at: 5 + Limits.peersKeptMilliseconds * 1_000_000) == nil)
    }

    @Test func aConnectionThatSubscribesTwiceHoldsItOnce() {
        var holders = SubscriptionHolders()
        #expect(holders.insert("a", by: Self.peer(1)) == .begins)
        #expect(holders.insert("a", by: Self.peer(1)) == .none)
        #expect(holders.remove("a", by: Self.peer(1)) == .ends)
    }

    @Test func theLastConnectionThatClosesEndsIt() {
        var holders = SubscriptionHolders()
        _ = holders.insert("a", by: Self.peer(1))
        _ = holders.insert("a", by: Self.peer(2))
        #expect(holders.remove("a", by: nil) == .none)
        #expect(holders.remove("a", by: nil) == .ends)
        #expect(holders.insert("a", by: Self.peer(3)) == .begins)
    }

    @Test func aFloodFromOneConnectionIsToldOnce() {
        var holders = SubscriptionHolders()
        let peer = Self.peer(1)
        var cuts = 0
        for index in 0..<Limits.subscriptionBurstMax + 10 {
            _ = index % 2 == 0 ? holders.insert("a", by: peer) : holders.remove("a", by: peer)
            if holders.isFlood(from: peer, at: 1_000_000_000) { cuts += 1 }
            if index < Limits.subscriptionBurstMax { #expect(cuts == 0) }
        }
        #expect(cuts == 1)
    }

    /// Swift takes U+212A for the letter K, and repairs what is no UTF-8.
    @Test func bytesThatDifferAreDifferentSubscriptions() {
        let texts: [[UInt8]] = [
            Array("state/Kitchen".utf8), Array("state/\u{212A}itchen".utf8), [0x80, 0x81],
            [0x81, 0x80], [0xff], Array("\u{e0ff}".utf8),
        ]
        let keys = texts.map { SubscriptionBook.key($0[...]) }
        #expect(Set(keys).count == texts.count)
        #expect(keys[0] == "state/Kitchen")
        #expect(SubscriptionBook.interest(of: keys[1]) == .other)
    }

    /// A monitor that stays while others come and go on one descriptor.
    @Test func closedConnectionsAreForgottenWhenTheirDescriptorIsUsedAgain() {
        var holders = SubscriptionHolders()
        _ = holders.insert("a", by: Self.peer(1))
        for number in 2..<2_000 {
            #expect(holders.insert("a", by: Self.peer(number, at: 5)) == .none)
            // libzmq reports the end before the next connection comes, or after.
            if number % 2 == 0 { #expect(holders.remove("a", by: nil) == .none) }
            if number % 2 == 1, number > 2 { #expect(holders.remove("a", by: nil) == .none) }
        }
        #expect(holders.bytes <= 2 * (1 + Limits.subscriptionOverheadBytes))
        #expect(holders.remove("a", by: Self.peer(1)) == .ends)
    }

    /// Against libzmq's table as it is: sets of connections, each end reported, those of a closed
    /// connection without a sender.
    @Test(arguments: 0..<40)
    func itCountsAsLibzmqDoes(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        var holders = SubscriptionHolders()
        var table: [String: Set<Int>] = [:]
        var open: [CInt: Int] = [:]
        var latest = 0
        for step in 0..<3_000 {
            let descriptor = CInt(below(6))
            let prefix = ["", "a", "b", "ab", "c"][below(5)]
            if below(8) == 0, let number = open.removeValue(forKey: descriptor) {
                for (prefix, numbers) in table where numbers.contains(number) {
                    table[prefix]?.remove(number)
                    let change = holders.remove(prefix, by: nil)
                    #expect((change == .ends) == (table[prefix]?.isEmpty == true))
                }
                continue
            }
            if open[descriptor] == nil {
                latest += 1
                open[descriptor] = latest
            }
            let number = open[descriptor] ?? 0
            let sender = Sender(number: number, descriptor: descriptor)
            let before = table[prefix, default: []]
            if below(2) == 0 {
                table[prefix, default: []].insert(number)
                let change = holders.insert(prefix, by: sender)
                #expect((change == .begins) == before.isEmpty, "seed \(seed), step \(step)")
            } else {
                table[prefix, default: []].remove(number)
                let change = holders.remove(prefix, by: sender)
                let isEnd = !before.isEmpty && table[prefix]?.isEmpty == true
                #expect((change == .ends) == isEnd, "seed \(seed), step \(step)")
            }
            #expect(holders.count == table.values.count { !$0.isEmpty })
        }
        for (prefix, numbers) in table {
            for _ in numbers { _ = holders.remove(prefix, by: nil) }
        }
        #expect(holders.count == 0)
    }
}
