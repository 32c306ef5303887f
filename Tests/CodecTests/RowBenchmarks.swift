import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// A list of 10,000 rows with content beside one of 20: what a scrolled frame costs, and what a
/// row costs that comes at the top. Every update is encoded.
@Suite(.serialized) struct RowBenchmarks {
    private static let sizes = [20, 10_000]

    @Test("Benchmark: rows")
    func tenThousandRowsCostAsTwenty() {
        var frames = Self.sizes.map { _ in BestTime() }
        var insert = BestTime()
        var bytes = 0
        for _ in 0..<(isBenchmark ? 60 : 1) {
            for (place, size) in Self.sizes.enumerated() {
                var stand = Self.stand(size)
                frames[place].take(stand.time(of: isBenchmark ? 2_000 : 20, Self.scroll))
                bytes &+= stand.bytes
                guard size == Self.sizes.last else { continue }
                for _ in 0..<(isBenchmark ? 5 : 1) { insert.take(Self.insert(into: &stand)) }
            }
        }
        let (few, many) = (frames[0], frames[1])
        print(
            "rows: \(few.nanoseconds) ns per scrolled frame of 20, \(many.nanoseconds) ns of "
                + "10,000, \(insert.nanoseconds) ns per row at the top, checksum \(bytes)")
        #expect(bytes > 0)
        if isBenchmark {
            let (one, other) = (few.duration, many.duration)
            #expect(other < one * 1.2, "\(other) is more than 1.2 of \(one)")
            #expect(insert.duration < .microseconds(200), "\(insert.duration)")
        }
    }

    /// The first row that comes to a list of the scene copies the list once; it counts too.
    @Test("Benchmark: the first row at the top")
    func theFirstRowAtTheTopIsAsCheap() {
        var first = BestTime()
        for _ in 0..<(isBenchmark ? 40 : 1) {
            var stand = Self.stand(10_000)
            first.take(Self.insert(into: &stand))
        }
        print("rows: \(first.nanoseconds) ns for the first row at the top, checksum 1")
        if isBenchmark { #expect(first.duration < .microseconds(200), "\(first.duration)") }
    }

    /// A list of so many rows under a finger that scrolls it.
    private static func stand(_ size: Int) -> BenchmarkStand {
        let rows = (0..<size).map { number in
            ListRow(
                id: "r\(number)",
                content: Node(.object([.init("text", Node(.string("Row \(number)")))])),
                origin: number)
        }
        var scene = Scene.phone()
        scene.components.removeAll { $0.id != "list" }
        scene.components[0].parameters = .init(ListParameters(listed: rows))
        var stand = BenchmarkStand(scene)
        stand.play(.gesture(component: "list", .scroll(Scroll(phase: .began, offset: 0))))
        return stand
    }

    /// There and back within 800 points.
    private static func scroll(_ number: Int) -> Event.Payload {
        let place = Double(number % 200)
        let offset = 8 * (place < 100 ? place : 200 - place)
        return .gesture(component: "list", .scroll(Scroll(phase: .changed, offset: offset)))
    }

    /// The time of a row that comes at the top, with the updates that tell it.
    private static func insert(into stand: inout BenchmarkStand) -> Duration {
        let item = Node(
            .object([
                .init("id", Node(.string("new\(stand.bytes)"))),
                .init("content", Node(.object([.init("text", Node(.string("New")))]))),
            ]))
        let command = ComponentCommand(
            "insert", [.init("at", Node(.integer(0))), .init("item", item)])
        return stand.time(of: 1) { _ in .command(component: "list", command) }
    }
}
