import Geometry
import Gestures

/// An arena on a virtual timeline. Its outputs are lines of text.
struct ArenaStage {
    var arena: PointerArena
    var now = Step.zero

    init(_ recognizers: Recognizers, tracker: VelocityTracker.Kind = .uikit) {
        arena = PointerArena(recognizers, tracker: tracker)
    }

    private var time: SampleTime {
        SampleTime(claimed: nil, received: Double(now.nanoseconds) / 1e6)
    }

    /// Plays one sample. Returns the refusal if there is no such contact.
    mutating func play(
        _ phase: Phase, _ pointer: Int, _ x: Double = 0, _ y: Double = 0
    ) -> [String] {
        var outputs: [Recognized] = []
        let place = Vector(x, y)
        let pointer = PointerNumber(pointer)
        do throws(PointerArena.Refusal) {
            switch phase {
            case .began:
                try arena.landed(pointer, at: place, time: time, now: now, into: &outputs)
            case .changed:
                try arena.moved(pointer, to: place, time: time, now: now, into: &outputs)
            case .ended:
                try arena.lifted(pointer, at: place, time: time, now: now, into: &outputs)
            case .cancelled: try arena.cancelled(pointer, into: &outputs)
            }
        } catch {
            return ["\(error)"]
        }
        return outputs.map(\.line)
    }

    mutating func began(_ pointer: Int, _ x: Double, _ y: Double) -> [String] {
        play(.began, pointer, x, y)
    }

    mutating func changed(_ pointer: Int, _ x: Double, _ y: Double) -> [String] {
        play(.changed, pointer, x, y)
    }

    mutating func ended(_ pointer: Int, _ x: Double, _ y: Double) -> [String] {
        play(.ended, pointer, x, y)
    }

    mutating func cancelled(_ pointer: Int) -> [String] { play(.cancelled, pointer) }

    mutating func muted() -> [String] {
        var outputs: [Recognized] = []
        arena.mute(into: &outputs)
        return outputs.map(\.line)
    }

    /// Lets steps pass. Returns the outputs of timers, each with its step.
    mutating func step(_ count: Int) -> [String] {
        var lines: [String] = []
        for _ in 0..<count {
            now = now + 1
            while arena.nextTimer <= now {
                var outputs: [Recognized] = []
                arena.fire(at: now, into: &outputs)
                lines += outputs.map { "\(now.count) \($0.line)" }
            }
        }
        return lines
    }
}

extension Vector {
    fileprivate var text: String { "\(x.short),\(y.short)" }
}

extension Double {
    /// Whole numbers without a fraction, others with at most three digits.
    fileprivate var short: String {
        let rounded = (self * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}

extension Recognized {
    /// As `pan began 20,30` or `down 10,10`.
    var line: String {
        switch self {
        case .touch(.down(let place)): return "down \(place.text)"
        case .touch(.moved(let place)): return "moved \(place.text)"
        case .touch(.up): return "up"
        case .pan(let pan):
            let velocity = pan.velocity.map { " at \($0.text)" } ?? ""
            return "pan \(pan.phase) \(pan.location.text)\(velocity)"
        case .contentDrag(let drag): return "drag \(drag.phase) \(drag.translation.short)"
        case .grasp(let grasp):
            let begins = grasp.isRebased ? " anew" : ""
            return "grasp \(grasp.phase)\(begins) \(grasp.origin.text) to \(grasp.middle.text) "
                + "\(grasp.scale.short) \(grasp.angle.short)"
        case .swipe(let swipe): return "swipe \(swipe.direction) \(Self.text(swipe.target))"
        case .tap(let target): return "tap \(Self.text(target))"
        case .longpress(let press):
            return "press \(press.phase) \(press.location?.text ?? "")"
        case .pinch(let pinch):
            return "pinch \(pinch.phase) \(pinch.location?.text ?? "") \(pinch.scale.short)"
        case .rotation(let turn):
            return "turn \(turn.phase) \(turn.location?.text ?? "") \(turn.angle.short)"
        }
    }

    private static func text(_ target: Target) -> String {
        switch target {
        case .point(let place): place.text
        case .index(let index): "index \(index)"
        case .row(let row): "row \(row)"
        }
    }
}
