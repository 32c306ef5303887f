import Foundation
import Interactions
import Supervision
import Testing

@testable import Daemon

struct LogTests {
    private static let second = 1_000_000_000

    @Test func linesNameTheirLevelAndLowerLevelsAreOmitted() throws {
        let drain = Drain()
        let log = Log(level: .warning, to: .lines(drain.descriptor))
        log.write(.started, "no")
        log.write(.restartNeeded, "lanes")
        log.set(.error)
        log.write(.restartNeeded, "no")
        log.set(.info)
        log.write(.stopped)
        #expect(
            try drain.lines() == [
                "gestured: warning: only a restart changes: lanes", "gestured: info: stopped",
            ])
    }

    /// A container or a terminal keeps no time of its own.
    @Test func eachLineBeginsWithItsTime() throws {
        let drain = Drain()
        let before = Timestamp.now
        Log(to: .lines(drain.descriptor)).write(.stopped)
        let line = try #require(try drain.timedLines().first)
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        #expect(parts.count == 2 && parts[1] == "gestured: info: stopped")
        #expect(before <= parts[0] && parts[0] <= Timestamp.now)
        #expect(Timestamp.text(ofWallNanoseconds: 0) == "1970-01-01T00:00:00.000Z")
        #expect(
            Timestamp.text(ofWallNanoseconds: 1_709_210_096_007_999_999)
                == "2024-02-29T12:34:56.007Z")
    }

    @Test func hostileTextForgesNoLineAndNoField() throws {
        let drain = Drain()
        let log = Log(to: .lines(drain.descriptor))
        let hostile = "a\nMESSAGE=b\r\u{1b}[31m\0\u{202e}\u{2028}é"
        log.write(.eventsRefused, hostile)
        let lines = try drain.lines()
        #expect(
            lines == [
                "gestured: warning: events are refused: a\\u{a}MESSAGE=b\\u{d}\\u{1b}[31m\\u{0}"
                    + "\\u{202e}\\u{2028}é"
            ])
    }

    @Test func aLongLineIsCutToFitOnePipeWrite() throws {
        let drain = Drain()
        let log = Log(to: .lines(drain.descriptor))
        log.write(.eventsRefused, String(repeating: "é\n", count: 100_000))
        let line = try #require(try drain.lines().first)
        #expect(line.utf8.count <= 4_096 && line.hasSuffix("…"))
    }

    @Test func repeatedLinesAreCountedAndReportedAfterTheirInterval() throws {
        let drain = Drain()
        let log = Log(to: .lines(drain.descriptor))
        for number in 0...37 {
            log.write(LogRecord(.storeFails, "disk \(number)"), at: number * Self.second / 10)
        }
        log.write(LogRecord(.restartNeeded, "is another kind"), at: Self.second)
        for second in 1...9 { log.tick(at: second * Self.second) }
        log.tick(at: 10 * Self.second)
        log.tick(at: 11 * Self.second)
        log.write(LogRecord(.storeFails, "again"), at: 25 * Self.second)
        #expect(
            try drain.lines().map { $0.replacing("gestured: warning: ", with: "") } == [
                "nothing can be stored, it is tried again: disk 0",
                "only a restart changes: is another kind",
                "nothing can be stored, it is tried again: disk 37 … 37 more like it in 10 s",
                "nothing can be stored, it is tried again: again",
            ])
    }

    @Test func theCountIsWrittenBeforeTheRecovery() throws {
        let drain = Drain()
        let log = Log(to: .lines(drain.descriptor))
        log.write(LogRecord(.storeFails, "one"), at: 0)
        log.write(LogRecord(.storeFails, "two"), at: Self.second)
        log.write(LogRecord(.storeBack), at: 2 * Self.second)
        for second in 3...30 { log.tick(at: second * Self.second) }
        let lines = try drain.lines()
        #expect(lines.count == 3 && lines[1].hasSuffix("two … 1 more like it in 2 s"))
        #expect(lines.last == "gestured: info: it can be stored again")
    }

    @Test func theCountIsWrittenAtTheEnd() throws {
        let drain = Drain()
        let log = Log(to: .lines(drain.descriptor))
        for _ in 0..<3 { log.write(LogRecord(.storeFails), at: 0) }
        log.tick(at: Self.second, isLast: true)
        log.tick(at: Self.second, isLast: true)
        let lines = try drain.lines()
        #expect(lines.count == 2 && lines.last?.hasSuffix("… 2 more like it in 1 s") == true)
    }

    @Test func aLogThatNobodyReadsHoldsNobodyUpAndCountsWhatItDrops() throws {
        let drain = Drain()
        let log = Log(to: .lines(drain.descriptor))
        let count = 2_000
        let began = Clock.monotonic()
        for _ in 0..<count { log.write(.restartNeeded, String(repeating: "x", count: 200)) }
        #expect(Clock.monotonic() - began < 5 * Self.second)
        #expect(log.dropped > 0 && log.dropped < count)
        let dropped = log.dropped
        _ = drain.read()
        log.write(.stopped)
        let lines = try drain.lines().suffix(2)
        #expect(
            lines == [
                "gestured: warning: lines of the log found no room: \(dropped) since the last one "
                    + "that did",
                "gestured: info: stopped",
            ])
    }

    // MARK: The journal

    @Test func anEntryOfTheJournalIsOneDatagramOfFields() throws {
        let receiver = try Receiver()
        let log = Log(to: .journal(try #require(Journal(path: receiver.path))))
        log.write(.stopping, "now")
        log.write(
            LogRecord(
                .eventsRefused, "3", session: "alice", topic: "gesture/alice/x", code: "bad-json"))
        log.write(.reloadRefused, "x")
        #expect(
            receiver.texts() == [
                "MESSAGE=stopping: now\nPRIORITY=6\nSYSLOG_IDENTIFIER=gestured\n",
                "MESSAGE=events are refused: 3\nPRIORITY=4\nSYSLOG_IDENTIFIER=gestured\n"
                    + "SESSION=alice\nTOPIC=gesture/alice/x\nCODE=bad-json\n",
                "MESSAGE=the configuration is refused, and the one before stays: x\nPRIORITY=3\n"
                    + "SYSLOG_IDENTIFIER=gestured\n",
            ])
    }

    @Test func aPeersValueBeginsNoOtherFieldAndCommandsNoTerminal() {
        let entry = LogRecord(.eventsRefused, "x\nPRIORITY=0", topic: "a\nPRIORITY=0\u{9B}é")
        let text =
            "MESSAGE=events are refused: x\\u{a}PRIORITY=0\nPRIORITY=4\n"
            + "SYSLOG_IDENTIFIER=gestured\nTOPIC=a\\u{a}PRIORITY=0\\u{9b}é\n"
        #expect(String(decoding: Journal.encode(entry), as: UTF8.self) == text)
    }

    @Test func aFieldIsBoundedAsWell() {
        let entry = LogRecord(.eventsRefused, topic: String(repeating: "x\n", count: 100_000))
        #expect(Journal.encode(entry).count < 4_096)
    }

    @Test func aJournalThatNobodyReadsHoldsNobodyUp() throws {
        let receiver = try Receiver()
        let log = Log(to: .journal(try #require(Journal(path: receiver.path))))
        for _ in 0..<5_000 { log.write(.restartNeeded, "lanes") }
        let found = receiver.texts().count
        #expect(found > 0 && log.dropped == 5_000 - found)
        log.write(.stopped)
        #expect(
            receiver.texts().map { $0.prefix { $0 != "\n" } } == [
                "MESSAGE=lines of the log found no room: \(5_000 - found) since the last one that"
                    + " did",
                "MESSAGE=stopped",
            ])
    }

    @Test func theJournalIsBehindADescriptorThatItsVariableNames() throws {
        let drain = Drain()
        var status = stat()
        #expect(unsafe fstat(drain.descriptor, &status) == 0)
        let names = "\(status.st_dev):\(status.st_ino)"
        #expect(StandardStreams.isJournal(drain.descriptor, stream: names))
        let others = [nil, "", ":", "\(status.st_dev):\(status.st_ino + 1)", "\(names):1", "a:b"]
        for other in others { #expect(!StandardStreams.isJournal(drain.descriptor, stream: other)) }
    }

    // MARK: Events that are refused

    @Test func refusalsAreOneLineInTenSecondsWithTheirNumberAndTheLast() throws {
        let rejectionLog = RejectionLog()
        #expect(rejectionLog.record(count: 0, at: 0) == nil)
        let secret = Rejection(.badJSON, "not JSON: hunter2")
        rejectionLog.note(secret, topic: "gesture/bob/x")
        rejectionLog.note(secret, topic: "gesture/alice/x")
        let first = try #require(rejectionLog.record(count: 5, at: Self.second))
        #expect(
            first.text
                == "events are refused: 5; the last one: bad-json, of topic \"gesture/alice/x\"")
        #expect(first.session == "alice" && first.code == "bad-json")
        #expect(first.topic == "gesture/alice/x")
        rejectionLog.note(secret, topic: "a\nb")
        #expect(rejectionLog.record(count: 900, at: 10 * Self.second) == nil)
        let next = try #require(rejectionLog.record(count: 1_000, at: 11 * Self.second))
        #expect(next.detail.hasPrefix("995 in 10 s; the last one"))
        #expect(next.session == nil && next.topic == "a\nb")
        #expect(rejectionLog.record(count: 1_000, at: 60 * Self.second) == nil)
    }

    @Test func anInternalErrorIsLoggedWithItsMessage() throws {
        let rejectionLog = RejectionLog()
        rejectionLog.note(Rejection(.internal, "the store cannot be read"), topic: "command/a")
        let entry = try #require(rejectionLog.record(count: 1, at: 0))
        #expect(entry.text.hasSuffix("\"command/a\": the store cannot be read"))
    }

    @Test func everyNoticeBeginsWithWordsOfItsOwn() {
        for one in LogEvent.allCases {
            for other in LogEvent.allCases where other != one {
                #expect(!other.rawValue.hasPrefix(one.rawValue + ":"), "\(one) \(other)")
            }
        }
    }
}
