import Notation
import Testing

@testable import Web

struct BoundSessionsTests {
    private var sessions = BoundSessions<Int>()

    @Test mutating func aSessionIsLateOnceItsClientIsGoneForAWhile() {
        #expect(sessions.bind("a", to: 1) == nil)
        #expect(sessions.late(at: .max).isEmpty && sessions.isHeld("a"))
        sessions.leave(1, until: 100)
        #expect(sessions.late(at: 99).isEmpty && !sessions.isHeld("a"))
        #expect(sessions.late(at: 100) == ["a"] && sessions.count == 1)
        sessions.forget("a")
        #expect(sessions.late(at: .max).isEmpty && sessions.count == 0)
    }

    @Test mutating func aClientThatComesBackKeepsIt() {
        #expect(sessions.bind("a", to: 1) == nil)
        sessions.leave(1, until: 100)
        #expect(sessions.bind("a", to: 2) == nil)
        #expect(sessions.late(at: .max).isEmpty && sessions.isHeld("a"))
    }

    @Test mutating func theLastOfSeveralClientsCounts() {
        for client in 1...2 { #expect(sessions.bind("a", to: client) == nil) }
        sessions.leave(1, until: 100)
        #expect(sessions.late(at: .max).isEmpty)
        sessions.leave(2, until: 200)
        #expect(sessions.late(at: 199).isEmpty)
        #expect(sessions.late(at: 200) == ["a"])
    }

    @Test mutating func whatIsGivenUpStays() {
        #expect(sessions.bind("a", to: 1) == nil)
        sessions.unbind("a", from: 2)
        #expect(sessions.isHeld("a"))
        sessions.unbind("a", from: 1)
        sessions.leave(1, until: 100)
        #expect(sessions.late(at: .max).isEmpty && sessions.count == 0)
    }

    @Test mutating func aLateSessionCanWaitOnUnlessItIsBoundMeanwhile() {
        sessions.wait(for: "unknown", until: 0)
        for name in ["a", "b"] { #expect(sessions.bind(name, to: 1) == nil) }
        sessions.leave(1, until: 100)
        for name in ["a", "b"] { sessions.wait(for: name, until: 200) }
        #expect(sessions.late(at: 199).isEmpty)
        #expect(sessions.bind("b", to: 2) == nil)
        // The answer to an earlier try comes.
        for name in ["a", "b"] { sessions.wait(for: name, until: 100) }
        #expect(sessions.late(at: 100) == ["a"])
        sessions.forget("b")
        #expect(sessions.isHeld("b"))
    }

    @Test mutating func bothNumbersAreBounded() {
        for number in 0..<Limits.webBoundSessionsMax {
            #expect(sessions.bind("s\(number)", to: 0) == nil)
        }
        #expect(sessions.bind("s0", to: 0) == nil)
        #expect(sessions.bind("more", to: 0)?.contains("limit_bound_sessions") == true)
        // Clients that bind and leave, by thousands: a bind of another one is not refused.
        for client in 1..<1_000 {
            for number in 0..<Limits.webBoundSessionsMax {
                #expect(sessions.bind("s\(client)-\(number)", to: client) == nil)
            }
            sessions.leave(client, until: client)
            let left = sessions.count - Limits.webBoundSessionsMax
            #expect(left <= Limits.webLeftSessionsMax)
        }
        #expect(sessions.isHeld("s0") && sessions.bind("mine", to: 1_000) == nil)
        let late = sessions.late(at: .max)
        #expect(late.contains("s999-0") && !late.contains("s1-0"))
    }

    @Test func anIndexOfPrefixesKnowsTheSessionsThatAreWatched() {
        var index = PrefixIndex<Int>()
        for prefix in ["frame/alice", "state/bob/toss", "frame/", "heartbeat", "sync/a", ""] {
            _ = index.insert(Array(prefix.utf8), for: 1)
        }
        #expect(index.sessions == [Array("alice".utf8), Array("bob".utf8)])
        _ = index.remove(Array("frame/alice".utf8), for: 1)
        #expect(index.sessions == [Array("bob".utf8)])
    }
}
