import Notation
import Testing

@testable import Web

struct RequestTurnsTests {
    private func request(_ size: Int = 10) -> ClientRequest {
        ClientRequest(operation: [], members: [UInt8](repeating: 0x20, count: size))
    }

    @Test func clientsTakeTurns() {
        var turns = RequestTurns<Int>()
        for client in 1...3 {
            for _ in 0..<2 { #expect(turns.add(request(), of: client, until: 0) == nil) }
        }
        var order: [Int] = []
        while let next = turns.next() { order.append(next.client) }
        #expect(order == [1, 2, 3, 1, 2, 3] && turns.underWay == 6 && turns.waitingCount == 0)
    }

    @Test func whoComesLateIsNextThoughOthersHaveAllThereIs() {
        var turns = RequestTurns<Int>()
        for client in 1...20 {
            for _ in 0..<Limits.webRequestsMax {
                #expect(turns.add(request(), of: client, until: 0) == nil)
            }
            #expect(turns.add(request(), of: client, until: 0)?.contains("limit_requests ") == true)
        }
        while turns.next() != nil {}
        #expect(turns.underWay == Limits.webRequestsInAllMax)
        #expect(turns.add(request(), of: 99, until: 0) == nil)
        // One answer lets one more through; after one of each other client it is the newcomer's.
        var order: [Int] = []
        for _ in 1...21 {
            turns.answered(1, after: nil)
            if let next = turns.next() { order.append(next.client) }
        }
        #expect(order.contains(99))
        #expect(turns.next() == nil)
    }

    /// Their answers come one behind the other, and others' behind them.
    @Test func largeAnswersAreAwaitedAFewAtATime() {
        var turns = RequestTurns<Int>()
        let export = ClientRequest(operation: Array("export".utf8), members: [0x20])
        for client in 1...40 { _ = turns.add(export, of: client, until: 0) }
        var passed: [Int] = []
        while let next = turns.next() { passed.append(next.client) }
        #expect(passed.count == Limits.webAwaitedBytesMax / Limits.webExportGuessBytes)
        #expect(turns.awaitedBytes == Limits.webAwaitedBytesMax)
        // Small ones were awaited; the next one of a client is taken to be as large as its last.
        turns.answered(1, after: 30_000_000, bytes: 1_000)
        turns.answered(2, after: nil)
        while let next = turns.next() { passed.append(next.client) }
        #expect(passed.count == Limits.webAwaitedBytesMax / Limits.webExportGuessBytes + 2)
        _ = turns.add(export, of: 1, until: 0)
        turns.remove(3)
        turns.answered(3, after: 30_000_000, bytes: 1_000)
        while let next = turns.next() { passed.append(next.client) }
        #expect(turns.awaitedBytes <= Limits.webAwaitedBytesMax)
        while turns.underWay > 0 {
            guard let client = passed.popLast() else { break }
            turns.answered(client, after: nil)
        }
        #expect(turns.awaitedBytes == 0)
    }

    @Test func whoIsAnsweredSoonDoesNotWaitForCostlyRequestsOfManyOthers() {
        var turns = RequestTurns<Int>()
        // The daemon takes 5 ms for each request of 240 clients, one after the other, and none for
        // those of the last one.
        for client in 0..<240 {
            for _ in 0..<Limits.webRequestsMax { _ = turns.add(request(), of: client, until: 0) }
        }
        let light = 999
        var (time, sent) = (0, [(client: Int, time: Int)]())
        var asked: Int?
        var longest = 0
        var newcomer: (asked: Int, passed: Int)?
        for round in 0..<2_000 {
            if round == 1_500 {
                _ = turns.add(request(), of: 1_000, until: 0)
                newcomer = (round, 0)
            }
            while let next = turns.next() {
                if next.client == 1_000 {
                    newcomer?.passed = round
                    turns.answered(1_000, after: 1_000_000)
                } else if next.client == light {
                    if round > 1_000, let asked { longest = max(longest, time - asked) }
                    asked = nil
                    turns.answered(light, after: 1_000_000)
                } else {
                    sent.append((next.client, time))
                }
            }
            if asked == nil, turns.add(request(), of: light, until: 0) == nil { asked = time }
            time += 5_000_000
            let done = sent.removeFirst()
            turns.answered(done.client, after: time - done.time)
            _ = turns.add(request(), of: done.client, until: 0)
        }
        #expect(longest <= 5_000_000, "it waits for one of them at most")
        let wait = newcomer.map { $0.passed - $0.asked }
        #expect(wait == 0 || wait == 1, "so does the first request of a newcomer")
    }

    @Test func oneClientHasAPartOfThoseAtOnce() {
        var turns = RequestTurns<Int>()
        for _ in 0..<Limits.webRequestsMax { _ = turns.add(request(), of: 1, until: 0) }
        var count = 0
        while turns.next() != nil { count += 1 }
        #expect(count == Limits.webRequestsAtOnceMax)
    }

    @Test func bytesThatWaitAreBounded() {
        var turns = RequestTurns<Int>()
        let large = Limits.messageBytesMax - 100
        var refused = 0
        for client in 0..<100 {
            for _ in 0..<Limits.webRequestsMax
            where turns.add(request(large), of: client, until: 0) != nil { refused += 1 }
            #expect(turns.byteCount <= Limits.webWaitingBytesMax)
            while turns.next() != nil {}
        }
        #expect(refused > 2_000 && turns.byteCount > Limits.webWaitingBytesMax / 8)
        // A small one always fits.
        #expect(turns.add(request(100), of: 1_000, until: 0) == nil)
    }

    @Test func whatIsLateOrGoneLeaves() {
        var turns = RequestTurns<Int>()
        for number in 1...5 { _ = turns.add(request(), of: 1, until: number) }
        for number in 1...5 { _ = turns.add(request(), of: 2, until: number) }
        #expect(turns.expire(at: 3).count == 4 && turns.waitingCount == 6)
        #expect(turns.next()?.client == 1)
        turns.remove(1)
        #expect(turns.waitingCount == 3 && turns.underWay == 1)
        turns.answered(1, after: nil)
        #expect(turns.underWay == 0 && turns.byteCount == 30)
        #expect(turns.expire(at: 10).count == 3 && turns.byteCount == 0 && turns.next() == nil)
    }
}
