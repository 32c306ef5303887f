import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport

/// Random events for a whole session, good and bad, from one seed.
struct Storm {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.whole(in: 0...elements.count - 1)]
    }

    /// Mostly on the viewport, sometimes as far off as a coordinate may be.
    private mutating func location() -> Vector {
        let reach = random.whole(in: 0...19) == 0 ? 1_000_000.0 : 400
        return Vector((random.unit() * 2 - 1) * reach + 160, (random.unit() * 2 - 1) * reach + 284)
    }

    private mutating func pan() -> Pan {
        let velocity = random.whole(in: 0...2) == 0 ? location() * 5 : nil
        return Pan(
            phase: pick([.began, .changed, .changed, .ended, .cancelled]), location: location(),
            velocity: velocity)
    }

    /// Two fingers that stray a little or jump, over what listens to them and what does not.
    private mutating func pointer() -> Pointer {
        let phase = pick([Phase.began, .changed, .changed, .changed, .ended, .cancelled])
        let place =
            random.whole(in: 0...1) == 0
            ? location() : Vector(160 + random.unit() * 30, 530 + random.unit() * 30)
        return Pointer(phase: phase, pointer: random.whole(in: 1...2), location: place)
    }

    mutating func payload() -> Event.Payload {
        let components = ["tips", "toss", "profile", "tabs"]
        switch random.whole(in: 0...15) {
        case 12...15:
            let component = pick(components + ["list", "reader", "navigation"])
            return .gesture(component: component, .pointer(pointer()))
        case 0...3: return .gesture(component: pick(["tips", "toss"]), .pan(pan()))
        case 4:
            let scroll = Scroll(phase: pick(Phase.allCases), offset: random.unit() * 400 - 100)
            return .gesture(component: "profile", .scroll(scroll))
        case 5: return .gesture(component: "tabs", .tap(.index(random.whole(in: -1...5))))
        case 6: return .gesture(component: "tabs", .tap(.point(location())))
        case 7: return .gesture(component: pick(components + ["nowhere"]), .pan(pan()))
        case 8:
            let name = pick(["present", "dismiss", "reset", "select", "glow", "unglow", "hide"])
            let command = Command(name, index: random.whole(in: -1...5))
            return .command(component: pick(components), command)
        case 9:
            let kind = random.whole(in: 0...1) == 0 ? "likes" : nil
            return .command(component: "badges", Command(pick(["clear", "no"]), kind: kind))
        default:
            let change = pick([CountChange.add(random.whole(in: 0...3)), .set(0)])
            return .notification(kind: pick(["likes", "comments", "mentions", "other"]), change)
        }
    }

    mutating func id() -> String? {
        random.whole(in: 0...3) == 0 ? "\(random.whole(in: 0...30))" : nil
    }

    /// Steps to the next event: mostly few, sometimes a second.
    mutating func pause() -> Int {
        random.whole(in: 0...14) == 0 ? 120 : random.whole(in: 0...9)
    }
}
