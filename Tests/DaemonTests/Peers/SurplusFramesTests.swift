import Notation
import Testing
import ZeroMQ

@testable import Daemon

struct SurplusFramesTests {
    private static let second = 1_000_000_000
    private static let most = Limits.surplusFramesMax

    private static func sender(_ number: Int, descriptor: CInt = 5) -> Sender {
        Sender(number: number, descriptor: descriptor)
    }

    @Test func whoSendsFarMoreFramesThanAMessageHasIsCutOnce() {
        var frames = SurplusFrames()
        let first = frames.take(Self.most, of: Self.sender(1), at: Self.second)
        let other = frames.take(Self.most, of: Self.sender(2, descriptor: 6), at: Self.second)
        let more = frames.take(1, of: Self.sender(1), at: Self.second)
        let again = frames.take(16_384, of: Self.sender(1), at: Self.second)
        #expect(!first && !other && more && !again)
    }

    @Test func aFewInEachSecondAreNoReason() {
        var frames = SurplusFrames()
        for second in 1..<100 {
            let isCut = frames.take(
                Limits.surplusFramesPerSecondMax, of: Self.sender(1), at: second * Self.second)
            #expect(!isCut)
        }
    }

    /// Messages of a connection that was cut are read later.
    @Test func aFormerConnectionOfTheDescriptorEndsNoOther() {
        var frames = SurplusFrames()
        let first = frames.take(2 * Self.most, of: Self.sender(1), at: Self.second)
        let next = frames.take(1, of: Self.sender(7), at: 60 * Self.second)
        let former = frames.take(2 * Self.most, of: Self.sender(1), at: 60 * Self.second)
        let innocent = frames.take(1, of: Self.sender(7), at: 60 * Self.second)
        #expect(first && !next && !former && !innocent)
    }

    @Test func theDaemonsOwnConnectionsAreNotCut() {
        var frames = SurplusFrames()
        let isCut = frames.take(
            2 * Self.most, of: Self.sender(1, descriptor: -1), at: Self.second)
        #expect(!isCut)
    }
}
