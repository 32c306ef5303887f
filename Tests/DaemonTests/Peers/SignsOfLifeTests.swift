import Notation
import Testing

@testable import Daemon

@Suite struct SignsOfLifeTests {
    private static let second = 1_000_000_000
    private var signs = SignsOfLife()
    private var emptied = 0
    private var accounted: [CInt: Int] = [:]
    private var now = second

    private mutating func look(_ samples: ConnectionJudge.Sample...) -> [CInt] {
        now += 10_000_000
        emptied += 2
        let known = accounted
        return signs.look(samples, emptied: emptied, at: now) { known[$0] ?? 0 }
    }

    private func sample(
        _ role: ConnectionJudge.Role, consumed: Int = 1_000_000, written: Int = 0,
        identity: Int = 1
    ) -> ConnectionJudge.Sample {
        .init(
            descriptor: 5, identity: identity, role: role, received: consumed, consumed: consumed,
            written: written)
    }

    @Test(arguments: [ConnectionJudge.Role.events, .pushes])
    mutating func whoIsAnsweredMoreThanAPublisherNeedsIsCut(role: ConnectionJudge.Role) {
        let most = Limits.signsBurstBytesMax
        let first = look(sample(role, written: most))
        let more = look(sample(role, written: most + 100))
        let again = look(sample(role, written: most + 200))
        #expect(first == [] && more == [5] && again == [])
        let next = look(sample(role, written: most, identity: 2))
        #expect(next == [], "another connection of its descriptor")
    }

    @Test mutating func heartbeatsAreNoReason() {
        var written = 300
        for _ in 0..<2_000 {
            // Ten a second.
            if emptied % 20 == 0 { written += 23 }
            let cut = look(sample(.pushes, written: written))
            #expect(cut == [])
        }
    }

    @Test mutating func repliesAreNoSignsOfLife() {
        accounted[5] = 50_000_000
        let much = look(sample(.control, written: 50_000_000))
        accounted[5] = 90_000_000
        let waiting = look(sample(.control, written: 60_000_000))
        let late = look(sample(.control, written: 90_000_000))
        let lively = look(sample(.control, written: 90_000_000 + Limits.signsBurstBytesMax + 100))
        #expect(much == [] && waiting == [] && late == [] && lively == [5])
    }

    /// It may have asked over a former connection: it has sent little over this one.
    @Test mutating func aReplyToAFormerConnectionIsNone() {
        let cut = look(sample(.control, consumed: 300, written: 1_000_000))
        #expect(cut == [])
    }

    @Test mutating func whatTheDescriptorHadBeforeDoesNotCount() {
        accounted[5] = 1_000_000
        _ = look(sample(.control, written: 1_000_000))
        let next = look(sample(.control, written: 100, identity: 2))
        accounted[5] = 1_000_500
        let lively = look(
            sample(.control, written: 700 + Limits.signsBurstBytesMax, identity: 2))
        #expect(next == [] && lively == [5])
        // It has gone, and a third one comes.
        _ = look()
        let third = look(
            sample(.control, written: 700 + Limits.signsBurstBytesMax, identity: 3))
        #expect(third == [5])
    }

    @Test mutating func aSubscribersSubscriptionsAreNone() {
        accounted[5] = 2_000_000
        let read = look(sample(.updates, consumed: 2_000_000))
        // They come first, and are read later.
        let come = look(sample(.updates, consumed: 3_000_000))
        accounted[5] = 3_000_000
        let late = look(sample(.updates, consumed: 3_000_000))
        #expect(read == [] && come == [] && late == [])
        let bytes = 3_000_000 + Limits.signsBurstBytesOfSubscriberMax + 100
        let lively = look(sample(.updates, consumed: bytes))
        #expect(lively == [] && signs.isSuspicious, "they may be subscriptions")
        let proven = look(sample(.updates, consumed: bytes))
        #expect(proven == [5])
    }

    /// The reactor may not have read them yet.
    @Test mutating func nothingIsSettledWhileTheReactorReads() {
        _ = look(sample(.updates, consumed: 500))
        for _ in 0..<10 {
            emptied -= 2
            let cut = look(sample(.updates, consumed: 2_000_000))
            #expect(cut == [])
        }
    }

    @Test mutating func manyTogetherHaveABound() {
        let count = CInt(Limits.signsBurstBytesInAllMax / Limits.signsBurstBytesMax)
        func samples(_ written: Int, _ quiet: Int) -> [ConnectionJudge.Sample] {
            (0..<2 * count).map {
                ConnectionJudge.Sample(
                    descriptor: $0, role: .pushes, received: 9_000, consumed: 9_000,
                    written: $0 < count ? quiet : written)
            }
        }
        let half = Limits.signsBurstBytesMax / 2
        let first = signs.look(samples(half + 100, 300), emptied: 0, at: now) { _ in 0 }
        #expect(first == [])
        now += 1_000
        let most = Limits.signsBurstBytesMax - 100
        let cut = signs.look(samples(most, 400), emptied: 0, at: now) { _ in 0 }
        #expect(!cut.isEmpty && cut.allSatisfy { $0 >= count })
    }

    @Test func whatIsAccountedForGrowsByDescriptor() {
        let bytes = AccountedBytes()
        bytes.add(7, on: 5)
        bytes.add(8, on: 5)
        bytes.add(9, on: -1)
        bytes.add(9, on: CInt(Limits.accountedDescriptorsMax))
        #expect(bytes.count(of: 5) == 15 && bytes.count(of: 6) == 0)
        #expect(bytes.count(of: -1) == nil)
        #expect(bytes.count(of: CInt(Limits.accountedDescriptorsMax)) == nil)
    }
}
