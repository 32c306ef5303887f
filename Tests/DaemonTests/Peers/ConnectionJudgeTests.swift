import Testing

@testable import Daemon
@testable import Notation

struct ConnectionJudgeTests {
    private static func subscriber(_ descriptor: CInt, _ received: Int) -> ConnectionJudge.Sample {
        .init(descriptor: descriptor, role: .updates, received: received, consumed: received)
    }

    private static func sender(
        _ descriptor: CInt, _ consumed: Int, role: ConnectionJudge.Role = .events
    ) -> ConnectionJudge.Sample {
        .init(descriptor: descriptor, role: role, received: consumed, consumed: consumed)
    }

    private static let second = 1_000_000_000

    @Test func anAllowanceGrowsWithTime() {
        var judge = ConnectionJudge()
        let burst = Limits.subscriptionBurstBytesMax
        let first = judge.judge([Self.subscriber(5, burst)], .init(), at: Self.second)
        #expect(first == [])
        let more = burst + Limits.subscriptionBytesPerSecondMax
        let second = judge.judge([Self.subscriber(5, more)], .init(), at: 2 * Self.second)
        #expect(second == [])
        let tooMuch = [Self.subscriber(5, more + Limits.subscriptionBytesPerSecondMax)]
        let verdicts = judge.judge(tooMuch, .init(), at: 2 * Self.second + 1_000)
        #expect(verdicts == [.tooManySubscriptions(5)])
        // It is cut once, and a later connection of its descriptor begins anew.
        let again = judge.judge(tooMuch, .init(), at: 2 * Self.second + 2_000)
        #expect(again == [])
        let later = judge.judge([Self.subscriber(5, 10)], .init(), at: 2 * Self.second + 3_000)
        #expect(later == [])
    }

    @Test func aConnectionThatCompletesMessagesIsNeverCut() {
        var judge = ConnectionJudge()
        var progress = ConnectionJudge.Progress()
        for scan in 1...200 {
            progress.events += PeerTraffic.emptied
            // Much is consumed that is not counted as read: it is looked at all the while.
            progress.senders = judge.isAuditing ? [5] : []
            let verdicts = judge.judge(
                [Self.sender(5, scan * Limits.unfinishedBytesMax)], progress,
                at: scan * 10_000_000)
            #expect(verdicts == [])
        }
        #expect(judge.isAuditing)
    }

    /// The progress of one socket says nothing of the other one's connections.
    @Test func theProgressOfTheOtherSocketProvesNothing() {
        for (role, isCut) in [(ConnectionJudge.Role.pushes, true), (.events, false)] {
            var judge = ConnectionJudge()
            var progress = ConnectionJudge.Progress()
            var verdicts: [ConnectionJudge.Verdict] = []
            for scan in 1...20 {
                progress.pushes += PeerTraffic.emptied
                verdicts += judge.judge(
                    [Self.sender(5, scan * Limits.unfinishedBytesMax, role: role)], progress,
                    at: scan * 10_000_000)
            }
            #expect(verdicts == (isCut ? [.unfinishedMessage(5)] : []))
        }
    }

    /// libzmq takes subscriptions in as long as they come, and the reactor waits in it.
    @Test func whoKeepsTheReactorInOneRoundIsCut() {
        var judge = ConnectionJudge()
        var progress = ConnectionJudge.Progress()
        func look(_ received: Int, at milliseconds: Int) -> [ConnectionJudge.Verdict] {
            judge.judge(
                [Self.subscriber(5, received), Self.subscriber(6, 100)], progress,
                at: Self.second + milliseconds * 1_000_000)
        }
        progress.rounds = 1
        let bytes = Limits.roundBytesTakenMax + 1
        let first = look(0, at: 0)
        let early = look(bytes, at: 49)
        progress.rounds = 2
        let next = look(bytes, at: 60)
        let late = look(2 * bytes, at: 110)
        #expect(first == [] && early == [] && next == [] && late == [.tooManySubscriptions(5)])
    }

    /// It may leave so much unread as was sent since it was last found to read; what it has taken
    /// since does not wait any more.
    @Test func whoLeavesTooManyUpdatesUnreadIsCut() {
        var judge = ConnectionJudge()
        let most = Limits.updatesUnreadBytesMax
        func look(sent: Int, taken: Int, isBehind: Bool) -> [ConnectionJudge.Verdict] {
            var samples = [Self.subscriber(5, 100), Self.subscriber(6, 100)]
            samples[0].taken = 1_000 + taken
            samples[0].isBehind = isBehind
            return judge.judge(samples, .init(updateBytes: sent), at: Self.second)
        }
        let first = look(sent: 10 * most, taken: 0, isBehind: true)
        #expect(first == [], "what was sent before it came is not for it")
        let slow = look(sent: 13 * most, taken: 2 * most, isBehind: true)
        #expect(slow == [], "it has taken most of it")
        let read = look(sent: 20 * most, taken: 2 * most, isBehind: false)
        #expect(read == [], "nothing waits for it")
        let full = look(sent: 21 * most, taken: 2 * most, isBehind: true)
        let over = look(sent: 21 * most + 1, taken: 2 * most, isBehind: true)
        let again = look(sent: 22 * most, taken: 2 * most, isBehind: true)
        #expect(full == [] && over == [.tooManyUpdatesUnread(5)] && again == [])
    }

    /// It is behind all the time, since its connection is slow, and takes what comes for it.
    @Test func whatIsSentToOthersDoesNotCountAgainstASlowSubscriber() {
        let most = Limits.updatesUnreadBytesMax
        for (isCounted, isCut) in [(true, false), (false, true)] {
            var judge = ConnectionJudge()
            var verdicts: [ConnectionJudge.Verdict] = []
            for look in 0..<100 {
                var sample = Self.subscriber(5, 100)
                sample.isBehind = true
                sample.taken = 1_000 * look
                if isCounted {
                    sample.charge = UpdateCharge(bytes: 1_000 * look + 50_000, updates: look)
                }
                verdicts += judge.judge(
                    [sample], .init(updateBytes: look * most / 10), at: look * Self.second)
            }
            #expect(verdicts == (isCut ? [.tooManyUpdatesUnread(5)] : []))
        }
    }

    /// All updates may be for it before they are counted.
    @Test func whoLeavesTooManyOfItsOwnUnreadIsCut() {
        let most = Limits.updatesUnreadBytesMax
        var judge = ConnectionJudge()
        func look(sent: Int, counted: Int?) -> [ConnectionJudge.Verdict] {
            var sample = Self.subscriber(5, 100)
            sample.isBehind = true
            sample.taken = 0
            sample.charge = counted.map { UpdateCharge(bytes: $0, updates: 1) }
            return judge.judge([sample], .init(updateBytes: sent), at: Self.second)
        }
        let first = look(sent: 0, counted: nil) + look(sent: most / 4, counted: nil)
        let begun = look(sent: most / 2, counted: 7 * most)
        let full = look(sent: 20 * most, counted: 7 * most + most / 2)
        let over = look(sent: 30 * most, counted: 7 * most + most / 2 + 1)
        #expect(first == [] && begun == [] && full == [] && over == [.tooManyUpdatesUnread(5)])
    }

    /// Then all the others wait for it.
    @Test func whoLeavesLessUnreadIsCutWhileManyLargeUpdatesWait() {
        let most = Limits.largeUpdatesBytesMax / 2
        for (bytes, areMany, isCut) in [
            (most, true, false), (most + 1, true, true), (most + 1, false, false),
        ] {
            var judge = ConnectionJudge()
            let sample = ConnectionJudge.Sample(
                descriptor: 5, role: .updates, received: 100, consumed: 100, isBehind: true)
            let progress = ConnectionJudge.Progress(updateBytes: bytes, areUpdatesMany: areMany)
            let verdicts =
                judge.judge([sample], .init(), at: 1) + judge.judge([sample], progress, at: 2)
            #expect(verdicts == (isCut ? [.tooManyUpdatesUnread(5)] : []))
        }
    }

    /// While the reactor reads nothing, nothing shows whether a message is unfinished.
    @Test func nothingIsCutWithoutProgress() {
        var judge = ConnectionJudge()
        for scan in 1...50 {
            let sample = Self.sender(5, scan * Limits.unfinishedBytesMax, role: .control)
            let verdicts = judge.judge([sample], .init(), at: scan * 10_000_000)
            #expect(verdicts == [])
        }
        #expect(judge.isAuditing)
        var progress = ConnectionJudge.Progress()
        let last = Self.sender(5, 60 * Limits.unfinishedBytesMax, role: .control)
        for (count, expected) in [(1, []), (2, [ConnectionJudge.Verdict.unfinishedMessage(5)])] {
            progress.requests = count * PeerTraffic.emptied
            let verdicts = judge.judge([last], progress, at: Self.second + count)
            #expect(verdicts == expected)
        }
    }

    /// Many messages without their last bytes, none of which is too long by itself.
    @Test func theOldestOfTooManyUnfinishedMessagesAreCut() {
        var judge = ConnectionJudge()
        var progress = ConnectionJudge.Progress()
        let each = Limits.messageBytesMax
        let most = Limits.unfinishedBytesInAllMax / each
        func look(_ count: Int, at time: Int) -> [ConnectionJudge.Verdict] {
            judge.judge(
                (0..<count).map { Self.sender(CInt(200 - $0), each + $0) }, progress, at: time)
        }
        // It audits from the first look on, and what came before that is not known.
        _ = judge.judge([Self.sender(300, 2 * Limits.unreadBytesMax)], progress, at: 1)
        let old = look(2, at: Self.second)
        let full = look(most, at: 2 * Self.second)
        #expect(old == [] && full == [] && judge.isAuditing)
        let unproven = look(most + 3, at: 3 * Self.second)
        #expect(unproven == [], "they may be complete and wait to be read")
        progress.events += 2 * PeerTraffic.emptied
        let proven = look(most + 3, at: 4 * Self.second)
        #expect(proven.contains(.tooManyUnfinishedBytes(200)) && proven.count == 4, "\(proven)")
        #expect(proven.contains(.tooManyUnfinishedBytes(199)), "the oldest of all")
        let newest = (most..<most + 3).map { CInt(200 - $0) }
        #expect(proven.allSatisfy { !newest.contains($0.descriptor) }, "\(proven)")
        let later = look(most + 3, at: 5 * Self.second)
        #expect(later == [])
    }

    /// A flood of others keeps the socket from being found empty.
    @Test func aTurnOfEachConnectionProvesItToo() {
        var judge = ConnectionJudge()
        var progress = ConnectionJudge.Progress()
        _ = judge.judge([Self.sender(3_000, 2 * Limits.unreadBytesMax)], progress, at: 1)
        let each = Limits.messageBytesMax
        let count = Limits.unfinishedBytesInAllMax / each + 10
        let samples = (0..<count).map { Self.sender(CInt($0 + 6), each) }
        _ = judge.judge((0..<count).map { Self.sender(CInt($0 + 6), 0) }, progress, at: 2)
        let first = judge.judge(samples, progress, at: Self.second)
        progress.events += 4 * count - 1
        let early = judge.judge(samples, progress, at: 2 * Self.second)
        progress.events += 1
        let late = judge.judge(samples, progress, at: 3 * Self.second)
        #expect(first == [] && early == [] && late.count >= 10, "\(late.count)")
    }

    @Test func whoSendsCompleteMessagesIsNotCutForOthers() {
        var judge = ConnectionJudge()
        var progress = ConnectionJudge.Progress()
        _ = judge.judge([Self.sender(3_000, 2 * Limits.unreadBytesMax)], progress, at: 1)
        let each = Limits.messageBytesMax
        let count = Limits.unfinishedBytesInAllMax / each + 10
        for scan in 1...10 {
            progress.events += PeerTraffic.emptied
            progress.senders = [5]
            let samples =
                [Self.sender(5, scan * 8 * each)]
                + (0..<count).map {
                    Self.sender(CInt($0 + 6), each)
                }
            let verdicts = judge.judge(samples, progress, at: scan * Self.second)
            #expect(!verdicts.map(\.descriptor).contains(5))
        }
    }

    /// A connection that is made during the attack has sent its handshake, and completed nothing.
    @Test func whoHasOnlyConnectedIsNotAmongTheOldest() {
        var judge = ConnectionJudge()
        var progress = ConnectionJudge.Progress()
        _ = judge.judge([Self.sender(3_000, 2 * Limits.unreadBytesMax)], progress, at: 1)
        let each = Limits.messageBytesMax
        let count = Limits.unfinishedBytesInAllMax / each + 10
        for scan in 1...4 {
            progress.events += PeerTraffic.emptied
            let samples =
                [Self.sender(5, 400)]
                + (0..<count).map {
                    Self.sender(CInt($0 + 6), scan > 1 ? each : 0)
                }
            let verdicts = judge.judge(samples, progress, at: scan * Self.second)
            #expect(!verdicts.map(\.descriptor).contains(5))
            #expect(scan < 4 || !verdicts.isEmpty)
        }
    }

    /// A short audit must not be enough to be forgotten.
    @Test func aMessageThatIsUnfinishedStaysSoBetweenTwoAudits() {
        var judge = ConnectionJudge()
        var progress = ConnectionJudge.Progress()
        let half = Limits.messageBytesMax / 2
        let count = Limits.unfinishedBytesInAllMax / Limits.messageBytesMax + 5
        func look(_ bytes: Int, at time: Int) -> [ConnectionJudge.Verdict] {
            progress.events += PeerTraffic.emptied
            return judge.judge(
                (0..<count).map { Self.sender(CInt($0 + 5), bytes) }, progress, at: time)
        }
        _ = look(0, at: Self.second)
        _ = judge.judge([Self.sender(3_000, 2 * Limits.unreadBytesMax)], progress, at: Self.second)
        var verdicts = look(half / 16, at: 2 * Self.second)
        for second in 3..<12 {
            progress.bytes += 100 * Limits.messageBytesMax
            verdicts += look(half / 16, at: second * Self.second)
        }
        #expect(verdicts == [] && !judge.isAuditing)
        for second in 12..<20 {
            verdicts += look(half * (second - 10), at: second * Self.second)
            if second == 12 { #expect(judge.isAuditing) }
            if second == 13 { break }
        }
        verdicts += look(half + half - 1, at: 14 * Self.second)
        verdicts += look(half + half - 1, at: 15 * Self.second)
        #expect(!verdicts.isEmpty)
    }

    @Test func theAuditEndsWhenNothingWasUnreadForAWhile() {
        var judge = ConnectionJudge()
        let bytes = Limits.unreadBytesMax + 1
        _ = judge.judge([Self.sender(5, bytes)], .init(), at: Self.second)
        #expect(judge.isAuditing)
        var progress = ConnectionJudge.Progress()
        progress.bytes = bytes
        _ = judge.judge([Self.sender(5, bytes)], progress, at: 5 * Self.second)
        #expect(judge.isAuditing)
        _ = judge.judge([Self.sender(5, bytes)], progress, at: 7 * Self.second)
        #expect(!judge.isAuditing)
    }

    // MARK: Handshakes

    private static func stranger(
        _ descriptor: CInt, received: Int = 64, taken: Int = 64, identity: Int = 0
    ) -> ConnectionJudge.Sample {
        .init(
            descriptor: descriptor, identity: identity, role: .control, received: received,
            consumed: received, taken: taken)
    }

    @Test func theOldestOfTooManyUnfinishedHandshakesAreCut() {
        var judge = ConnectionJudge(isEncrypted: true)
        let most = CInt(Limits.handshakesUnfinishedMax)
        let old = (10..<13).map { Self.stranger($0) }
        let first = judge.judge(old, .init(), at: Self.second)
        // Newer connections have lower descriptors here, so it is their age that decides.
        let full = (100..<100 + most - 3).map { Self.stranger($0) }
        let second = judge.judge(old + full, .init(), at: 2 * Self.second)
        let more = full + (5..<7).map { Self.stranger($0) }
        let third = judge.judge(old + more, .init(), at: 3 * Self.second)
        #expect(first == [] && second == [])
        #expect(third == [.tooManyHandshakes(10), .tooManyHandshakes(11)])
        // The next look finds them closed, or sees them once more.
        let fourth = judge.judge(old + more, .init(), at: 4 * Self.second)
        #expect(fourth == [])
    }

    @Test func whoHasProvedAKeyIsInNoHandshake() {
        var judge = ConnectionJudge(isEncrypted: true)
        let most = CInt(Limits.handshakesUnfinishedMax)
        let clients = (10..<10 + 2 * most).map {
            Self.stranger($0, received: 1_000, taken: Limits.handshakeTakenBytesMin)
        }
        let verdicts = judge.judge(clients, .init(), at: Self.second)
        #expect(verdicts == [])
    }

    @Test func whoSendsMoreThanAHandshakeHasIsCut() {
        var judge = ConnectionJudge(isEncrypted: true)
        let bytes = Limits.handshakeBytesMax
        func look(_ received: Int, taken: Int, at time: Int) -> [ConnectionJudge.Verdict] {
            judge.judge([Self.stranger(5, received: received, taken: taken)], .init(), at: time)
        }
        let still = look(bytes, taken: 64, at: Self.second)
        let over = look(bytes + 1, taken: 234, at: 2 * Self.second)
        #expect(still == [] && over == [.handshakeTooLarge(5)])
        // Another connection gets its descriptor, and has received as much already.
        let next = Self.stranger(5, received: bytes + 1, identity: 1)
        let again = judge.judge([next], .init(), at: 3 * Self.second)
        #expect(again == [.handshakeTooLarge(5)])
    }

    /// Without CURVE, a peer that has sent no more than a greeting is in its handshake.
    @Test func withoutKeysTheIdleAreBoundedToo() {
        var judge = ConnectionJudge()
        let idle = (10...10 + CInt(Limits.handshakesUnfinishedMax)).map { Self.stranger($0) }
        let talking = (1_000..<2_000).map { Self.stranger($0, received: 65) }
        let verdicts = judge.judge(idle + talking, .init(), at: Self.second)
        #expect(verdicts == [.tooManyHandshakes(10)])
    }
}
