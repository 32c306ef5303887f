import Codec
import Foundation
import Geometry
import Protocol
import Sessions
import TestSupport

/// Whether benchmarks run for real: `BENCHMARK=1 swift test -c release --filter Benchmark`. Else
/// they run a few rounds, so that they cannot rot. Each prints a checksum, so that nothing is left
/// out.
let isBenchmark = ProcessInfo.processInfo.environment["BENCHMARK"] == "1"

/// The shortest of many times: others share the machine, and disturb some rounds, not all.
struct BestTime {
    private(set) var duration = Duration.seconds(3_600)

    mutating func take(_ other: Duration) { duration = min(duration, other) }

    var nanoseconds: Int64 { Int64(duration / .nanoseconds(1)) }
}

/// A session of a scene, watched, with all its updates encoded.
struct BenchmarkStand {
    var session: Session
    private(set) var sink = CountingSink()

    init(_ scene: Scene) {
        session = Session(
            id: "alice", epoch: "e.1", scene: scene, opened: Theater.opened, frameRate: 60)
        session.flush(to: .all, inFrame: true, into: &sink)
    }

    /// Bytes of all updates so far.
    var bytes: Int { sink.bytes }

    /// So many steps after what was played before.
    mutating func play(_ payload: Event.Payload, after steps: Int = 0) {
        session.advance(to: session.clock + steps)
        let received = Double(session.instant.nanoseconds) / 1e6
        _ = session.receive(Event(payload), received: received)
        session.flush(to: .all, inFrame: false, into: &sink)
    }

    /// The time of one of so many events, with the updates that tell it.
    mutating func time(of count: Int, _ event: (Int) -> Event.Payload) -> Duration {
        let start = ContinuousClock.now
        for number in 0..<count { play(event(number)) }
        return (ContinuousClock.now - start) / count
    }

    /// The time of one frame of two steps, until nothing moves; nil: nothing moved. At most 20 s
    /// of them are played.
    @discardableResult
    mutating func timeOfFramesToRest() -> Duration? {
        var count = 0
        let start = ContinuousClock.now
        while session.isMoving && count < 1_200 {
            session.advance(to: session.clock + 2)
            session.flush(to: .all, inFrame: true, into: &sink)
            count += 1
        }
        return count > 0 ? (ContinuousClock.now - start) / count : nil
    }
}

/// Encodes every message, and keeps none.
struct CountingSink: MessageSink {
    private var buffer = Buffer()
    private(set) var bytes = 0
    var isFull: Bool { false }

    /// Sinks are copyable and buffers are not.
    private final class Buffer { var value = ByteBuffer(capacity: 1 << 16) }

    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        buffer.value.removeAll()
        topic.append(to: &buffer.value)
        body(&buffer.value)
        bytes &+= buffer.value.count
    }
}
