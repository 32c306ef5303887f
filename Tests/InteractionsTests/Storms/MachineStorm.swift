import Geometry
import Gestures
import Interactions
import Notation
import TestSupport

/// Random events for one machine, from one seed: those of its table, and such with arguments of
/// all kinds.
struct MachineStorm {
    var random: SplitMix64
    private let events: [Stimulus]

    init(_ events: [Grid.Row.Event], seed: UInt64) {
        random = SplitMix64(seed: seed)
        self.events = events.map(\.stimulus)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.whole(in: 0...elements.count - 1)]
    }

    /// Steps to the next event: mostly few, sometimes more than any motion lasts.
    mutating func pause() -> Int {
        switch random.whole(in: 0...19) {
        case 0: 400
        case 1...3: random.whole(in: 20...90)
        case 4...9: 0
        default: random.whole(in: 1...12)
        }
    }

    /// The next event; half of them are such that `isNew` has not seen yet, so that all occur.
    mutating func stimulus(preferring isNew: (Stimulus) -> Bool) -> Stimulus {
        if random.whole(in: 0...1) == 0 {
            let new = events.filter(isNew)
            if !new.isEmpty { return pick(new) }
        }
        let stimulus = pick(events)
        guard random.whole(in: 0...2) == 0 else { return stimulus }
        switch stimulus {
        case .gesture(let gesture): return .gesture(varied(gesture))
        case .command(let command):
            return .command(varied(command))
        case .notification(let kind, _):
            return .notification(kind: kind, count: random.whole(in: 0...2))
        case .touch(.down): return .touch(.down(location()))
        case .touch(.moved): return .touch(.moved(location()))
        case .contentDrag(let drag):
            return .contentDrag(drag.phase, (random.unit() - 0.5) * pick([40, 400, 2_000]))
        case .clearing, .touch(.up), .time: return stimulus
        }
    }

    /// Mostly on the viewport, sometimes as far off as a coordinate may be.
    private mutating func location() -> Vector {
        let reach = random.whole(in: 0...19) == 0 ? 1_000_000.0 : 400
        return Vector((random.unit() * 2 - 1) * reach + 160, (random.unit() * 2 - 1) * reach + 284)
    }

    private mutating func varied(_ command: ComponentCommand) -> ComponentCommand {
        var command = command
        for (place, argument) in command.arguments.enumerated() {
            switch argument.name {
            case "index":
                command.arguments[place].value = Node(.integer(random.whole(in: -1...6)))
            case "screen":
                let screen = pick(["dashboard", "posts", "likes"])
                command.arguments[place].value = Node(.string(screen))
            default: break
            }
        }
        return command
    }

    private mutating func target() -> Target {
        switch random.whole(in: 0...3) {
        case 0: .index(random.whole(in: -1...6))
        case 1: .row(random.whole(in: -1...21))
        default: .point(location())
        }
    }

    private mutating func varied(_ gesture: Gesture) -> Gesture {
        switch gesture {
        case .pan(let pan):
            let velocity = random.whole(in: 0...2) == 0 ? location() * 5 : nil
            return .pan(Pan(phase: pan.phase, location: location(), velocity: velocity))
        case .scroll(let scroll):
            let reach = pick([10.0, 100, 600, 1_000_000])
            return .scroll(
                Scroll(phase: scroll.phase, offset: (random.unit() * 2 - 1) * reach))
        case .swipe(let swipe):
            return .swipe(Swipe(direction: swipe.direction, target: target()))
        case .tap: return .tap(target())
        case .wheel(let wheel):
            let reach = pick([0.0, 20, 300, 1_000_000])
            return .wheel(
                Wheel(
                    delta: Vector(0, (random.unit() * 2 - 1) * reach), phase: wheel.phase,
                    isMomentum: wheel.isMomentum))
        case .pointer, .longpress, .pinch, .rotation, .token: return gesture
        }
    }
}

/// A table's answer to each event in each state, to look up.
struct ExpectedAnswers {
    struct Place: Hashable {
        var state: String
        var event: Stimulus.Name
    }

    /// The answers to variants of one state and arguments of one event.
    struct Answers {
        var codes: Set<RejectionCode> = []
        var isEverAccepted = false
    }

    private(set) var answers: [Place: Answers] = [:]

    init(_ grid: Grid) {
        for row in grid.rows {
            for (key, answer) in zip(grid.keys, row.answers) {
                let place = Place(state: key, event: row.event.stimulus.name)
                switch answer {
                case .refused(let code): answers[place, default: Answers()].codes.insert(code)
                case .ignored, .accepted:
                    answers[place, default: Answers()].isEverAccepted = true
                }
            }
        }
    }

    var states: Set<String> { Set(answers.keys.map(\.state)) }
}
