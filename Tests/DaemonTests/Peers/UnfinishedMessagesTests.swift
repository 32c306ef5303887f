import Testing

@testable import Daemon
@testable import Notation

struct UnfinishedMessagesTests {
    /// Connections to the socket of pushes that are looked at each second, whose socket was found
    /// empty twice in between.
    private struct Peers {
        var unfinished = UnfinishedMessages()
        var progress = ConnectionJudge.Progress()
        var seconds = 0
        /// By descriptor.
        var consumed: [CInt: Int] = [:]
        var written: [CInt: Int] = [:]
        var identities: [CInt: Int] = [:]
        var counts: [CInt: UnfinishedMessages.Counts] = [:]

        mutating func look(isEmptied: Bool = true) -> [CInt] {
            seconds += 1
            if isEmptied { progress.pushes += 2 * PeerTraffic.emptied }
            let samples = consumed.sorted { $0.key < $1.key }.map { descriptor, bytes in
                ConnectionJudge.Sample(
                    descriptor: descriptor, identity: identities[descriptor] ?? 0, role: .pushes,
                    received: bytes, consumed: bytes, written: written[descriptor] ?? 0)
            }
            let counts = counts
            return unfinished.look(samples, progress, at: seconds * 1_000_000_000) {
                counts[$0] ?? .init()
            }
        }

        /// Each has sent so many bytes more, which are no whole message.
        mutating func send(_ descriptors: Range<CInt>, _ bytes: Int) {
            for descriptor in descriptors { consumed[descriptor, default: 0] += bytes }
        }

        /// Each has sent messages of so many bytes, and the reactor has read them.
        mutating func complete(_ descriptors: Range<CInt>, _ bytes: Int) {
            send(descriptors, bytes)
            for descriptor in descriptors { counts[descriptor, default: .init()].read += bytes }
        }
    }

    /// Bytes of each of 2,500 connections: far fewer than one may have unfinished otherwise.
    private static let few = 4 * 1024
    private static let many: Range<CInt> = 1_000..<3_500

    @Test func fewBytesOfVeryManyAreCutWhileMemoryIsShort() {
        for isShort in [false, true] {
            var peers = Peers()
            peers.progress.isMemoryShort = isShort
            peers.send(Self.many, Self.few)
            let unproven = peers.look()
            let early = peers.look()
            let proven = peers.look()
            #expect(unproven == [] && early == [], "they may be whole, and wait to be read")
            let kept = Limits.unfinishedBytesInShortageMax / Self.few
            #expect(proven.count == (isShort ? Self.many.count - kept : 0))
            #expect(peers.unfinished.areMany || isShort)
            let later = peers.look()
            #expect(later == [], "each is cut once, and few stay")
            #expect(peers.unfinished.areMany != isShort)
        }
    }

    /// No bytes are forgotten, however slowly they come.
    @Test func dripsAddUp() {
        var peers = Peers()
        for _ in 0..<200 {
            peers.send(Self.many, 10)
            let cut = peers.look()
            #expect(cut == [])
        }
        #expect(peers.unfinished.bytes == Self.many.count * 2_000)
        peers.progress.isMemoryShort = true
        let cut = peers.look()
        #expect(cut.count > Self.many.count / 2)
    }

    /// Neither a whole message just before it nor one before that hides an unfinished one.
    @Test func wholeMessagesHideNothingBehindThem() {
        var peers = Peers()
        peers.progress.isMemoryShort = true
        for _ in 0..<5 {
            peers.complete(Self.many, 50_000)
            _ = peers.look()
        }
        #expect(peers.unfinished.bytes == 0)
        peers.complete(Self.many, 50)
        peers.send(Self.many, Self.few)
        _ = peers.look()
        #expect(peers.unfinished.bytes == Self.many.count * Self.few)
        _ = peers.look()
        let cut = peers.look()
        #expect(cut.count > Self.many.count / 2)
    }

    @Test func whatWaitsToBeReadIsNotUnfinished() {
        var peers = Peers()
        peers.progress.isMemoryShort = true
        peers.send(Self.many, 50_000)
        for _ in 0..<10 {
            let cut = peers.look(isEmptied: false)
            #expect(cut == [] && peers.unfinished.areMany)
        }
        for descriptor in Self.many { peers.counts[descriptor, default: .init()].read += 50_000 }
        for _ in 0..<3 {
            let cut = peers.look()
            #expect(cut == [])
        }
        #expect(peers.unfinished.bytes == 0)
    }

    /// A flood of others keeps the socket from being found empty.
    @Test func aTurnOfEachConnectionProvesItToo() {
        for isRead in [false, true] {
            var peers = Peers()
            peers.progress.isMemoryShort = true
            _ = peers.look()
            peers.send(Self.many, Self.few)
            _ = peers.look(isEmptied: false)
            peers.progress.pushes += 4 * Self.many.count
            _ = peers.look(isEmptied: false)
            if isRead {
                for descriptor in Self.many { peers.counts[descriptor] = .init(read: 100) }
            }
            peers.progress.pushes += 4 * Self.many.count - 1
            let early = peers.look(isEmptied: false)
            peers.progress.pushes += 1
            _ = peers.look(isEmptied: false)
            let late = peers.look(isEmptied: false)
            #expect(early == [])
            #expect(late.isEmpty == isRead, "where one was read, others of it may wait")
        }
    }

    /// A heartbeat each 100 ms, for an hour and a half, and a handshake before it.
    @Test func heartbeatsAreNoMessages() {
        for (ping, pong) in [(9, 7), (25, 23)] {
            var peers = Peers()
            peers.progress.isMemoryShort = true
            peers.send(Self.many, 110)
            for descriptor in Self.many { peers.written[descriptor] = 105 }
            for _ in 0..<500 {
                peers.send(Self.many, 100 * ping)
                for descriptor in Self.many { peers.written[descriptor]! += 100 * pong }
                let cut = peers.look()
                #expect(cut == [] && peers.unfinished.bytes == 0)
            }
        }
    }

    /// A reply is none: who asks for much would have room for as many frames.
    @Test func repliesAreNoAnswersToHeartbeats() {
        var peers = Peers()
        peers.complete(Self.many, 100)
        for descriptor in Self.many { peers.counts[descriptor]!.replied += 100_000 }
        _ = peers.look()
        for descriptor in Self.many { peers.written[descriptor] = 100_000 }
        peers.send(Self.many, Self.few)
        _ = peers.look()
        #expect(peers.unfinished.bytes == Self.many.count * Self.few)
    }

    /// Where some bytes were counted as neither, the next message shows that they were.
    @Test func aLaterMessageEndsAllThatCameBefore() {
        var peers = Peers()
        peers.send(5..<6, 100_000)
        _ = peers.look()
        _ = peers.look()
        #expect(peers.unfinished.bytes == 100_000)
        peers.complete(5..<6, 50)
        _ = peers.look()
        #expect(peers.unfinished.bytes == 0)
    }

    /// A message that comes between the system's two answers of a look makes it tell fewer bytes
    /// than the look before.
    @Test func aMessageThatComesDuringALookIsReadAsAnyOther() {
        var peers = Peers()
        peers.complete(5..<6, 100_000)
        _ = peers.look()
        _ = peers.look()
        peers.consumed[5]! -= Self.few
        _ = peers.look()
        #expect(peers.unfinished.bytes == 0)
        peers.consumed[5]! += Self.few
        peers.complete(5..<6, Self.few)
        for _ in 0..<3 {
            _ = peers.look()
            #expect(peers.unfinished.bytes == 0)
        }
    }

    @Test func whoBringsThemSlowlyIsAmongTheLast() {
        var peers = Peers()
        peers.progress.isMemoryShort = true
        let slow: Range<CInt> = 5..<15
        for _ in 0..<60 {
            peers.send(slow, 1_000)
            let cut = peers.look()
            #expect(cut == [])
        }
        peers.send(Self.many, Self.few)
        _ = peers.look()
        _ = peers.look()
        let cut = peers.look()
        #expect(cut.count > Self.many.count / 2)
        #expect(!cut.contains { slow.contains($0) })
    }

    /// Those that brought theirs at once wait longest, and have brought few bytes for their age.
    @Test func whoWaitsDoesNotComeToLookSlow() {
        var peers = Peers()
        peers.send(Self.many, Self.few)
        let slow: Range<CInt> = 5..<15
        for second in 0..<60 {
            if second > 50 { peers.send(slow, 1_000) }
            _ = peers.look()
        }
        peers.progress.isMemoryShort = true
        let cut = peers.look()
        #expect(cut.count > Self.many.count / 2)
        #expect(!cut.contains { slow.contains($0) })
    }

    @Test func theNextConnectionOfADescriptorBeginsWithNothing() {
        var peers = Peers()
        peers.complete(5..<6, 1_000_000)
        _ = peers.look()
        // One has gone for a while, or another has come at once; the reactor has read a message of
        // the former one meanwhile.
        for isGone in [false, true] {
            if isGone {
                peers.consumed = [:]
                _ = peers.look()
            }
            peers.identities[5] = isGone ? 2 : 1
            peers.consumed[5] = 200
            peers.counts[5]!.read += 20_000
            _ = peers.look()
            _ = peers.look()
            peers.consumed[5]! += Self.few
            _ = peers.look()
            #expect(peers.unfinished.bytes == Self.few)
        }
    }

    /// All that the guard knows, from the process's memory to the cuts.
    @Test func theGuardFindsFewFramesOfVeryMany() {
        var watch = ConnectionWatch(isEncrypted: false, updatesWaitingMax: .max)
        var progress = ConnectionJudge.Progress()
        var cut: Set<CInt> = []
        for step in 0..<100 {
            progress.pushes += 2 * PeerTraffic.emptied
            progress.events += 2 * PeerTraffic.emptied
            progress.requests += 2 * PeerTraffic.emptied
            let bytes = 14 * 1024
            // Twenty-five come at each look.
            let samples = Self.many.prefix(25 * step).filter { !cut.contains($0) }.map {
                ConnectionJudge.Sample(
                    descriptor: $0, role: .pushes, received: bytes, consumed: bytes)
            }
            let resident = (20 << 20) + 32 * bytes * samples.count
            #expect(resident < 256 << 20)
            watch.look(
                samples, progress, .init(), at: (step + 1) * 10_000_000, accounted: { _ in 0 },
                counts: { _ in .init() },
                process: .init(resident: { resident }, unexplained: { resident }))
            #expect(watch.cuts.allSatisfy { $0.reason == .tooManyUnfinishedBytes })
            cut.formUnion(watch.cuts.map(\.descriptor))
        }
        #expect(cut.count > 2_000)
    }
}
