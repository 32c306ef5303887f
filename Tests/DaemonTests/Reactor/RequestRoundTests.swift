import Notation
import Protocol
import Testing

@testable import Daemon

struct RequestRoundTests {
    private static let body = Array("{}".utf8)

    /// The frames behind the identity; the route, and whether a delimiter comes back.
    @Test(
        arguments: [
            ([body], [], false), ([[], body], [], true), ([[]], [], false), ([[], []], [], true),
            ([[0, 0, 0, 1], [], body], [[0, 0, 0, 1]], true),
            ([[7], [8, 9], [], body], [[7], [8, 9]], true),
        ] as [([[UInt8]], [[UInt8]], Bool)])
    func allFramesUpToTheEmptyOneAreTheEnvelope(
        frames: [[UInt8]], route: [[UInt8]], hasDelimiter: Bool
    ) {
        let (envelope, request) = RequestRound.split([[1, 2]] + frames)
        #expect(envelope.identity == [1, 2] && envelope.route == route)
        #expect(envelope.hasDelimiter == hasDelimiter && request == frames.last)
    }

    @Test(
        arguments: [
            [], [[1], body], [[1], [2], body], [[], body, body], [[], [], body], [[1], []],
            [[1], [], body, body],
        ] as [[[UInt8]]])
    func otherFramesAreNoRequest(frames: [[UInt8]]) {
        let (envelope, request) = RequestRound.split([[1, 2]] + frames)
        #expect(request == nil && envelope.identity == [1, 2] && envelope.route.isEmpty)
    }

    @Test func anEnvelopeHasBounds() {
        let most = Array(repeating: [UInt8(1)], count: Limits.envelopeFramesMax - 1)
        #expect(RequestRound.split([[1]] + most + [[], Self.body]).request == Self.body)
        #expect(RequestRound.split([[1]] + most + [[1], [], Self.body]).request == nil)
        let long = [UInt8](repeating: 1, count: Limits.envelopeBytesMax)
        #expect(RequestRound.split([[1], long, [], Self.body]).request == Self.body)
        #expect(RequestRound.split([[1], long + [1], [], Self.body]).request == nil)
    }

    /// libzmq's own identities are short, and those that peers choose have at most 255 bytes.
    @Test(arguments: [0, 1, 5, 15, 16, 17, 255])
    func anEnvelopeKeepsWhatItIsGiven(identityBytes: Int) {
        let identity = (0..<identityBytes).map { UInt8($0) }
        for id in [nil, Node(.integer(-7)), Node(.string("a")), Node(.null)] {
            var (envelope, _) = RequestRound.split([identity, [3], [], Self.body])
            envelope.id = Node(.string("b"))
            envelope.id = id
            #expect(envelope.id == id)
            #expect(envelope.identity == identity && envelope.route == [[3]])
        }
    }

    @Test func aRoundIsUsedAgain() {
        var round = RequestRound()
        for size in [1, Limits.spareRequestBytesMax + 1, 2] {
            let text = [UInt8](repeating: 5, count: size)
            round.begin()
            for frame in [[1], text] {
                unsafe frame.withUnsafeBytes { unsafe round.append($0) }
            }
            round.note(descriptor: 4, client: 6, handshake: 9)
            let (envelope, place) = round.split(round.requests[0])
            let found = place.map { round.bytes.array($0) }
            let last = round.lastFrame(of: round.requests[0])
            #expect(found == text && last == text)
            #expect(envelope.descriptor == 4 && envelope.client == 6)
            round.removeAll()
            let isEmpty = round.requests.isEmpty && round.bytes.isEmpty
            #expect(isEmpty)
        }
    }
}
