import Interactions
import Notation
import Store
import StoreSupport
import Testing

@testable import Daemon

/// A record that nobody can read is not read again at each event.
@Suite struct UnreadableSessionsTests {
    private static let like = #"{"kind":"likes"}"#
    private static let broken = Array("{".utf8)

    /// A database that has a session whose record is no JSON, and the record as it was.
    private func damaged() throws -> (MemoryDatabase, [UInt8]) {
        let stored = try StoredLane()
        #expect(stored.ask("a", Self.like).contains(#""ok":true"#) && stored.end())
        let state = try #require(stored.database.session("a")?.state)
        stored.database.change("a") { $0.state = Self.broken }
        return (stored.database, state)
    }

    /// A lane that has read the damaged record, from an engine that answers later.
    private func laneThatHasRead() throws -> (StoredLane, LateStore) {
        let stored = try StoredLane(try damaged().0, isLate: true)
        let late = try #require(stored.late)
        stored.publish("a", Self.like)
        #expect(stored.pump { _ in late.waiting == 1 })
        late.letGo()
        #expect(stored.pump { $0.replies.count == 1 })
        return (stored, late)
    }

    @Test func anEngineThatAnswersLaterIsAskedOnce() throws {
        let (stored, late) = try laneThatHasRead()
        for _ in 0..<100 { stored.publish("a", Self.like) }
        #expect(stored.pump { $0.replies.count == 101 })
        #expect(late.waiting == 0)
        #expect(stored.replies.allSatisfy { $0.contains("what was stored of a cannot be read") })
        #expect(stored.end())
    }

    /// The test mends the record meanwhile: so the answer tells whether it was read.
    @Test func anEngineThatAnswersAtOnceIsAskedOnce() throws {
        let (database, state) = try damaged()
        let stored = try StoredLane(database)
        #expect(stored.ask("a", Self.like).contains("cannot be read"))
        database.change("a") { $0.state = state }
        #expect(stored.ask("a", Self.like).contains("cannot be read"))
        // After a while it is read.
        stored.asked { $0.table.unreadable.forgetAll() }
        #expect(stored.ask("a", Self.like).contains(#""ok":true"#))
        #expect(stored.storedLikes("a") == 2)
        #expect(stored.end())
    }

    /// A session of its name is another one, and comes back.
    @Test func aRecordThatIsGoneIsForgotten() throws {
        let stored = try StoredLane(try damaged().0)
        #expect(stored.ask("a", Self.like).contains("cannot be read"))
        stored.asked { #expect($0.table.forget("a")) }
        #expect(stored.ask("a", Self.like).contains(#""ok":true"#))
        #expect(stored.storedLikes("a") == 1)
        #expect(stored.end())
    }

    /// An engine that answers later is asked by a close, also while the record is known.
    @Test func aRecordThatIsKnownCanBeClosed() throws {
        let (stored, late) = try laneThatHasRead()
        stored.publish("a", #"{"command":"close"}"#, on: "command")
        #expect(stored.pump { _ in late.waiting == 1 })
        late.letGo()
        #expect(stored.pump { $0.replies.count == 2 })
        #expect(stored.replies[1].contains(#""ok":true"#))
        #expect(stored.end())
    }

    @Test func aStoreThatFailsIsAskedAgain() throws {
        let (database, state) = try damaged()
        database.change("a") { $0.state = state }
        let stored = try StoredLane(database, isLate: true)
        let late = try #require(stored.late)
        late.fail(StoreError(.disk, "injected"))
        for count in 1...2 {
            stored.publish("a", Self.like)
            #expect(stored.pump { _ in late.waiting == 1 })
            late.letGo()
            #expect(stored.pump { $0.replies.count == count })
        }
        #expect(stored.end())
    }

    @Test func theyAreKnownForATimeAndInANumber() {
        var sessions = UnreadableSessions()
        let rejection = Rejection(.internal, "damaged")
        let seconds = Limits.unreadableSeconds * 1_000_000_000
        sessions.note("a", rejection, at: 5)
        #expect(sessions.rejection(of: "a", at: 4 + seconds) == rejection)
        #expect(sessions.rejection(of: "b", at: 6) == nil)
        #expect(sessions.rejection(of: "a", at: 5 + seconds) == nil && sessions.isEmpty)
        for number in 0..<Limits.unreadableMax { sessions.note("s\(number)", rejection, at: 5) }
        #expect(sessions.rejection(of: "s0", at: 6) == rejection)
        sessions.note("one more", rejection, at: 5)
        #expect(sessions.rejection(of: "s0", at: 6) == nil)
        #expect(sessions.rejection(of: "one more", at: 6) == rejection)
        sessions.forget("one more")
        #expect(sessions.isEmpty)
    }
}
