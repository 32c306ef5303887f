import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport

/// Random events for a whole session of the scene `phone`, good and bad, from one seed.
struct Storm {
    /// The sort of an event, as far as coverage counts it.
    enum Sort: Hashable, CaseIterable {
        case pan, swipe, tap, scroll, wheel, pointer, longpress, pinch, rotation, command
    }

    static let components = ["tips", "toss", "navigation", "profile", "list", "reader", "tabs"]

    var random: SplitMix64
    /// The raw contacts that are down, if every event was taken.
    private var fingers: [Finger] = []

    private struct Finger {
        var component: String
        var pointer: PointerNumber
        var location: Vector
        /// Which way it goes, a step of it.
        var stride: Vector
    }

    /// The number of the first raw contact; publishers choose any.
    var pointersFrom: PointerNumber = 0

    /// One of so many pans has a velocity of its own. One that is measured throws seldom: mostly
    /// the finger has rested.
    var velocityOnceIn = 3

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.whole(in: 0...elements.count - 1)]
    }

    mutating func isOnceIn(_ count: Int) -> Bool { random.whole(in: 1...count) == 1 }

    // MARK: What comes

    /// The events that a component accepts; it refuses the rest.
    private static func taken(by component: String) -> [Sort] {
        switch component {
        case "tips", "toss": [.pan, .pan, .pointer, .command]
        case "navigation": [.command]
        case "profile": [.scroll, .wheel, .pointer]
        case "list": [.swipe, .swipe, .tap, .scroll, .wheel, .pointer, .command]
        case "reader": [.scroll, .scroll, .scroll, .wheel, .pointer, .command]
        default: [.tap, .pointer, .command]
        }
    }

    mutating func payload() -> Event.Payload {
        switch random.whole(in: 0...9) {
        case 0, 1: return notification()
        case 2: return pick([badges(), .gesture(component: "nowhere", .pan(pan()))])
        // A finger that is down goes on, or nothing but beginnings would be seen.
        case 3...5 where !fingers.isEmpty: return pointer(on: pick(fingers).component)
        default:
            let component = pick(Self.components)
            let sort =
                isOnceIn(8) ? pick(Sort.allCases) : pick(Self.taken(by: component))
            return payload(sort, on: component)
        }
    }

    /// An event of a sort for a component, whether or not it takes such.
    mutating func payload(_ sort: Sort, on component: String) -> Event.Payload {
        switch sort {
        case .pan: return .gesture(component: component, .pan(pan()))
        case .swipe:
            let swipe = Swipe(
                direction: pick([.left, .right, .left, .right, .up, .down]), target: target())
            return .gesture(component: component, .swipe(swipe))
        case .tap: return .gesture(component: component, .tap(target()))
        case .scroll:
            let scroll = Scroll(phase: phase(), offset: offset())
            return .gesture(component: component, .scroll(scroll))
        case .wheel:
            let wheel = Wheel(
                delta: Vector(0, offset()), location: location(),
                phase: isOnceIn(2) ? nil : phase(), isMomentum: isOnceIn(5))
            return .gesture(component: component, .wheel(wheel))
        case .pointer: return pointer(on: component)
        case .longpress:
            let press = LongPress(phase: phase(), location: location())
            return .gesture(component: component, .longpress(press))
        case .pinch:
            let pinch = Pinch(phase: phase(), location: nil, scale: random.unit() + 0.1)
            return .gesture(component: component, .pinch(pinch))
        case .rotation:
            let turn = Rotation(phase: phase(), location: nil, angle: random.unit())
            return .gesture(component: component, .rotation(turn))
        case .command: return .command(component: component, command(for: component))
        }
    }

    mutating func id() -> String? { isOnceIn(4) ? "\(random.whole(in: 0...30))" : nil }

    /// Steps to the next event: mostly few, sometimes a second.
    mutating func pause() -> Int { isOnceIn(15) ? 120 : random.whole(in: 0...9) }

    // MARK: Parts

    private mutating func phase() -> Phase {
        pick([.began, .changed, .changed, .ended, .cancelled])
    }

    /// Mostly on the viewport, sometimes as far off as a coordinate may be.
    private mutating func location() -> Vector {
        // Near the middle, where a tip that is let go swings back, more often than chance has it.
        let reach = isOnceIn(20) ? 1_000_000.0 : isOnceIn(3) ? 90 : 400
        return Vector((random.unit() * 2 - 1) * reach + 160, (random.unit() * 2 - 1) * reach + 284)
    }

    private mutating func offset() -> Double {
        (random.unit() * 2 - 1) * pick([30, 120, 120, 600, isOnceIn(10) ? 1_000_000 : 100])
    }

    private mutating func target() -> Target {
        switch random.whole(in: 0...4) {
        case 0: .index(random.whole(in: -1...5))
        case 1, 2: .row(isOnceIn(6) ? random.whole(in: -1...20) : random.whole(in: 2...4))
        case 3: .point(Vector(random.unit() * 320, 524 + random.unit() * 44))
        default: .point(location())
        }
    }

    private mutating func pan() -> Pan {
        let velocity = isOnceIn(velocityOnceIn) ? location() * 5 : nil
        return Pan(phase: phase(), location: location(), velocity: velocity)
    }

    private mutating func command(for component: String) -> ComponentCommand {
        let names =
            switch component {
            case "tips": ["present", "dismiss"]
            case "toss": ["reset"]
            case "navigation": ["present", "present", "back"]
            case "list": ["action", "scroll-to-top"]
            case "reader": ["next", "previous"]
            case "tabs": ["select", "glow", "unglow", "hide"]
            default: ["fly"]
            }
        let name = isOnceIn(12) ? pick(["present", "next", "select", "fly"]) : pick(names)
        let transitions = ["in-via-scale", "out-via-scale", "in-from-bottom", "out-to-bottom"]
        return ComponentCommand(
            name,
            .of(
                index: isOnceIn(9) ? nil : random.whole(in: -1...5),
                screen: isOnceIn(9)
                    ? nil : pick(["dashboard", "posts", "likes", "share", "no name"]),
                transition: isOnceIn(9) ? nil : pick(transitions)))
    }

    private mutating func notification() -> Event.Payload {
        let change = pick([CountChange.add(random.whole(in: 0...3)), .set(0)])
        return .notification(kind: pick(["likes", "comments", "mentions", "other"]), change)
    }

    private mutating func badges() -> Event.Payload {
        let kind = isOnceIn(2) ? "likes" : nil
        return .command(
            component: "badges", ComponentCommand(pick(["clear", "no"]), .of(kind: kind)))
    }

    // MARK: Fingers

    /// Several fingers that come, go their ways and leave; now and then one that was never there.
    private mutating func pointer(on component: String) -> Event.Payload {
        func payload(_ phase: Phase, _ pointer: PointerNumber, _ location: Vector) -> Event.Payload
        {
            let sample = Pointer(phase: phase, pointer: pointer, location: location)
            return .gesture(component: component, .pointer(sample))
        }
        let own = fingers.indices.filter { fingers[$0].component == component }
        if own.isEmpty || isOnceIn(5) {
            let finger = Finger(
                component: component,
                pointer: pointersFrom + PointerNumber(random.whole(in: 0...3)),
                location: isOnceIn(4) ? Vector(random.unit() * 320, 540) : location(),
                stride: pick([
                    Vector(0, 9), Vector(0, -9), Vector(14, 1), Vector(-14, 1), Vector(60, -70),
                    Vector(0.5, 0.5), .zero,
                ]))
            fingers.removeAll { $0.component == component && $0.pointer == finger.pointer }
            fingers.append(finger)
            return payload(.began, finger.pointer, finger.location)
        }
        if isOnceIn(20) { return payload(phase(), 9, location()) }
        let index = pick(own)
        fingers[index].location += fingers[index].stride
        let finger = fingers[index]
        guard isOnceIn(6) else { return payload(.changed, finger.pointer, finger.location) }
        fingers.remove(at: index)
        return payload(pick([.ended, .ended, .cancelled]), finger.pointer, finger.location)
    }
}
