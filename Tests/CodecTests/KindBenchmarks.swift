import Codec
import Foundation
import Geometry
import Gestures
import Interactions
import Protocol
import Sessions
import TestSupport
import Testing

/// `BENCHMARK=1 swift test -c release --filter Benchmark` runs it for real.
private let isReal = ProcessInfo.processInfo.environment["BENCHMARK"] == "1"

/// The cost of each kind in a watched session of its own: an event with the state
/// that it changes, and a frame of two steps with the state that it shows, both encoded.
@Suite(.serialized) struct KindBenchmarks {
    /// One kind, what sets it in motion, and the event that is measured, at its nth time.
    struct Kind: Sendable, CustomTestStringConvertible {
        var id: String
        /// Played at rest, before frames are measured.
        var start: [Event.Payload]
        /// Played once before events are measured.
        var opening: [Event.Payload] = []
        var event: @Sendable (Int) -> Event.Payload
        /// The component whose events are measured; nil: those of `phone`.
        var parameters: ComponentParameters?

        var testDescription: String { id }
    }

    /// Each present is over when the next one comes.
    private static var instant: NavigationParameters {
        var parameters = NavigationParameters(root: "dashboard")
        parameters.duration = 0
        parameters.removalLead = 0
        return parameters
    }

    private static let kinds = [
        Kind(
            id: "tips",
            start: [
                pan("tips", .began, 160, 284), pan("tips", .changed, 230, 290),
                pan("tips", .ended, 230, 290),
            ],
            opening: [pan("tips", .began, 160, 284)],
            event: { pan("tips", .changed, 160 + Double($0 % 64), 284) }),
        Kind(
            id: "toss",
            start: [pan("toss", .began, 160, 223), pan("toss", .ended, 220, 223, speed: 1500)],
            opening: [pan("toss", .began, 160, 223)],
            event: { pan("toss", .changed, 160 + Double($0 % 64), 223) }),
        Kind(
            id: "navigation", start: [present("posts"), present("dashboard")],
            event: { present($0 % 2 == 0 ? "posts" : "dashboard") },
            parameters: .init(instant)),
        Kind(
            id: "profile", start: fling("profile"),
            event: { scroll("profile", .changed, Double($0 % 150)) }),
        Kind(
            id: "list",
            start: [
                .gesture(
                    component: "list", .swipe(Swipe(direction: .left, target: .row(1))))
            ],
            opening: [scroll("list", .began, 0)],
            event: { scroll("list", .changed, Double($0 % 150)) }),
        Kind(
            id: "reader", start: [scroll("reader", .began, 0), scroll("reader", .ended, -40)],
            opening: [scroll("reader", .began, 0)],
            event: { scroll("reader", .changed, Double($0 % 50)) }),
        Kind(
            id: "tabs",
            start: [
                .gesture(component: "tabs", .tap(.index(0))),
                .gesture(component: "tabs", .tap(.index(4))),
            ],
            event: { .gesture(component: "tabs", .tap(.index($0 % 5))) }),
    ]

    /// The best round counts: others share the machine.
    @Test("Benchmark: kinds", arguments: kinds)
    func eventsAndFramesAreCheap(kind: Kind) {
        let rounds = isReal ? 40 : 1
        var event = Duration.seconds(3_600)
        var frame = Duration.seconds(3_600)
        var bytes = 0
        for _ in 0..<rounds {
            var theater = Stand(kind.id)
            theater.rest()
            for _ in 0..<(isReal ? 20 : 1) {
                kind.start.forEach { theater.play($0, after: 1) }
                let (elapsed, frames) = theater.framesToRest()
                if frames > 0 { frame = min(frame, elapsed / frames) }
            }
            if let parameters = kind.parameters { theater = Stand(kind.id, parameters) }
            kind.opening.forEach { theater.play($0) }
            let count = isReal ? 5_000 : 50
            let start = ContinuousClock.now
            for round in 0..<count { theater.play(kind.event(round)) }
            event = min(event, (ContinuousClock.now - start) / count)
            bytes = theater.sink.bytes
        }
        print(
            "kind \(kind.id): \(event.nanoseconds) ns per event, "
                + "\(frame.nanoseconds) ns per frame, checksum \(bytes)")
        #expect(bytes > 0 && frame < .seconds(1))
    }

    private static func pan(
        _ component: String, _ phase: Phase, _ x: Double, _ y: Double, speed: Double? = nil
    ) -> Event.Payload {
        let pan = Pan(
            phase: phase, location: Vector(x, y), velocity: speed.map { Vector($0, 0) })
        return .gesture(component: component, .pan(pan))
    }

    private static func scroll(
        _ component: String, _ phase: Phase, _ offset: Double
    ) -> Event.Payload {
        .gesture(component: component, .scroll(Scroll(phase: phase, offset: offset)))
    }

    private static func present(_ screen: String) -> Event.Payload {
        .command(
            component: "navigation",
            ComponentCommand("present", .of(screen: screen, transition: "in-via-scale")))
    }

    /// A finger that lets go in flight.
    private static func fling(_ component: String) -> [Event.Payload] {
        (0..<6).map { sample in
            let phase = sample == 0 ? Phase.began : sample == 5 ? .ended : .changed
            let location = Vector(160, 400 - 30 * Double(sample))
            return .gesture(
                component: component,
                .pointer(Pointer(phase: phase, pointer: 1, location: location)))
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}

/// A session that plays one component of `phone`, watched, with its updates encoded.
private struct Stand {
    var session: Session
    var sink = BytesSink()

    /// With the parameters of `phone` unless others are given.
    init(_ id: String, _ parameters: ComponentParameters? = nil) {
        var scene = Scene.phone()
        scene.components.removeAll { $0.id != id }
        if let parameters { scene.components[0].parameters = parameters }
        session = Session(
            id: "alice", epoch: "e.1", scene: scene, opened: Theater.opened, frameRate: 60)
        session.flush(to: .all, inFrame: true, into: &sink)
    }

    /// So many steps after what was played before.
    mutating func play(_ payload: Event.Payload, after steps: Int = 0) {
        session.advance(to: session.clock + steps)
        let received = Double(session.instant.nanoseconds) / 1e6
        _ = session.receive(Event(payload), received: received)
        session.flush(to: .all, inFrame: false, into: &sink)
    }

    mutating func rest() {
        _ = framesToRest()
    }

    /// How long all frames took together, until nothing moves; at most 20 s of them.
    mutating func framesToRest() -> (Duration, Int) {
        var count = 0
        let start = ContinuousClock.now
        while session.isMoving && count < 1_200 {
            session.advance(to: session.clock + 2)
            session.flush(to: .all, inFrame: true, into: &sink)
            count += 1
        }
        return (ContinuousClock.now - start, count)
    }
}

/// Encodes every message, and keeps none.
private struct BytesSink: MessageSink {
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
