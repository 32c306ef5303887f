import Geometry
import Gestures
import Interactions
import TestSupport

/// Anything that a machine can be told, as a value: what tables and storms are made of.
enum Stimulus: Hashable, Sendable {
    case gesture(Gesture)
    case command(ComponentCommand)
    /// A notification after which its kind's count is `count`.
    case notification(kind: String, count: Int)
    /// The counts of a kind were cleared.
    case clearing(kind: String)
    case touch(Touch)
    case contentDrag(ContentDrag)
    /// Nothing comes: whatever happens next by itself.
    case time

    /// An event's name without its arguments: `pan began`, `swipe left`, `select`.
    struct Name: Hashable, Sendable {
        /// The common name in a table: `pan`, `swipe`, `command`.
        var group: String
        /// Empty where the group says it all.
        var member: String
    }

    var name: Name {
        switch self {
        case .gesture(.swipe(let swipe)): Name(group: "swipe", member: swipe.direction.rawValue)
        case .gesture(.wheel(let wheel)):
            Name(group: "wheel", member: wheel.phase?.rawValue ?? "turned")
        case .gesture(let gesture):
            Name(group: gesture.kind.rawValue, member: gesture.phase?.rawValue ?? "")
        case .command(let command): Name(group: "command", member: "`\(command.name)`")
        case .notification: Name(group: "notification", member: "")
        case .clearing: Name(group: "counts cleared", member: "")
        case .touch(.down): Name(group: "contact", member: "lands")
        case .touch(.moved): Name(group: "contact", member: "moves")
        case .touch(.up): Name(group: "contact", member: "lifts")
        case .contentDrag(let drag): Name(group: "content drag", member: drag.phase.rawValue)
        case .time: Name(group: "time passes", member: "")
        }
    }
}

extension Stimulus {
    static func pan(
        _ phase: Phase, _ x: Double, _ y: Double, velocity: Vector? = nil
    ) -> Stimulus {
        .gesture(.pan(Pan(phase: phase, location: Vector(x, y), velocity: velocity)))
    }

    static func scroll(_ phase: Phase, _ offset: Double) -> Stimulus {
        .gesture(.scroll(Scroll(phase: phase, offset: offset)))
    }

    static func wheel(
        _ dy: Double, _ phase: Phase? = nil, isMomentum: Bool = false
    ) -> Stimulus {
        .gesture(.wheel(Wheel(delta: Vector(0, dy), phase: phase, isMomentum: isMomentum)))
    }

    static func swipe(_ direction: Direction, _ target: Target) -> Stimulus {
        .gesture(.swipe(Swipe(direction: direction, target: target)))
    }

    static func tap(_ target: Target) -> Stimulus { .gesture(.tap(target)) }

    static func command(
        _ name: String, index: Int? = nil, screen: String? = nil, transition: String? = nil,
        _ body: Sheet = [:]
    ) -> Stimulus {
        .command(
            ComponentCommand(
                name,
                .of(
                    index: index, screen: screen, transition: transition,
                    members: body.members)))
    }

    static func pinch(_ phase: Phase, _ location: Vector?, _ scale: Double) -> Stimulus {
        .gesture(.pinch(Pinch(phase: phase, location: location, scale: scale)))
    }

    static func rotation(_ phase: Phase, _ location: Vector?, _ angle: Double) -> Stimulus {
        .gesture(.rotation(Rotation(phase: phase, location: location, angle: angle)))
    }

    static func token(
        _ phase: Phase, _ symbol: Int, _ location: Vector, _ angle: Double = 0
    ) -> Stimulus {
        .gesture(
            .token(Token(phase: phase, symbol: symbol, location: location, angle: angle)))
    }

    static func contentDrag(_ phase: Phase, _ translation: Double) -> Stimulus {
        .contentDrag(ContentDrag(phase: phase, translation: translation))
    }
}

extension Tables {
    /// Events of a wheel, with phases, without, and as momentum.
    static func wheels(far isFar: Bool = true) -> [Grid.Row.Event] {
        let ways: [(Double, String)] = [(0, "by nothing"), (20, "by a little")]
        let far: [(Double, String)] = [(-300, "far down"), (300, "far up")]
        return (isFar ? ways + far : ways).flatMap { way, words in
            ([nil] + Phase.allCases).map { .init(.wheel(way, $0), words) }
                + [nil, .changed].map {
                    .init(.wheel(way, $0, isMomentum: true), "\(words), momentum")
                }
        }
    }
}

/// Every event that any component is ever sent, with arguments of some kind.
enum Vocabulary {
    /// The commands of all kinds and of sessions, and one that nobody knows.
    static let commands: [String] = {
        let kinds = Kinds.all.filter { $0.kind != World.kind }.flatMap { $0.commands }
        let sessions = ["clear", "open", "close", "fly"]
        var names: [String] = []
        for name in kinds + sessions + World.commands where !names.contains(name) {
            names.append(name)
        }
        return names
    }()

    static var gestures: [Gesture] {
        let point = Vector(100, 300)
        let makers: [(Phase) -> Gesture] = [
            { .pan(Pan(phase: $0, location: point)) },
            { .scroll(Scroll(phase: $0, offset: 10)) },
            { .wheel(Wheel(delta: Vector(0, 10), location: point, phase: $0)) },
            { .pointer(Pointer(phase: $0, pointer: 1, location: point)) },
            { .longpress(LongPress(phase: $0, location: point)) },
            { .pinch(Pinch(phase: $0, location: point, scale: 2)) },
            { .rotation(Rotation(phase: $0, location: point, angle: 1)) },
            { .token(Token(phase: $0, symbol: 5, location: point, angle: 1)) },
        ]
        let phased = makers.flatMap { Phase.allCases.map($0) }
        let swipes = Direction.allCases.map { direction in
            Gesture.swipe(Swipe(direction: direction, target: .point(point)))
        }
        let turn = Gesture.wheel(Wheel(delta: Vector(0, 10), location: point))
        return phased + [turn] + swipes + [.tap(.point(point)), .tap(.index(0)), .tap(.row(0))]
    }

    static var all: [Stimulus] {
        let commands = commands.map { name in
            Stimulus.command(name, index: 0, screen: "posts", transition: "in-via-scale")
        }
        return gestures.map { .gesture($0) } + commands
            + [
                .notification(kind: "likes", count: 1), .clearing(kind: "likes"),
                .touch(.down(Vector(100, 300))), .touch(.moved(Vector(100, 320))), .touch(.up),
            ] + Phase.allCases.map { .contentDrag($0, 10) } + [.time]
    }
}
