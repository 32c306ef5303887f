import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport

/// Photos of 100 × 80 points in two rows of four, which a felt brakes.
struct Table {
    var theater: Theater
    private let isRouted: Bool
    private(set) var fingers: [Int: Vector] = [:]

    init(_ more: Sheet = [:], isRouted: Bool = true) {
        self.isRouted = isRouted
        let ids = (0..<8).map { "p\($0)" }
        var world: Sheet = [:]
        world["items"] = Sheet(
            ids.enumerated().map { index, id in
                [
                    "id": Sheet(id), "size": [100, 80],
                    "center": [
                        Sheet(100 + 200 * Double(index % 4)),
                        Sheet(150 + 300 * Double(index / 4)),
                    ],
                ]
            })
        let felt: Sheet = [
            "id": "felt", "kind": "item", "items": Sheet(ids.map { Sheet($0) }), "resistance": 6,
            "angular_resistance": 6,
        ]
        world["behaviors"] = Sheet([felt])
        for member in more.members { world[member.name] = Sheet(member.value) }
        guard let parameters = try? WorldParameters(world.node, viewport: Self.size) else {
            preconditionFailure("the table is refused")
        }
        theater = Theater(
            Scene(
                name: nil, viewport: Self.size,
                components: [
                    Scene.Component(
                        id: "photos", parameters: .init(parameters), filling: Self.size)
                ]))
        theater.flush()
    }

    private static let size = Size(800, 600)

    func view(_ item: String) -> ViewState? { theater.picture("photos").views[item] }

    func center(_ item: String) -> Vector { view(item)?.center ?? .zero }

    /// A finger lands on an item, so far from its center.
    mutating func land(
        _ finger: Int, on item: String, at way: Vector = .zero, user: String? = nil
    ) {
        land(finger, at: center(item) + way, user: user)
    }

    mutating func land(_ finger: Int, at place: Vector, user: String? = nil) {
        fingers[finger] = place
        play(.began, finger, user: user)
    }

    mutating func move(_ finger: Int, by way: Vector) {
        guard let place = fingers[finger] else { return }
        fingers[finger] = place + way
        play(.changed, finger)
    }

    mutating func lift(_ finger: Int) {
        play(.ended, finger)
        fingers[finger] = nil
    }

    mutating func command(_ name: String, _ body: Sheet) {
        theater.receive(
            .command(component: "photos", ComponentCommand(name, body.members)))
    }

    private mutating func play(_ phase: Phase, _ finger: Int, user: String? = nil) {
        let place = fingers[finger] ?? .zero
        let pointer = Pointer(
            phase: phase, pointer: PointerNumber(finger), location: place, user: user)
        theater.receive(
            .gesture(component: isRouted ? nil : "photos", .pointer(pointer)))
    }
}
