import Codec
import Foundation
import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// The kiosk, a whole app in its scene: what its touches and its notifications cost, with all that
/// its reactions do, and its frames. Every update is encoded.
@Suite(.serialized) struct AppBenchmarks {
    private static let scene = Result {
        let file = repositoryURL("config/scenes/kiosk.toml")
        return try SceneReader.scene(
            toml: Array(try Data(contentsOf: file)), file: "kiosk.toml", fallbackName: "kiosk")
    }

    private static func command(
        _ component: String, _ name: String, _ members: [Node.Member] = []
    ) -> Event.Payload {
        .command(component: component, ComponentCommand(name, members))
    }

    /// By turns, for the count stands between two bounds: a reaction counts, and a text tells it.
    private static func tap(_ number: Int) -> Event.Payload {
        command(number % 2 == 0 ? "plus" : "less", "tap")
    }

    /// Another language, for all texts of the scene.
    private static func language(_ number: Int) -> Event.Payload {
        .assign([.init("language", Node(.string(number % 2 == 0 ? "de" : "en")))])
    }

    /// There and back.
    private static func scroll(_ number: Int) -> Event.Payload {
        let place = Double(number % 60)
        let scroll = Scroll(phase: .changed, offset: place < 30 ? place : 60 - place)
        return .gesture(component: "dishes", .scroll(scroll))
    }

    /// An order that is ready brings a row, which is taken off.
    private static func order(_ number: Int) -> Event.Payload {
        guard number % 2 == 0 else {
            return command("ready", "remove", [.init("item", Node(.string("order-\(number)")))])
        }
        let data = Node(.object([.init("order", Node(.integer(number + 1)))]))
        return .notification(kind: "ready", .add(1), data: data)
    }

    @Test("Benchmark: the kiosk")
    func eventsAndFramesOfTheKiosk() throws {
        let scene = try Self.scene.get()
        let events: [(String, @Sendable (Int) -> Event.Payload)] = [
            ("tap", Self.tap), ("scroll", Self.scroll), ("order", Self.order),
            ("language", Self.language),
        ]
        var times = events.map { _ in BestTime() }
        var frame = BestTime()
        var bytes = 0
        for _ in 0..<(isBenchmark ? 20 : 1) {
            for (place, (_, event)) in events.enumerated() {
                var stand = BenchmarkStand(scene)
                stand.timeOfFramesToRest()
                times[place].take(stand.time(of: isBenchmark ? 1_000 : 10, event))
                bytes &+= stand.bytes
            }
            var stand = BenchmarkStand(scene)
            stand.timeOfFramesToRest()
            stand.play(Self.command("sheet", "toggle"))
            if let time = stand.timeOfFramesToRest() { frame.take(time) }
        }
        for (place, (name, _)) in events.enumerated() {
            print("kiosk: \(times[place].nanoseconds) ns per \(name), checksum \(bytes)")
        }
        print("kiosk: \(frame.nanoseconds) ns per frame of the sheet, checksum \(bytes)")
        #expect(bytes > 0 && frame.duration < .seconds(1))
    }
}
