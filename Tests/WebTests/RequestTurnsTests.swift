import Notation
import Testing

@testable import Web

struct RequestTurnsTests {
    private func request(_ size: Int = 10, about session: String? = nil) -> ClientRequest {
        ClientRequest(
            operation: Array("time".utf8), members: [UInt8](repeating: 0x20, count: size),
            session: session.map { Array($0.utf8) })
    }

    @Test func clientsTakeTurns() {
        var turns = RequestTurns<Int>()
        for client in 1...3 {
            for _ in 0..<2 { #expect(turns.add(request(), of: client, until: 0) == nil) }
        }
        var order: [Int] = []
        while let next = turns.next() { order.append(next.request.client) }
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
        var passed: [RequestTurns<Int>.Outstanding] = []
        while let next = turns.next() { passed.append(next.outstanding) }
        #expect(turns.underWay == Limits.webRequestsInAllMax)
        #expect(turns.add(request(), of: 99, until: 0) == nil)
        // One answer lets one more through; after one of each other client it is the newcomer's.
        var order: [Int] = []
        for _ in 1...21 {
            turns.answered(passed.removeFirst(), after: nil)
            if let next = turns.next() { order.append(next.outstanding.client) }
        }
        #expect(order.contains(99))
        #expect(turns.next() == nil)
    }

    /// Their answers come one behind the other, and others' behind them.
    @Test func largeAnswersAreAwaitedAFewAtATime() {
        var turns = RequestTurns<Int>()
        let export = ClientRequest(operation: Array("export".utf8), members: [0x20])
        for client in 1...40 { _ = turns.add(export, of: client, until: 0) }
        var passed: [RequestTurns<Int>.Outstanding] = []
        while let next = turns.next() { passed.append(next.outstanding) }
        #expect(passed.count == Limits.webAwaitedBytesMax / Limits.webExportGuessBytes)
        #expect(turns.awaitedBytes == Limits.webAwaitedBytesMax)
        // Small ones were awaited; the next one of a client is taken to be as large as its last.
        turns.answered(passed.removeFirst(), after: 30_000_000, bytes: 1_000)
        turns.answered(passed.removeFirst(), after: nil)
        while let next = turns.next() { passed.append(next.outstanding) }
        #expect(passed.count == Limits.webAwaitedBytesMax / Limits.webExportGuessBytes)
        _ = turns.add(export, of: 1, until: 0)
        turns.remove(3)
        turns.answered(passed.removeFirst(), after: 30_000_000, bytes: 1_000)
        while let next = turns.next() { passed.append(next.outstanding) }
        #expect(turns.awaitedBytes <= Limits.webAwaitedBytesMax)
        for outstanding in passed { turns.answered(outstanding, after: nil) }
        #expect(turns.underWay == 0 && turns.awaitedBytes == 0)
    }

    /// A newcomer leaves before its answer has come, and others come in its place.
    @Test func largeAnswersOfClientsThatComeAndGoAreAwaitedAFewAtATime() {
        var turns = RequestTurns<Int>()
        let snapshot = ClientRequest(operation: Array("snapshot".utf8), members: [0x20])
        let time = ClientRequest(operation: Array("time".utf8), members: [0x20])
        let size = 780_000
        var (client, mostUnderWay) = (0, 0)
        var passed: [RequestTurns<Int>.Outstanding] = []
        for round in 0..<2_000 {
            for _ in 0..<4 { _ = turns.add(snapshot, of: client, until: 0) }
            while let next = turns.next() { passed.append(next.outstanding) }
            if client >= 60 { turns.remove(client - 60) }
            client += 1
            if round > 100 { mostUnderWay = max(mostUnderWay, turns.underWay) }
            if passed.isEmpty { continue }
            turns.answered(passed.removeFirst(), after: 30_000_000, bytes: size)
        }
        #expect(mostUnderWay <= Limits.webAwaitedBytesMax / size && mostUnderWay > 5)
        // The answer of a newcomer that is never large need not wait for them.
        while let next = turns.next() { passed.append(next.outstanding) }
        _ = turns.add(time, of: client, until: 0)
        let next = turns.next()
        #expect(next?.outstanding.client == client)
        while !passed.isEmpty {
            turns.answered(passed.removeFirst(), after: nil)
            while let next = turns.next() { passed.append(next.outstanding) }
        }
        #expect(turns.underWay == 1 && turns.awaitedBytes == 0)
    }

    /// Whose answers come soon, and are large.
    @Test func largeAnswersThatComeSoonAreAwaitedAFewAtATime() {
        var turns = RequestTurns<Int>()
        let snapshot = ClientRequest(operation: Array("snapshot".utf8), members: [0x20])
        // All are known by their first answers, and wait for their second ones.
        for _ in 0..<2 {
            for client in 0..<60 { _ = turns.add(snapshot, of: client, until: 0) }
        }
        for _ in 0..<60 {
            guard let next = turns.next() else { break }
            turns.answered(next.outstanding, after: 1_000_000, bytes: 780_000)
        }
        var passed: [RequestTurns<Int>.Outstanding] = []
        while let next = turns.next() { passed.append(next.outstanding) }
        #expect(turns.awaitedBytes <= Limits.webAwaitedBytesMax && !passed.isEmpty)
    }

    /// Half as large ones would always find room before it.
    @Test func theLargestAnswerHasItsTurn() {
        var turns = RequestTurns<Int>()
        let snapshot = ClientRequest(operation: Array("snapshot".utf8), members: [0x20])
        let export = ClientRequest(operation: Array("export".utf8), members: [0x20])
        for client in 0..<60 {
            for _ in 0..<8 { _ = turns.add(snapshot, of: client, until: 0) }
        }
        var passed: [RequestTurns<Int>.Outstanding] = []
        while let next = turns.next() { passed.append(next.outstanding) }
        _ = turns.add(export, of: 99, until: 0)
        var answers = 0
        while !passed.contains(where: { $0.client == 99 }), answers < 200 {
            turns.answered(passed.removeFirst(), after: 30_000_000, bytes: 400_000)
            answers += 1
            while let next = turns.next() { passed.append(next.outstanding) }
        }
        #expect(answers <= 120)
    }

    @Test func whoIsAnsweredSoonDoesNotWaitForCostlyRequestsOfManyOthers() {
        var turns = RequestTurns<Int>()
        // The daemon takes 5 ms for each request of 240 clients, one after the other, and none for
        // those of the last one.
        for client in 0..<240 {
            for _ in 0..<Limits.webRequestsMax { _ = turns.add(request(), of: client, until: 0) }
        }
        let light = 999
        var (time, sent) = (0, [(outstanding: RequestTurns<Int>.Outstanding, time: Int)]())
        var asked: Int?
        var longest = 0
        var newcomer: (asked: Int, passed: Int)?
        for round in 0..<2_000 {
            if round == 1_500 {
                _ = turns.add(request(), of: 1_000, until: 0)
                newcomer = (round, 0)
            }
            while let outstanding = turns.next()?.outstanding {
                if outstanding.client == 1_000 {
                    newcomer?.passed = round
                    turns.answered(outstanding, after: 1_000_000)
                } else if outstanding.client == light {
                    if round > 1_000, let asked { longest = max(longest, time - asked) }
                    asked = nil
                    turns.answered(outstanding, after: 1_000_000)
                } else {
                    sent.append((outstanding, time))
                }
            }
            if asked == nil, turns.add(request(), of: light, until: 0) == nil { asked = time }
            time += 5_000_000
            let done = sent.removeFirst()
            turns.answered(done.outstanding, after: time - done.time)
            _ = turns.add(request(), of: done.outstanding.client, until: 0)
        }
        #expect(longest <= 5_000_000, "it waits for one of them at most")
        let wait = newcomer.map { $0.passed - $0.asked }
        #expect(wait == 0 || wait == 1, "so does the first request of a newcomer")
    }

    /// Many clients ask seldom, and some of their answers come soon. The daemon serves ten sessions
    /// in turns, a request in 3 ms, and those of the last client in 40 ms.
    @Test func clientsOfCostlySessionsDoNotKeepALightOneWaiting() {
        var turns = RequestTurns<Int>()
        let (light, clients, sessions) = (999, 240, 10)
        typealias Sent = (outstanding: RequestTurns<Int>.Outstanding, session: Int, time: Int)
        var (time, lines) = (0, [[Sent]](repeating: [], count: sessions))
        var lightSent: Sent?
        var (asked, waits) = (0, [Int]())
        var chance = UInt32(1)
        // More of them are about the first sessions than about the last ones.
        func ask(_ client: Int) {
            chance = chance &* 1_664_525 &+ 1_013_904_223
            let number = Int(chance >> 16) % 100
            _ = turns.add(request(about: "\(number * number / 1_000)"), of: client, until: 0)
        }
        _ = turns.add(request(about: "light"), of: light, until: 0)
        for round in 0..<3_000 {
            // Each client comes at another time, so that few wait at the beginning.
            if round < clients { for _ in 0..<Limits.webRequestsMax { ask(round) } }
            while let (next, outstanding) = turns.next() {
                let name = String(decoding: next.request.session ?? [], as: UTF8.self)
                if let session = Int(name) {
                    lines[session].append((outstanding, session, time))
                } else {
                    lightSent = (outstanding, 0, time)
                }
            }
            time += 3_000_000
            let served = (0..<sessions).map { (round + $0) % sessions }.first { !lines[$0].isEmpty }
            if let served {
                let done = lines[served].removeFirst()
                turns.answered(done.outstanding, after: time - done.time)
                ask(done.outstanding.client)
            }
            if let done = lightSent, time - done.time >= 40_000_000 {
                turns.answered(done.outstanding, after: time - done.time)
                if round > clients { waits.append(time - asked) }
                (lightSent, asked) = (nil, time)
                _ = turns.add(request(about: "light"), of: light, until: 0)
            }
        }
        #expect(waits.count > 150)
        #expect((waits.max() ?? .max) <= 60_000_000)
    }

    /// The daemon answers one request each 30 µs, those of the last client after 30 ms.
    @Test func lightRequestsOfManyLeaveNewcomersAndCostlyRequestsTheirTurns() {
        var turns = RequestTurns<Int>()
        for client in 0..<48 {
            for _ in 0..<Limits.webRequestsMax { _ = turns.add(request(), of: client, until: 0) }
        }
        let (costly, firstNewcomer) = (500, 1_000)
        for _ in 0..<Limits.webRequestsMax { _ = turns.add(request(), of: costly, until: 0) }
        var (time, sent) = (0, [(outstanding: RequestTurns<Int>.Outstanding, time: Int)]())
        var costlySent = sent
        var (asked, waits, costlyCount) = ([Int: Int](), [Int](), 0)
        for round in 0..<40_000 {
            if round > 10_000, round.isMultiple(of: 1_000) {
                let newcomer = firstNewcomer + round / 1_000
                _ = turns.add(request(), of: newcomer, until: 0)
                asked[newcomer] = time
            }
            while let outstanding = turns.next()?.outstanding {
                if outstanding.client >= firstNewcomer {
                    waits.append(time - (asked[outstanding.client] ?? 0))
                    turns.answered(outstanding, after: 1_000_000)
                } else if outstanding.client == costly {
                    costlySent.append((outstanding, time))
                } else {
                    sent.append((outstanding, time))
                }
            }
            time += 30_000
            if !sent.isEmpty {
                let done = sent.removeFirst()
                turns.answered(done.outstanding, after: time - done.time)
                _ = turns.add(request(), of: done.outstanding.client, until: 0)
            }
            while let done = costlySent.first, time - done.time >= 30_000_000 {
                costlySent.removeFirst()
                costlyCount += 1
                turns.answered(done.outstanding, after: time - done.time)
                _ = turns.add(request(), of: costly, until: 0)
            }
        }
        #expect(waits.count == 29, "all newcomers are served")
        #expect((waits.max() ?? .max) <= 10_000_000)
        #expect(costlyCount >= 300, "it has some of its requests with the daemon all the time")
    }

    /// Each of them asks once and leaves.
    @Test func aStreamOfNewcomersLeavesOthersTheirTurns() {
        var turns = RequestTurns<Int>()
        for client in 0..<10 {
            for _ in 0..<Limits.webRequestsMax { _ = turns.add(request(), of: client, until: 0) }
        }
        var passed: [RequestTurns<Int>.Outstanding] = []
        while let next = turns.next() { passed.append(next.outstanding) }
        for newcomer in 100..<120 { _ = turns.add(request(), of: newcomer, until: 0) }
        var newcomer = 120
        var others = 0
        for _ in 0..<100 {
            turns.answered(passed.removeFirst(), after: 500_000_000)
            guard let next = turns.next() else { break }
            passed.append(next.outstanding)
            if next.outstanding.client >= 100 {
                _ = turns.add(request(), of: newcomer, until: 0)
                newcomer += 1
            } else {
                others += 1
                _ = turns.add(request(), of: next.outstanding.client, until: 0)
            }
        }
        #expect(others >= 15 && others <= 50)
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

    /// As where the daemon is away.
    @Test func allThatWaitLeaveAtOnce() throws {
        var turns = RequestTurns<Int>()
        for client in 1...3 {
            for _ in 0..<2 { _ = turns.add(request(), of: client, until: client) }
        }
        let next = turns.next()
        let outstanding = try #require(next?.outstanding)
        let taken = turns.takeAll()
        #expect(taken.map(\.client) == [2, 2, 3, 3, 1])
        #expect(turns.waitingCount == 0 && turns.byteCount == 0 && turns.underWay == 1)
        #expect(turns.next() == nil && turns.expire(at: 10).count == 0)
        turns.answered(outstanding, after: nil)
        #expect(turns.underWay == 0)
        // Those who ask again are served.
        #expect(turns.add(request(), of: 2, until: 0) == nil)
        let later = turns.next()
        #expect(later?.outstanding.client == 2)
    }

    @Test func whatIsLateOrGoneLeaves() throws {
        var turns = RequestTurns<Int>()
        for number in 1...5 { _ = turns.add(request(), of: 1, until: number) }
        for number in 1...5 { _ = turns.add(request(), of: 2, until: number) }
        #expect(turns.expire(at: 3).count == 4 && turns.waitingCount == 6)
        let next = turns.next()
        let outstanding = try #require(next?.outstanding)
        #expect(outstanding.client == 1)
        turns.remove(1)
        #expect(turns.waitingCount == 3 && turns.underWay == 1)
        turns.answered(outstanding, after: nil)
        #expect(turns.underWay == 0 && turns.byteCount == 30)
        #expect(turns.expire(at: 10).count == 3 && turns.byteCount == 0 && turns.next() == nil)
    }
}
