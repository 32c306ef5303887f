import Notation
import Testing

@testable import Daemon

/// When the wall clock is believed, on clocks of the test.
struct ClockWatchTests {
    private static let second = 1_000_000_000
    private static let day = 86_400 * second
    /// 2026-01-01, a thousand seconds after the boot.
    private static let start = ClockWatch.Reading(
        wall: 1_767_225_600 * second, boot: 1_000 * second)

    /// A reading after the start, with the wall clock so many seconds ahead.
    private func reading(after seconds: Int, ahead: Int = 0) -> ClockWatch.Reading {
        ClockWatch.Reading(
            wall: Self.start.wall + (seconds + ahead) * Self.second,
            boot: Self.start.boot + seconds * Self.second)
    }

    private func watch(lastWriteAgo: Int? = nil) -> ClockWatch {
        ClockWatch(
            Self.start, lastWrite: lastWriteAgo.map { Self.start.wall - $0 * Self.second },
            gapMax: Self.day)
    }

    @Test func smallCorrectionsAreFollowedForEver() {
        var watch = watch()
        for step in 1...1_000 {
            let reading = reading(after: step, ahead: step * Limits.clockToleranceSeconds)
            #expect(watch.take(reading) == nil && watch.isBelieved)
            #expect(watch.time(at: reading) == reading.wall)
        }
    }

    @Test(arguments: [40 * 86_400, -40 * 86_400])
    func aJumpIsDoubtedUntilTheClockIsBack(jump: Int) {
        var watch = watch()
        let jumped = reading(after: 10, ahead: jump)
        #expect(watch.take(jumped) == .doubted(by: jump * Self.second))
        #expect(!watch.isBelieved && watch.error(at: jumped) == jump * Self.second)
        #expect(watch.time(at: jumped) == reading(after: 10).wall)
        // Marks are rather too late than too early.
        #expect(watch.mark(at: jumped) == reading(after: 10, ahead: max(0, jump)).wall)
        #expect(watch.take(reading(after: 18)) == .returned && watch.isBelieved)
        let now = reading(after: 18).wall / Self.second
        #expect(
            watch.wrongMarks(after: .returned, at: reading(after: 18))
                == now + Limits.clockToleranceSeconds..<Int.max)
    }

    @Test func aClockThatStandsIsBelievedAfterItsTime() {
        var watch = watch()
        #expect(watch.take(reading(after: 10, ahead: 86_400)) != nil)
        let stands = Limits.clockStandsSeconds
        #expect(watch.take(reading(after: 9 + stands, ahead: 86_400)) == nil)
        let last = reading(after: 10 + stands, ahead: 86_400)
        let change = watch.take(last)
        #expect(change == .accepted(by: 86_400 * Self.second) && watch.isBelieved)
        // Sessions that this run marked before the jump were used just now.
        let marks = change.flatMap { watch.wrongMarks(after: $0, at: last) }
        let start = Self.start.wall / Self.second
        #expect(marks == start..<start + 10 + stands + 1)
    }

    @Test func aClockThatJumpsAgainStandsAnew() {
        var watch = watch()
        let stands = Limits.clockStandsSeconds
        _ = watch.take(reading(after: 0, ahead: 1_000))
        #expect(watch.take(reading(after: stands - 1, ahead: 5_000)) == nil)
        #expect(watch.take(reading(after: stands + 1, ahead: 5_000)) == nil)
        #expect(!watch.isBelieved)
        #expect(watch.take(reading(after: 2 * stands, ahead: 5_000)) != nil && watch.isBelieved)
    }

    @Test func aClockBeforeTheEarliestTimeIsNeverBelieved() {
        var watch = watch()
        let back = 1_000 - Self.start.wall / Self.second
        for hours in 1..<50 { _ = watch.take(reading(after: hours * 3_600, ahead: back)) }
        #expect(!watch.isBelieved)
    }

    @Test(
        arguments: [
            (nil, true), (5, true), (-30, true), (86_000, true), (90_000, false),
            (-90, false),
        ] as [(Int?, Bool)])
    func aStartIsComparedWithTheLastWrite(ago: Int?, isBelieved: Bool) {
        let watch = watch(lastWriteAgo: ago)
        #expect(watch.isBelieved == isBelieved)
        // Time does not go back.
        let lastWrite = Self.start.wall - (ago ?? 0) * Self.second
        #expect(isBelieved || watch.mark(at: Self.start) >= lastWrite)
    }

    @Test func aLongPauseBetweenTwoRunsIsBelievedOnceItHasStood() {
        var watch = watch(lastWriteAgo: 40 * 86_400)
        let last = reading(after: Limits.clockStandsAtStartSeconds)
        let change = watch.take(last)
        #expect(change == .accepted(by: 40 * Self.day))
        // Sessions of the earlier run stay as old as they are.
        #expect(change.flatMap { watch.wrongMarks(after: $0, at: last) } == nil)
    }

    @Test func marksStayAheadOfAClockThatWasPutBackAndMayBeWrong() {
        var watch = watch()
        let stands = Limits.clockStandsSeconds
        _ = watch.take(reading(after: 0, ahead: -86_400))
        let back = reading(after: stands, ahead: -86_400)
        let change = watch.take(back)
        #expect(change == .accepted(by: -Self.day))
        #expect(change.flatMap { watch.wrongMarks(after: $0, at: back) } == nil)
        #expect(watch.time(at: back) == back.wall)
        #expect(watch.mark(at: back) == reading(after: stands).wall)
        // It was wrong after all.
        _ = watch.take(reading(after: stands))
        let right = reading(after: 2 * stands)
        let other = watch.take(right)
        #expect(other.flatMap { watch.wrongMarks(after: $0, at: right) } != nil)
        #expect(watch.mark(at: right) == right.wall)
    }
}
