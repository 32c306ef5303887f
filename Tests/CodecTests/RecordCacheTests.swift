import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Codec
@testable import Protocol
@testable import Sessions

@Suite struct RecordCacheTests {
    /// A grid of boxes, each tied to the next, above a floor of walls.
    private static func world(_ count: Int) throws -> WorldParameters {
        func name(_ index: Int) -> Sheet { Sheet("i\(index)") }
        let items = (0..<count).map { index -> Sheet in
            let (x, y) = (Double(index % 8), Double(index / 8))
            return [
                "id": name(index), "center": [Sheet(20 + x * 38), Sheet(100 + y * 38)],
                "size": [20, 20],
            ]
        }
        let ties = (0..<count * 5 / 8).map { index -> Sheet in
            [
                "id": Sheet("a\(index)"), "kind": "attachment", "item": name(index),
                "to": name(index + 1),
            ]
        }
        let walls: Sheet = [
            "id": "walls", "kind": "collision", "items": Sheet((0..<count).map(name)),
            "bounds": true,
        ]
        return try WorldParameters(
            (["items": Sheet(items), "behaviors": Sheet([walls] + ties)] as Sheet).node)
    }

    private static func session(_ count: Int) throws -> Session {
        let scene = Scene(
            name: "both", viewport: .phone,
            components: [
                Scene.Component(id: "world", parameters: .init(try world(count)), filling: .phone),
                Scene.Component(
                    id: "tabs", parameters: .init(TabsParameters.five), filling: .phone),
            ])
        return Session(
            id: "alice", epoch: "e.1", scene: scene, opened: Theater.opened, frameRate: 60)
    }

    private func whole(_ session: Session) throws -> String {
        var buffer = ByteBuffer()
        try #require(session.record(generation: 3)).write(into: &buffer)
        return buffer.text()
    }

    private func event(_ random: inout SplitMix64) -> Event.Payload {
        let place = Vector(random.unit() * 320, random.unit() * 568)
        switch random.whole(in: 0...5) {
        case 0: return .notification(kind: random.unit() < 0.5 ? "likes" : "mentions", .add(1))
        case 1:
            return .command(
                component: "tabs", ComponentCommand("select", .of(index: random.whole(in: 0...4))))
        case 2:
            let push = (["item": "i3", "dx": 90, "dy": Sheet(place.y)] as Sheet).members
            return .command(component: "world", ComponentCommand("add-velocity", push))
        case 3:
            return .gesture(component: "world", .pan(Pan(phase: .began, location: place)))
        case 4:
            return .gesture(component: "world", .pan(Pan(phase: .changed, location: place)))
        default:
            return .gesture(component: "world", .pan(Pan(phase: .ended, location: place)))
        }
    }

    /// The text is that of the whole record, whichever parts the cache kept.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func theCachedTextIsThatOfTheWholeRecord(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var session = try Self.session(12)
        var text = RecordCache(componentCount: 2)
        var buffer = ByteBuffer()
        for event in 0..<30 {
            let place = Comment("seed \(seed), event \(event)")
            _ = session.receive(Event(self.event(&random)), received: 0)
            for _ in 0..<random.whole(in: 0...20) { session.advance(to: session.clock + 1) }
            let before = try whole(session)
            switch random.whole(in: 0...2) {
            case 0: break
            case 1:
                _ = text.isStale(in: session.takeDirtyParts(), of: &session, by: &buffer)
                let count = buffer.count
                #expect(count == 0)
            default:
                text.write(&session, generation: 3, into: &buffer)
                #expect(buffer.text() == before, place)
                buffer.removeAll()
            }
        }
    }

    @Test func onlyPartsWithAnotherTextAreStale() throws {
        var session = try Self.session(12)
        var text = RecordCache(componentCount: 2)
        var buffer = ByteBuffer()
        for _ in 0..<2 * Step.perSecond { session.advance(to: session.clock + 1) }
        try #require(!session.isMoving)
        text.write(&session, generation: 3, into: &buffer)
        buffer.removeAll()
        func isAnother(_ parts: SavedParts) -> Bool {
            text.isStale(in: parts, of: &session, by: &buffer)
        }
        var found = isAnother(.all)
        #expect(!found)
        let place = Vector(20, 100)
        let world = { (phase: Phase, place: Vector) in
            Event(.gesture(component: "world", .pan(Pan(phase: phase, location: place))))
        }
        _ = session.receive(world(.began, place), received: 0)
        _ = session.receive(world(.changed, place + Vector(90, 0)), received: 0)
        for _ in 0..<60 { session.advance(to: session.clock + 1) }
        found = isAnother(.component(1))
        #expect(!found)
        found = isAnother(.component(0))
        #expect(found)
        _ = session.receive(
            Event(.command(component: "tabs", ComponentCommand("select", .of(index: 2)))),
            received: 0)
        found = isAnother(.component(1))
        #expect(found)
    }

    /// An unused component is not encoded again: its text is there.
    @Test func aWorldThatRestsIsWrittenAsItWasKept() throws {
        var session = try Self.session(64)
        for _ in 0..<2 * Step.perSecond { session.advance(to: session.clock + 1) }
        try #require(!session.isMoving)
        var text = RecordCache(componentCount: 2)
        var buffer = ByteBuffer(capacity: 1 << 18)
        func seconds() -> Double {
            buffer.removeAll()
            let clock = ContinuousClock()
            let time = clock.measure { text.write(&session, generation: 3, into: &buffer) }
            return time / .seconds(1)
        }
        let first = seconds()
        let size = buffer.count
        let again = (0..<5).map { _ in seconds() }.min() ?? 1
        print("64 items: \(size) bytes, \(first * 1e3) ms, then \(again * 1e3) ms")
        #expect(buffer.count == size && again < first / 8)
        // Those of 64 items are the largest rows by far, and each count that changes writes one.
        #expect(size < 64 * 1_024)
    }
}

@Suite struct JSONWriterTests {
    private func text(_ value: some Encodable) -> String {
        var buffer = ByteBuffer()
        buffer.json(encoding: value)
        return buffer.text()
    }

    private func tree(_ value: some Encodable) -> String {
        String(decoding: Node(encoding: value).json(), as: UTF8.self)
    }

    private struct Nothing: Codable {}

    private enum Shape: Codable {
        case none
        case some(Int, name: String)
        case other([Nothing])
    }

    @Test func itIsTheTextOfTheTree() {
        #expect(text(Nothing()) == "{}" && text([Nothing()]) == "[{}]")
        let shapes = [Shape.none, .some(-3, name: "\"x\""), .other([]), .other([Nothing()])]
        #expect(text(shapes) == tree(shapes))
        #expect(text([["a": [1]], [:]]) == #"[{"a":[1]},{}]"#)
        let wide: [Int64] = [.min, .max, 1 << 53, 1 << 53 - 1, 0, -7]
        #expect(text(wide) == tree(wide))
        #expect(text([UInt64.max, 5]) == tree([UInt64.max, 5]))
        let node = Node(.object([.init("a", Node(.array([Node(.null), Node(.number(2))])))]))
        #expect(text([node]) == tree([node]) && text(node) == #"{"a":[null,2.0]}"#)
        #expect(text([1, nil, 3] as [Int?]) == "[1,null,3]")
        #expect(text([Float(0.1), 2]) == tree([Float(0.1), 2]))
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func everyNumberHasTheTextOfTheTree(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var numbers = (0..<200).map { _ in Double(bitPattern: random.next()) }
        numbers += (0..<200).map { _ in Double(random.whole(in: -2_000_000...2_000_000)) }
        numbers += (0..<40).map { 10.0 * Double(1 << $0) } + [0, -0.0, 1e12, 1e15, 1e16, -1e12]
        numbers += [.infinity, -.infinity]
        #expect(text(numbers) == tree(numbers), "seed \(seed)")
    }
}
