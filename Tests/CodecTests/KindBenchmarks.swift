import Codec
import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

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

    @Test("Benchmark: kinds", arguments: kinds)
    func eventsAndFramesAreCheap(kind: Kind) {
        var (event, frame) = (BestTime(), BestTime())
        var bytes = 0
        for _ in 0..<(isBenchmark ? 40 : 1) {
            var stand = BenchmarkStand(Self.scene(of: kind.id))
            stand.timeOfFramesToRest()
            for _ in 0..<(isBenchmark ? 20 : 1) {
                kind.start.forEach { stand.play($0, after: 1) }
                if let time = stand.timeOfFramesToRest() { frame.take(time) }
            }
            if let parameters = kind.parameters {
                stand = BenchmarkStand(Self.scene(of: kind.id, parameters))
            }
            kind.opening.forEach { stand.play($0) }
            event.take(stand.time(of: isBenchmark ? 5_000 : 50, kind.event))
            bytes = stand.bytes
        }
        print(
            "kind \(kind.id): \(event.nanoseconds) ns per event, "
                + "\(frame.nanoseconds) ns per frame, checksum \(bytes)")
        #expect(bytes > 0 && frame.duration < .seconds(1))
    }

    /// One component of `phone`, with its parameters unless others are given.
    private static func scene(
        of id: String, _ parameters: ComponentParameters? = nil
    ) -> Scene {
        var scene = Scene.phone()
        scene.components.removeAll { $0.id != id }
        if let parameters { scene.components[0].parameters = parameters }
        return scene
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
