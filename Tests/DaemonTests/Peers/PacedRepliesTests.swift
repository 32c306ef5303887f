import Notation
import Testing
import ZeroMQ

@testable import Daemon

struct PacedRepliesTests {
    private static let size = 1_024 * 1_024
    /// Nanoseconds that a reply of this size takes.
    private static let time = size * 1_000_000_000 / Limits.pacedReplyBytesPerSecondMax
    private static let start = 5_000_000_000

    private func reply(
        to descriptor: CInt, _ number: UInt8 = 0, size: Int = Self.size, since now: Int = Self.start
    ) -> PacedReply {
        var envelope = Envelope(identity: [0, number], hasDelimiter: false)
        envelope.descriptor = descriptor
        return PacedReply(
            envelope, Message(copying: [UInt8](repeating: number, count: size)), since: now)
    }

    @Test func oneAloneLeavesAtOnceAndTheNextWaitsForAsLongAsItTakes() {
        var paced = PacedReplies()
        let areSent = (0..<2).map { _ in paced.mayLeave(reply(to: 1), at: Self.start) }
        #expect(areSent == [true, false])
        #expect(paced.due == .max)
        paced.add(reply(to: 1))
        let due = paced.due
        let ahead = Limits.pacedMillisecondsAhead * 1_000_000
        #expect(due == Self.start - ahead + Self.time)
        let early = paced.next(at: due - 1)
        #expect(early == nil)
        let next = paced.next(at: due)
        #expect(next != nil && paced.due == .max)
    }

    @Test func oneLeavesBehindThoseThatWait() {
        var paced = PacedReplies()
        paced.add(reply(to: 1))
        let isSent = paced.mayLeave(reply(to: 1), at: Self.start)
        #expect(!isSent)
    }

    /// The connections of the replies that leave, each as soon as it may.
    private func order(_ paced: inout PacedReplies, most: Int) -> [CInt] {
        var order: [CInt] = []
        while order.count < most, let next = paced.next(at: paced.due) {
            order.append(next.envelope.descriptor)
        }
        return order
    }

    /// One peer asks for twenty, then three others for one each.
    @Test func theConnectionThatHadTheLeastComesFirst() {
        var paced = PacedReplies()
        for number in 0..<20 { paced.add(reply(to: 7, UInt8(number))) }
        let first = order(&paced, most: 5)
        #expect(first == [7, 7, 7, 7, 7])
        for peer in 8..<11 { paced.add(reply(to: CInt(peer))) }
        let next = order(&paced, most: 4)
        #expect(next == [8, 9, 10, 7])
    }

    /// The connection of many clients (gesture-web), some of which had exports.
    @Test func largeRepliesDoNotCountAgainstTheSmallOnesOfTheirConnection() {
        var paced = PacedReplies()
        for number in 0..<20 { paced.add(reply(to: 7, UInt8(number))) }
        _ = order(&paced, most: 20)
        for peer in 8..<16 { paced.add(reply(to: CInt(peer))) }
        paced.add(reply(to: 7, size: 21_000))
        let next = order(&paced, most: 1)
        #expect(next == [7])
    }

    @Test func connectionsThatHadAsMuchTakeTurns() {
        var paced = PacedReplies()
        for peer in 0..<24 {
            for _ in 0..<8 { paced.add(reply(to: CInt(peer))) }
        }
        let order = order(&paced, most: 24 * 8)
        #expect(order.count == 24 * 8)
        for start in stride(from: 0, to: order.count, by: 24) {
            #expect(Set(order[start..<start + 24]).count == 24)
        }
    }

    @Test func aConnectionsRepliesKeepTheirOrder() {
        var paced = PacedReplies()
        for number in 0..<20 { paced.add(reply(to: CInt(number % 2), UInt8(number))) }
        var numbers: [CInt: [UInt8]] = [:]
        while let next = paced.next(at: paced.due) {
            numbers[next.envelope.descriptor, default: []].append(next.envelope.identity[1])
        }
        #expect(numbers[0] == stride(from: 0, to: 20, by: 2).map { UInt8($0) })
        #expect(numbers[1] == stride(from: 1, to: 20, by: 2).map { UInt8($0) })
    }

    @Test(arguments: [0, 1, 3])
    func whatAConnectionHadIsForgottenAfterAWhile(seconds: Int) {
        var paced = PacedReplies()
        for _ in 0..<50 { paced.add(reply(to: 1)) }
        var now = Self.start
        while paced.next(at: now) != nil { now = max(now, paced.due == .max ? now : paced.due) }
        now += seconds * 1_000_000_000
        for peer: CInt in [1, 2] { paced.add(reply(to: peer, since: now)) }
        let next = paced.next(at: max(now, paced.due))
        #expect(next?.envelope.descriptor == (seconds < 2 ? 2 : 1))
    }

    /// Very many peers ask for one large reply each; another one asks for a small one now and then.
    @Test func aSmallOneComesBeforeLargeOnesOfPeersThatHadNothing() {
        var paced = PacedReplies()
        for peer in 0..<180 { paced.add(reply(to: CInt(peer))) }
        var now = Self.start
        for _ in 0..<20 {
            for _ in 0..<8 {
                now = max(now, paced.due)
                _ = paced.next(at: now)
            }
            paced.add(reply(to: 1_000, size: 20_000, since: now))
            let next = paced.next(at: max(now, paced.due))
            #expect(next?.envelope.descriptor == 1_000)
        }
    }

    /// The processor's nanoseconds of one choice among so many connections.
    private func choice(among count: Int) -> Int {
        var paced = PacedReplies()
        for peer in 0..<count {
            for _ in 0..<2 { paced.add(reply(to: CInt(peer), size: 4_096)) }
        }
        let began = Clock.processor()
        for _ in 0..<200 { _ = paced.next(at: paced.due) }
        return (Clock.processor() - began) / 200
    }

    /// It used to look at each of them for each reply, and took longer than the pace.
    @Test func aChoiceTakesAboutAsLongHoweverManyConnectionsThereAre() {
        let (few, many) = (choice(among: 250), choice(among: 8_000))
        #expect(many < 8 * few + 10_000, "\(few) and \(many) ns")
    }

    /// A choice looks at some of the connections, in turn.
    @Test func aSmallOneWaitsForFewTurnsHoweverManyConnectionsThereAre() {
        var paced = PacedReplies()
        let peers = 10 * Limits.pacedLinesLooked
        for peer in 0..<peers { paced.add(reply(to: CInt(peer), size: 100_000)) }
        paced.add(reply(to: CInt(peers), size: 4_096))
        var turns = 0
        while let next = paced.next(at: paced.due), next.size > 4_096 { turns += 1 }
        #expect(turns <= 10, "\(turns)")
    }

    @Test func aSmallOneComesBeforeLargeOnesOfItsConnection() {
        var paced = PacedReplies()
        for _ in 0..<20 { paced.add(reply(to: 7)) }
        paced.add(reply(to: 7, 1, size: 20_000))
        let next = paced.next(at: paced.due)
        #expect(next?.envelope.identity[1] == 1)
    }

    /// However many small ones come, each of a peer that had none.
    @Test func aLargeOneWaitsForSomeSecondsAtMost() {
        var paced = PacedReplies()
        paced.add(reply(to: 0))
        var now = Self.start
        for peer in 1..<1_000_000 {
            paced.add(reply(to: CInt(peer % 10_000), size: 100_000, since: now))
            now = max(now, paced.due)
            if paced.next(at: now)?.envelope.descriptor == 0 { break }
        }
        let seconds = Double(now - Self.start) / 1e9
        #expect((1...10).contains(seconds), "\(seconds) s")
    }

    /// Looks come whenever the reactor wakes up, some milliseconds late.
    @Test(arguments: [1, 3, 7])
    func noMoreLeavesInASecondThanMay(milliseconds: Int) {
        var paced = PacedReplies()
        for peer in 0..<100 { paced.add(reply(to: CInt(peer))) }
        var bytes = 0
        for now in stride(from: 0, to: 1_000_000_000, by: milliseconds * 1_000_000) {
            while let next = paced.next(at: Self.start + now) { bytes += next.size }
        }
        let most = Limits.pacedReplyBytesPerSecondMax + Self.size
        #expect((most * 8 / 10...most).contains(bytes))
    }

    @Test func allThatWaitLeaveAtTheEnd() {
        var paced = PacedReplies()
        for number in 0..<5 { paced.add(reply(to: CInt(number % 2), UInt8(number))) }
        #expect(paced.takeAll().map { $0.envelope.identity[1] } == [0, 1, 2, 3, 4])
        #expect(paced.due == .max)
    }
}
