import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport

/// A kind that measures how fast a finger was.
struct ThrownKind: Sendable, CustomStringConvertible {
    let name: String
    /// A publisher has recognised the pan itself, and the samples are no raw contact's.
    let isPan: Bool

    var description: String { isPan ? "\(name), by a pan" : name }

    static let all: [ThrownKind] =
        ["toss", "list", "profile", "reader", "dynamics", "navigation"]
        .map { ThrownKind(name: $0, isPan: false) }
        + ["toss", "dynamics", "navigation"].map { ThrownKind(name: $0, isPan: true) }
}

/// Scenes of one component that a finger can throw, fling or pull.
enum HandScene {

    static func theater(_ kind: String, velocity: VelocityTracker.Kind) throws -> Theater {
        var scene = try nested(kind).scene
        scene.velocity = velocity
        var theater = Theater(scene)
        if kind == "navigation" {
            theater.receive(
                .command(
                    component: "it",
                    ComponentCommand(
                        "present",
                        [
                            .init("screen", .init(.string("more"))),
                            .init("transition", .init(.string("in-from-right"))),
                        ])))
        }
        theater.step(120)
        return theater
    }

    private static func nested(_ kind: String) throws -> NestedScene {
        switch kind {
        case "list": return NestedScene().with("it", ListParameters(rows: 200))
        case "profile":
            var profile = ProfileParameters(viewport: .phone)
            profile.contentHeight = 6_000
            return NestedScene().with("it", profile)
        case "reader":
            return NestedScene().with("it", ReaderParameters(pages: .count(9), viewport: .phone))
        case "dynamics":
            let card: Sheet = ["id": "card", "center": [160, 223], "size": [100, 100]]
            return NestedScene().with("it", try WorldParameters((["items": [card]] as Sheet).node))
        case "navigation": return NestedScene().with("it", NavigationParameters(root: "home"))
        default: return NestedScene().with("it", TossParameters(viewport: .phone))
        }
    }

    /// Where a finger lands to move the component, and which way it goes.
    static func landing(_ kind: String) -> (place: Vector, way: Vector) {
        switch kind {
        case "list", "profile", "reader": (Vector(160, 500), Vector(0, -1))
        case "navigation": (Vector(5, 300), Vector(1, 0))
        default: (Vector(160, 223), Vector(1, 0))
        }
    }

    /// A number that tells where the component is on its way.
    static func place(_ kind: String, _ theater: Theater) -> Double {
        let picture = theater.picture("it")
        switch kind {
        case "list", "profile", "reader":
            guard case .points(let offset) = picture.fields["offset"] else { return .nan }
            return offset
        case "navigation": return picture.views["more"]?.center.x ?? .nan
        case "dynamics": return picture.views["card"]?.center.x ?? .nan
        default: return picture.views["item"]?.center.x ?? .nan
        }
    }
}

/// A finger, or a pan that a publisher recognised, with a sample every two steps: 60 a second.
struct Finger {
    let component: String
    var isPan = false
    var place: Vector
    let pointer: Int

    /// It lands on the session's own topic, or begins a pan on the component's.
    init(
        landing place: Vector, on theater: inout Theater, pan component: String? = nil,
        pointer: Int = 1
    ) {
        self.component = component ?? ""
        isPan = component != nil
        self.place = place
        self.pointer = pointer
        tell(.began, &theater)
    }

    @discardableResult
    func tell(_ phase: Phase, _ theater: inout Theater) -> Session.Reception {
        if isPan { return theater.pan(component, phase, place.x, place.y) }
        return theater.touch(phase, place.x, place.y, pointer: pointer)
    }

    /// Moves by as much in each of some samples.
    mutating func move(by way: Vector, samples: Int, _ theater: inout Theater) {
        for _ in 0..<samples {
            theater.step(2)
            place += way
            tell(.changed, &theater)
        }
    }

    /// Stays, and says so.
    func stay(steps: Int, _ theater: inout Theater) {
        theater.step(steps)
        tell(.changed, &theater)
    }

    func lift(_ theater: inout Theater) { tell(.ended, &theater) }
}
