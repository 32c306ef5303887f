import Notation
import Testing

@testable import Daemon

struct EnvelopeTests {
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
        let (envelope, request) = Envelope.split([[1, 2]] + frames)
        #expect(envelope.identity == [1, 2] && envelope.route == route)
        #expect(envelope.hasDelimiter == hasDelimiter && request == frames.last)
    }

    @Test(
        arguments: [
            [], [[1], body], [[1], [2], body], [[], body, body], [[], [], body], [[1], []],
            [[1], [], body, body],
        ] as [[[UInt8]]])
    func otherFramesAreNoRequest(frames: [[UInt8]]) {
        let (envelope, request) = Envelope.split([[1, 2]] + frames)
        #expect(request == nil && envelope.identity == [1, 2] && envelope.route.isEmpty)
    }

    @Test func anEnvelopeHasBounds() {
        let most = Array(repeating: [UInt8(1)], count: Limits.envelopeFramesMax - 1)
        #expect(Envelope.split([[1]] + most + [[], Self.body]).request == Self.body)
        #expect(Envelope.split([[1]] + most + [[1], [], Self.body]).request == nil)
        let long = [UInt8](repeating: 1, count: Limits.envelopeBytesMax)
        #expect(Envelope.split([[1], long, [], Self.body]).request == Self.body)
        #expect(Envelope.split([[1], long + [1], [], Self.body]).request == nil)
    }
}
