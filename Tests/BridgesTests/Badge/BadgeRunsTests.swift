import Notation
import Protocol
import Testing

@testable import Bridges

extension BadgeRuns {
    fileprivate mutating func take(_ session: String, _ total: Int) throws {
        let body = #"{"version":1,"total":\#(total),"counts":{"likes":\#(total)}}"#
        take(topic: "badge/\(session)", try Document.json(Array(body.utf8)))
    }
}

@Suite struct BadgeRunsTests {
    @Test func aTotalIsToldOnceUntilItChanges() throws {
        var runs = BadgeRuns(session: nil, limitMilliseconds: 1_000)
        try runs.take("alice", 3)
        let first = runs.next(at: at(0))
        let run = try #require(first)
        #expect(run.total == 3 && run.session == "alice")
        #expect(String(decoding: run.counts, as: UTF8.self) == #"{"likes":3}"#)
        runs.end(.exited(0))
        try runs.take("alice", 3)
        #expect(runs.next(at: at(1)) == nil)
        try runs.take("alice", 0)
        #expect(runs.next(at: at(2))?.total == 0)
    }

    @Test func oneRunsAtATimeAndTheNewestWins() throws {
        var runs = BadgeRuns(session: nil, limitMilliseconds: 1_000)
        for total in 1...5 { try runs.take("alice", total) }
        #expect(runs.next(at: at(0))?.total == 5)
        for total in 6...9 { try runs.take("alice", total) }
        #expect(runs.next(at: at(1)) == nil && runs.waitingCount == 1)
        runs.end(.exited(0))
        #expect(runs.next(at: at(2))?.total == 9)
        #expect(runs.counters.line.contains("runs=2 replaced=7"))
    }

    @Test func totalsThatWaitAtTheEndAreCounted() throws {
        var runs = BadgeRuns(session: nil, limitMilliseconds: 1_000)
        for session in ["alice", "bob", "carol"] { try runs.take(session, 1) }
        _ = runs.next(at: at(0))
        runs.stop()
        runs.end(.killed)
        #expect(runs.next(at: at(1)) == nil)
        #expect(runs.counters[.untold] == 2 && runs.counters[.killed] == 1)
    }

    @Test func aTotalThatComesBackWhileItIsToldNeedsNoOther() throws {
        var runs = BadgeRuns(session: nil, limitMilliseconds: 1_000)
        try runs.take("alice", 1)
        _ = runs.next(at: at(0))
        try runs.take("alice", 2)
        try runs.take("alice", 1)
        runs.end(.exited(0))
        #expect(runs.next(at: at(1)) == nil)
    }

    @Test func sessionsTakeTurns() throws {
        var runs = BadgeRuns(session: nil, limitMilliseconds: 1_000)
        try runs.take("alice", 1)
        try runs.take("bob", 1)
        #expect(runs.next(at: at(0))?.session == "alice")
        try runs.take("alice", 2)
        runs.end(.exited(0))
        #expect(runs.next(at: at(1))?.session == "bob")
        runs.end(.exited(0))
        #expect(runs.next(at: at(2))?.session == "alice")
    }

    @Test func aRunBeyondItsTimeIsOverdueAndCounted() throws {
        var runs = BadgeRuns(session: nil, limitMilliseconds: 1_000)
        #expect(runs.rest(at: at(0)) == nil && !runs.isOverdue(at: at(9_000)))
        try runs.take("alice", 1)
        _ = runs.next(at: at(100))
        #expect(runs.rest(at: at(600)) == 500)
        #expect(!runs.isOverdue(at: at(1_099)) && runs.isOverdue(at: at(1_100)))
        runs.end(.killed)
        try runs.take("alice", 2)
        _ = runs.next(at: at(1_200))
        runs.end(.exited(3))
        #expect(runs.counters[.killed] == 1 && runs.counters[.failed] == 1)
    }

    @Test func othersAndNonsenseRunNothing() throws {
        var runs = BadgeRuns(session: "alice", limitMilliseconds: 1_000)
        try runs.take("alice2", 1)
        try runs.take("bob", 1)
        #expect(runs.counters[.malformed] == 0)
        for body in ["{}", "[]", "3", #"{"total":-1,"counts":{}}"#, #"{"total":1,"counts":2}"#] {
            runs.take(topic: "badge/alice", try Document.json(Array("{\"b\":\(body)}".utf8)))
            let node = try Document.json(Array("{\"b\":\(body)}".utf8))
            if let inner = node["b"] { runs.take(topic: "badge/alice", inner) }
        }
        #expect(runs.next(at: at(0)) == nil && runs.counters[.malformed] == 10)
    }

    @Test func theSessionsAreBounded() throws {
        var runs = BadgeRuns(session: nil, limitMilliseconds: 1_000)
        for number in 0..<(BadgeRuns.sessionsMax + 5) { try runs.take("s\(number)", 1) }
        #expect(runs.waitingCount == BadgeRuns.sessionsMax)
        #expect(runs.counters[.forgotten] == 5)
        #expect(runs.next(at: at(0))?.session == "s5")
    }
}
