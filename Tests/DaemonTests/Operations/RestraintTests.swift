import Notation
import Testing
import ZeroMQ

@testable import Daemon

struct RestraintTests {
    private static let most = Limits.smallUpdatesBytesMax

    /// Looks ten times at a thread that is busy for such a share of the time.
    private static func spacing(
        _ restraint: inout Restraint, waiting: Int, busy share: Double
    ) -> Int {
        for number in 0..<10 {
            let now = number * Limits.restraintNanoseconds
            restraint.look(waiting: waiting, busy: Int(Double(now) * share), at: now)
        }
        return restraint.spacing
    }

    @Test func sessionsPublishLessOftenWhereTheThreadCannotSendAll() {
        var restraint = Restraint()
        let most = Self.spacing(&restraint, waiting: Self.most + 1, busy: 1)
        var other = Restraint()
        let least = Self.spacing(&other, waiting: Self.most, busy: 1)
        #expect(most == 1 << 9, "it doubles at each look but the first")
        #expect(least == 1)
    }

    /// A queue that is long takes a while to become short.
    @Test func theSpacingStaysWhereLessAndLessWaits() {
        var restraint = Restraint()
        for number in 0..<20 {
            let now = number * Limits.restraintNanoseconds
            let waiting = (number < 4 ? 50 + number : 50 - number) * Self.most / 10
            restraint.look(waiting: waiting, busy: now, at: now)
        }
        #expect(restraint.spacing == 8)
    }

    @Test(arguments: [(1, 1, 1), (8, 8, 1), (16, 16, 1), (64, 64, 4), (1_024, 64, 64)])
    func sessionsOfVeryManySubscribersGoFirst(spacing: Int, ofMany: Int, ofFew: Int) {
        let most = Limits.manySubscribersMin
        #expect(Restraint.spacing(spacing, subscribers: most) == ofMany)
        #expect(Restraint.spacing(spacing, subscribers: most - 1) == ofFew)
    }

    /// Then some subscriber does not read, and less to send would not help it.
    @Test func whereTheThreadHasTimeSessionsPublishAsEver() {
        var restraint = Restraint()
        let least = Self.spacing(&restraint, waiting: 9 * Self.most, busy: 0.8)
        #expect(least == 1)
        var unknown = Restraint()
        for now in [1, 2, 3] {
            unknown.look(waiting: 9 * Self.most, busy: nil, at: now * 1_000_000_000)
        }
        #expect(unknown.spacing == 1)
    }

    @Test func theSpacingFallsWhenLessWaitsOrTheThreadHasTime() {
        for (waiting, share) in [(Self.most / 2 - 1, 1), (9 * Self.most, 0.5)] {
            var restraint = Restraint()
            _ = Self.spacing(&restraint, waiting: Self.most + 1, busy: 1)
            let busy = 900_000_000
            for number in 1...10 {
                let time = number * Limits.restraintNanoseconds
                restraint.look(
                    waiting: waiting, busy: busy + Int(Double(time) * share),
                    at: 900_000_000 + time)
            }
            #expect(restraint.spacing == 1)
        }
    }

    @Test func theSystemTellsHowBusyTheThreadIs() throws {
        let stage = try ReactorStage()
        let busy = try #require(SendingThread().busyNanoseconds)
        #expect(busy > 0)
        _ = stage
    }

    /// Each counts for those before it.
    @Test func someUpdatesAreCountedForAll() throws {
        let outbox = try Outbox()
        var samples = UpdateSamples()
        samples.set(subscribers: 10, mark: 100_000)
        let none = (0..<10_000).count { _ in samples.next(100, in: outbox) != nil }
        #expect(none == 0, "their marks bound them")
        samples.set(subscribers: 100, mark: 100_000)
        var counted = 0
        var bytes = 0
        for _ in 0..<100_000 {
            guard let count = samples.next(100, in: outbox) else { continue }
            #expect(count.held === outbox.smallUpdates)
            counted += 1
            bytes += count.cost
        }
        let exact = 100_000 * (100 + 100 * Limits.updateEntryBytes)
        #expect((300..<500).contains(counted) && abs(bytes - exact) < exact / 100)
        let large = samples.next(Limits.largeUpdateBytes, in: outbox)
        #expect(large?.held === outbox.largeUpdates)
        #expect(large?.cost == Limits.largeUpdateBytes + 100 * Limits.updateEntryBytes)
    }
}
