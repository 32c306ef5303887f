import Geometry
import Testing

@testable import Daemon

struct ReactorTests {
    @Test func aFrameIsLateIfItIsSentLate() throws {
        let reactor = try ReactorStage().reactor
        let chunk = reactor.outbox.chunk()
        let now = Clock.monotonic()
        chunk.frameDues = [now, now - 2 * Step(1).nanoseconds, now + 1_000_000_000]
        reactor.outbox.post(chunk)
        try reactor.sendOutgoing()
        #expect(reactor.counters.get(.frames) == 3)
        #expect(reactor.counters.get(.framesLate) == 1)
    }
}
