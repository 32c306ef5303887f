import Codec
import Foundation
import Geometry
import Gestures
import Interactions
import Notation
import Protocol
import Sessions
import TestSupport
import Testing

/// `BENCHMARK=1 swift test -c release --filter Benchmark` runs it for real.
private let isReal = ProcessInfo.processInfo.environment["BENCHMARK"] == "1"

/// A list of 10,000 rows with content beside one of 20: what a scrolled frame costs, and what a
/// row costs that comes at the top. Every update is encoded.
@Suite(.serialized) struct RowBenchmarks {
    private static let sizes = [20, 10_000]
    private static let step = 70.0

    /// The best round counts: others share the machine.
    @Test("Benchmark: rows")
    func tenThousandRowsCostAsTwenty() {
        let rounds = isReal ? 60 : 1
        var frames: [Int: Duration] = [:]
        var insert = Duration.seconds(3_600)
        var bytes = 0
        for _ in 0..<rounds {
            for size in Self.sizes {
                var list = RowStand(size)
                let frame = list.scroll(frames: isReal ? 2_000 : 20)
                frames[size] = min(frames[size] ?? frame, frame)
                bytes &+= list.sink.bytes
                guard size == Self.sizes.last else { continue }
                for _ in 0..<(isReal ? 5 : 1) { insert = min(insert, list.insert()) }
            }
        }
        let (few, many) = (frames[20] ?? .zero, frames[10_000] ?? .zero)
        print(
            "rows: \(few.nanoseconds) ns per scrolled frame of 20, \(many.nanoseconds) ns of "
                + "10,000, \(insert.nanoseconds) ns per row at the top, checksum \(bytes)")
        #expect(bytes > 0)
        if isReal {
            #expect(many < few * 1.2, "\(many) is more than 1.2 of \(few)")
            #expect(insert < .microseconds(200), "\(insert)")
        }
    }

    /// The first row that comes to a list of the scene copies the list once; it counts too.
    @Test("Benchmark: the first row at the top")
    func theFirstRowAtTheTopIsAsCheap() {
        var first = Duration.seconds(3_600)
        for _ in 0..<(isReal ? 40 : 1) {
            var list = RowStand(10_000)
            first = min(first, list.insert())
        }
        print("rows: \(first.nanoseconds) ns for the first row at the top, checksum 1")
        if isReal { #expect(first < .microseconds(200), "\(first)") }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}

/// A session with a list of so many rows, watched, with its updates encoded.
private struct RowStand {
    var session: Session
    var sink = RowSink()
    private var count = 0

    init(_ size: Int) {
        let rows = (0..<size).map { number in
            ListRow(
                id: "r\(number)",
                content: Node(.object([.init("text", Node(.string("Row \(number)")))])),
                origin: number)
        }
        var scene = Scene.phone()
        scene.components.removeAll { $0.id != "list" }
        scene.components[0].parameters = .init(ListParameters(listed: rows))
        session = Session(
            id: "alice", epoch: "e.1", scene: scene, opened: Theater.opened, frameRate: 60)
        session.flush(to: .all, inFrame: true, into: &sink)
        play(.gesture(component: "list", .scroll(Scroll(phase: .began, offset: 0))))
    }

    private mutating func play(_ payload: Event.Payload) {
        let received = Double(session.instant.nanoseconds) / 1e6
        _ = session.receive(Event(payload), received: received)
        session.flush(to: .all, inFrame: false, into: &sink)
    }

    /// The time of a frame that scrolls on by some points, there and back within 800 points.
    mutating func scroll(frames: Int) -> Duration {
        let start = ContinuousClock.now
        for frame in 0..<frames {
            let place = Double(frame % 200)
            let offset = 8 * (place < 100 ? place : 200 - place)
            play(.gesture(component: "list", .scroll(Scroll(phase: .changed, offset: offset))))
        }
        return (ContinuousClock.now - start) / frames
    }

    /// The time of a row that comes at the top, with the updates that tell it.
    mutating func insert() -> Duration {
        count += 1
        let item = Node(
            .object([
                .init("id", Node(.string("new\(count)"))),
                .init("content", Node(.object([.init("text", Node(.string("New")))]))),
            ]))
        let members = [
            Node.Member("at", Node(.integer(0))), Node.Member("item", item),
        ]
        let start = ContinuousClock.now
        play(.command(component: "list", ComponentCommand("insert", members)))
        return ContinuousClock.now - start
    }
}

/// Encodes every message, and keeps none.
private struct RowSink: MessageSink {
    var buffer = Buffer()
    var bytes = 0
    var isFull: Bool { false }

    /// Sinks are copyable and buffers are not.
    final class Buffer { var value = ByteBuffer(capacity: 1 << 16) }

    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        buffer.value.removeAll()
        topic.append(to: &buffer.value)
        body(&buffer.value)
        bytes &+= buffer.value.count
    }
}
