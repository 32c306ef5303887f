import Interactions
import Notation
import Security
import Testing

@testable import Daemon

struct TapLogTests {
    private static let second = 1_000_000_000

    private func record(
        _ log: TapLog, _ topic: String, _ body: String = "{}",
        _ outcome: TapLog.Outcome = .applied, at now: Int = 0
    ) {
        unsafe Array(topic.utf8).withUnsafeBytes { topic in
            unsafe Array(body.utf8).withUnsafeBytes { body in
                unsafe log.record(topic, body, outcome, at: now, wall: 5_000_000)
            }
        }
    }

    private func note(_ log: TapLog, _ topic: String, _ body: String, from sender: String?) {
        unsafe Array(topic.utf8).withUnsafeBytes { topic in
            unsafe Array(body.utf8).withUnsafeBytes { body in
                unsafe log.note(topic, body, from: sender)
            }
        }
    }

    @Test func nothingIsKeptUntilSomeoneAsksAndLongAfter() {
        let log = TapLog()
        #expect(!log.isOn)
        let (none, start, _) = log.read(after: nil, .all, at: 0)
        #expect(none.isEmpty && log.isOn)
        record(log, "gesture/a/b", at: Self.second)
        #expect(log.read(after: start, .all, at: Self.second).entries.count == 1)
        record(log, "gesture/a/b", at: 7 * Self.second)
        #expect(!log.isOn, "the person has gone")
        #expect(log.read(after: start, .all, at: 7 * Self.second).entries.isEmpty)
    }

    @Test func eventsHaveTheirSendersAndOutcomes() throws {
        let log = TapLog()
        let (_, start, _) = log.read(after: nil, .all, at: 0)
        note(log, "gesture/a/b", "{}", from: "kiosk1")
        record(log, "gesture/a/b")
        record(log, "gesture/a/b", #"{"x":"y"}"#, .refused(Rejection(.busy, "no")))
        record(log, "no topic\n", #"{"x":1}"#, .duplicate)
        let (events, next, lost) = log.read(after: start, .all, at: 0)
        #expect(events.map(\.sender) == ["kiosk1", nil, nil])
        #expect(events.map { $0.body != nil } == [true, false, true])
        #expect(events[1].excerpt == #"{"x":"y"}"# && events[0].time == 5)
        #expect(next == events.last?.number && lost == 0)
        #expect(log.read(after: next, .all, at: 0).entries.isEmpty)
    }

    @Test func equalEventsHaveTheirSendersInOrder() throws {
        let log = TapLog()
        let (_, start, _) = log.read(after: nil, .all, at: 0)
        let senders: [String?] = ["evil", "evil", "good", nil, "evil", "good", "good"]
        for sender in senders { note(log, "notification/s", "{}", from: sender) }
        note(log, "notification/t", "{}", from: "other")
        for _ in senders { record(log, "notification/s") }
        record(log, "notification/s")
        record(log, "notification/t")
        let told = log.read(after: start, .all, at: 0).entries.map(\.sender)
        #expect(told == senders + [nil, "other"])
    }

    /// One sender of very many equal events takes the room of one.
    @Test func sendersAreBoundedByTheirTurns() {
        let log = TapLog()
        let (_, start, _) = log.read(after: nil, .all, at: 0)
        for _ in 0..<Limits.tapSendersMax * 2 { note(log, "a/b", "{}", from: "one") }
        for number in 0..<Limits.tapSendersMax - 1 {
            note(log, "a/b", "\(number)", from: "two")
        }
        record(log, "a/b")
        note(log, "a/c", "{}", from: "three")
        for topic in ["a/b", "a/c"] { record(log, topic) }
        #expect(
            log.read(after: start, .all, at: 0).entries.map(\.sender) == ["one", nil, "three"])
    }

    @Test func aGrantCoversItsSessionsAlone() {
        let log = TapLog()
        let (_, start, _) = log.read(after: nil, .all, at: 0)
        for topic in ["gesture/kiosk-1/b", "gesture/alice/b", "bad"] { record(log, topic) }
        let grant = SessionPatterns(["kiosk-*"])
        let (events, next, _) = log.read(after: start, grant, at: 0)
        #expect(events.map(\.topic) == ["gesture/kiosk-1/b"])
        #expect(log.read(after: next, .all, at: 0).entries.isEmpty)
    }

    @Test func anAnswerHasABoundOfBytesAndTheNextOneGoesOn() {
        let log = TapLog()
        let (_, start, _) = log.read(after: nil, .all, at: 0)
        let body = #"{"x":"\#(String(repeating: "a", count: 4_000))"}"#
        for number in 0..<100 { record(log, "gesture/\(number % 2 == 0 ? "a" : "b")/c", body) }
        for patterns in [SessionPatterns.all, SessionPatterns(["b"])] {
            var (place, told) = (start, 0)
            while true {
                let answer = log.read(after: place, patterns, at: 0)
                if answer.entries.isEmpty { break }
                let bytes = answer.entries.reduce(0) { $0 + ($1.body?.count ?? 0) }
                #expect(bytes <= Limits.tapAnswerBytesMax)
                told += answer.entries.count
                place = answer.next
            }
            #expect(told == (patterns.areAll ? 100 : 50))
        }
        #expect(log.read(after: .max, .all, at: 0).entries.isEmpty)
    }

    /// Events that the grant does not cover cost the reactor time, too.
    @Test func anAnswerLooksAtSoManyEvents() {
        let log = TapLog()
        let (_, start, _) = log.read(after: nil, .all, at: 0)
        for _ in 0..<2 * Limits.tapLookedMax { record(log, "gesture/others/b") }
        record(log, "gesture/mine/b")
        let grant = SessionPatterns(["mine"])
        var (place, told) = (start, [Int]())
        for _ in 0..<3 {
            let answer = log.read(after: place, grant, at: 0)
            told.append(answer.entries.count)
            #expect(answer.next - place <= Limits.tapLookedMax && answer.lost == 0)
            place = answer.next
        }
        #expect(told == [0, 0, 1])
    }

    @Test func theOldestGoWhereTooManyCame() {
        let log = TapLog()
        let (_, start, _) = log.read(after: nil, .all, at: 0)
        let count = Limits.tapKeptMax + 100
        for number in 0..<count { record(log, "gesture/a/b", #"{"n":\#(number)}"#) }
        var (place, told, lost) = (start, 0, 0)
        while true {
            let answer = log.read(after: place, .all, at: 0)
            lost += answer.lost
            if answer.entries.isEmpty { break }
            told += answer.entries.count
            #expect(answer.entries.count <= Limits.tapEntriesMax)
            place = answer.next
        }
        #expect(told == Limits.tapKeptMax && lost == 100)
    }
}
