import Notation
import Testing

@testable import Daemon

struct UnreadUpdatesTests {
    private static let mark = 100_000

    @Test func whoHasNotReadForTheLongestTimeIsCutUntilTheRestHasRoom() {
        var unread = UnreadUpdates(perConnectionMax: Self.mark)
        // Each has read ten later than the one before.
        for place in (0..<12).reversed() {
            unread.note(
                CInt(place), read: 10 * place, sent: 2 * Self.mark, untaken: 9, of: 9)
        }
        // libzmq lets no more wait for each than the mark: 1.2 million for all.
        let first = unread.excess()
        unread.begin()
        let none = unread.excess()
        #expect(first == [0, 1] && none == [])
    }

    /// It is behind for the longest time, because its connection is slow.
    @Test func whoLeavesLittleIsNotCutForThoseThatLeaveMuch() {
        var unread = UnreadUpdates(perConnectionMax: Self.mark)
        unread.note(1, read: 0, sent: 100, untaken: 9, of: 9)
        for place in 2...12 {
            unread.note(
                CInt(place), read: 5, sent: 2 * Self.mark, untaken: 9, of: 9)
        }
        let excess = unread.excess()
        #expect(excess == [2])
    }

    @Test func whatASubscriberHasTakenDoesNotWait() {
        var unread = UnreadUpdates(perConnectionMax: .max)
        let most = Limits.updatesUnreadMax
        unread.note(5, read: 0, sent: 4 * most, untaken: 250, of: 1_000)
        unread.note(6, read: 0, sent: 4 * most, untaken: 0, of: 1_000)
        unread.note(7, read: 0, sent: 4 * most, untaken: -5, of: 1_000)
        unread.note(8, read: 0, sent: 0, untaken: 0, of: 0)
        let excess = unread.excess()
        #expect(excess == [])
    }

    /// Each of many leaves few unread.
    @Test func theJudgeCutsThoseThatLeaveTooManyTogether() {
        var judge = ConnectionJudge(updatesWaitingMax: Self.mark)
        let samples = (0..<12).map {
            ConnectionJudge.Sample(
                descriptor: CInt($0), role: .updates, received: 100, consumed: 100, taken: 500,
                isBehind: true)
        }
        let before = judge.judge(samples, .init(), at: 1)
        let progress = ConnectionJudge.Progress(updateBytes: 1_000_000, updates: Self.mark)
        let verdicts = judge.judge(samples, progress, at: 2)
        let again = judge.judge(samples, progress, at: 3)
        #expect(before == [] && again == [], "each is cut once")
        #expect(verdicts == [.tooManyUpdatesUnread(0), .tooManyUpdatesUnread(1)])
    }
}
