import Notation
import Synchronization
import Testing

@testable import Daemon

struct LargeRestraintTests {
    private static let span = Limits.largeRestraintNanoseconds
    private static let mebibyte = 1024 * 1024

    /// Looks ten times while so much waits, the thread sends so many MiB a second, and is busy for
    /// such a share of the time.
    private static func spacing(
        _ restraint: inout LargeRestraint, waiting: Int, speed: Int, busy share: Double,
        from beginning: Int = 0
    ) -> Int {
        for number in 0..<10 {
            let now = beginning + number * span
            restraint.look(
                LargeRestraint.Look(
                    time: now, busy: Int(Double(now) * share), waiting: waiting,
                    sent: speed * mebibyte / 25 * now / span))
        }
        return restraint.spacing
    }

    /// By the milliseconds that the thread takes for what waits.
    @Test(arguments: [(24, 1), (30, 2), (60, 4), (80, 8), (110, 16), (160, 64), (10_000, 64)])
    func sessionsPublishLessOftenTheLongerItTakes(milliseconds: Int, spacing: Int) {
        var restraint = LargeRestraint()
        let waiting = 100 * Self.mebibyte * milliseconds / 1_000
        let found = Self.spacing(&restraint, waiting: waiting, speed: 100, busy: 1)
        #expect(found == spacing)
    }

    /// Then some subscriber does not read, and less to send would not help it.
    @Test func whereTheThreadHasTimeSessionsPublishAsEver() {
        var restraint = LargeRestraint()
        let waiting = 60 * Self.mebibyte
        let ofAnIdleThread = Self.spacing(&restraint, waiting: waiting, speed: 100, busy: 0.8)
        #expect(ofAnIdleThread == 1)
        let ofSilentReaders = Self.spacing(&restraint, waiting: waiting, speed: 0, busy: 1)
        #expect(ofSilentReaders == 1)
        restraint.look(nil)
        #expect(restraint.spacing == 1)
    }

    @Test func theSpacingEndsWhenLittleWaits() {
        var restraint = LargeRestraint()
        let most = Self.spacing(&restraint, waiting: 60 * Self.mebibyte, speed: 100, busy: 1)
        #expect(most == Limits.largeSpacingMax)
        #expect(restraint.needsLook(waiting: 0))
        let end = 10 * Self.span
        let least = Self.spacing(&restraint, waiting: 100, speed: 100, busy: 1, from: end)
        #expect(least == 1 && !restraint.needsLook(waiting: 100))
    }

    @Test func onlySessionsWithLargeUpdatesLeaveFramesOut() throws {
        let outbox = try Outbox()
        outbox.largeSpacing.store(4, ordering: .relaxed)
        var sink = LaneSink(outbox: outbox)
        sink.begin(Publishing(isLarge: false))
        #expect(!sink.isFull)
        _ = sink.end()
        var publishing = Publishing(isLarge: true)
        var leftOut: [Bool] = []
        for _ in 0..<8 {
            sink.begin(publishing)
            leftOut.append(sink.isFull)
            publishing = sink.end()
            publishing.isLarge = true
        }
        #expect(leftOut == [true, true, true, false, true, true, true, false])
    }
}
