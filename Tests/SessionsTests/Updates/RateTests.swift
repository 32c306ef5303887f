import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// Events of one session with the steps at which they come.
private struct Script {
    var events: [(step: Int, payload: Event.Payload)] = []
    private var step = 0

    mutating func wait(_ steps: Int) { step += steps }

    mutating func play(_ payload: Event.Payload, then steps: Int = 0) {
        events.append((step, payload))
        step += steps
    }

    mutating func gesture(_ component: String, _ gesture: Gesture, then steps: Int = 0) {
        play(.gesture(component: component, gesture), then: steps)
    }

    mutating func command(_ component: String, _ command: ComponentCommand, then steps: Int = 0) {
        play(.command(component: component, command), then: steps)
    }

    /// A stroke of a recognised pan or of a raw contact, sampled at uneven steps.
    mutating func stroke(
        from start: Vector, by stride: Vector, count: Int,
        _ sample: (Phase, Vector) -> Event.Payload
    ) {
        var point = start
        play(sample(.began, point), then: 1)
        for index in 0..<count {
            point += stride
            play(sample(.changed, point), then: 1 + index % 3)
        }
        play(sample(.ended, point))
    }

    mutating func pan(_ component: String, from start: Vector, by stride: Vector, count: Int) {
        stroke(from: start, by: stride, count: count) { phase, point in
            .gesture(component: component, .pan(Pan(phase: phase, location: point)))
        }
    }

    mutating func contact(
        _ component: String, from start: Vector, by stride: Vector, count: Int
    ) {
        stroke(from: start, by: stride, count: count) { phase, point in
            let sample = Pointer(phase: phase, pointer: 1, location: point)
            return .gesture(component: component, .pointer(sample))
        }
    }

    /// A client's own scroll.
    mutating func scroll(_ component: String, to offset: Double, count: Int) {
        stroke(from: .zero, by: Vector(0, offset / Double(count)), count: count) { phase, point in
            .gesture(component: component, .scroll(Scroll(phase: phase, offset: point.y)))
        }
    }
}

// MARK: - One script for each kind, from gestures and from raw contacts

extension Script {
    static let kinds = Storm.components

    /// Steps that no frame of 30 Hz falls on, and motions that are interrupted on their way.
    init(_ kind: String) {
        wait(403)
        switch kind {
        case "tips": tips()
        case "toss": toss()
        case "navigation": navigation()
        case "profile": profile()
        case "list": list()
        case "reader": reader()
        default: tabs()
        }
    }

    private mutating func tips() {
        pan("tips", from: Vector(150, 270), by: Vector(6, 2), count: 9)
        wait(21)
        pan("tips", from: Vector(190, 300), by: Vector(-14, 1), count: 14)
        wait(131)
        contact("tips", from: Vector(160, 280), by: Vector(15, -1), count: 14)
        wait(77)
        command("tips", ComponentCommand("dismiss"), then: 13)
        command("tips", ComponentCommand("present"))
    }

    private mutating func toss() {
        pan("toss", from: Vector(120, 200), by: Vector(21, -13), count: 9)
        wait(17)
        contact("toss", from: Vector(250, 150), by: Vector(-30, 20), count: 7)
        wait(59)
        command("toss", ComponentCommand("reset"), then: 15)
        pan("toss", from: Vector(120, 200), by: Vector(2, 2), count: 5)
    }

    private mutating func navigation() {
        func present(_ screen: String, _ transition: String) -> ComponentCommand {
            ComponentCommand("present", .of(screen: screen, transition: transition))
        }
        command("navigation", present("posts", "in-via-scale"), then: 9)
        command("navigation", present("likes", "in-from-bottom"), then: 3)
        command("navigation", ComponentCommand("back"), then: 101)
        command("navigation", present("dashboard", "out-to-bottom"), then: 51)
        command("navigation", present("posts", "out-via-scale"))
    }

    private mutating func profile() {
        scroll("profile", to: 140, count: 12)
        wait(11)
        contact("profile", from: Vector(160, 500), by: Vector(1, -27), count: 11)
        wait(23)
        contact("profile", from: Vector(160, 200), by: Vector(0, 41), count: 9)
        wait(30)
        contact("profile", from: Vector(160, 100), by: Vector(0, 33), count: 10)
    }

    private mutating func list() {
        let swipe = Swipe(direction: .left, target: .row(3))
        gesture("list", .swipe(swipe), then: 37)
        gesture("list", .tap(.row(5)), then: 91)
        contact("list", from: Vector(280, 250), by: Vector(-14, 1), count: 8)
        wait(41)
        command("list", ComponentCommand("action"), then: 83)
        scroll("list", to: 50, count: 6)
        contact("list", from: Vector(160, 500), by: Vector(1, -24), count: 11)
        wait(19)
        contact("list", from: Vector(160, 100), by: Vector(0, 33), count: 10)
    }

    private mutating func reader() {
        scroll("reader", to: 80, count: 9)
        wait(61)
        scroll("reader", to: -40, count: 7)
        wait(11)
        command("reader", ComponentCommand("next"), then: 49)
        command("reader", ComponentCommand("previous"), then: 53)
        contact("reader", from: Vector(160, 500), by: Vector(1, -23), count: 13)
        wait(67)
        contact("reader", from: Vector(160, 100), by: Vector(0, 9), count: 6)
        wait(7)
        contact("reader", from: Vector(160, 300), by: Vector(0, -5), count: 6)
    }

    private mutating func tabs() {
        gesture("tabs", .tap(.index(4)), then: 9)
        gesture("tabs", .tap(.point(Vector(10, 550))), then: 5)
        play(.notification(kind: "likes", .add(2)), then: 21)
        play(.notification(kind: "mentions", .add(1)), then: 25)
        contact("tabs", from: Vector(170, 540), by: Vector(9, 0), count: 7)
        wait(33)
        command("tabs", ComponentCommand("select", .of(index: 3)), then: 11)
        command("tabs", ComponentCommand("hide"))
    }
}

// MARK: - What is compared

/// A session's updates at one rate.
private struct Showing {
    /// Steps between two frames that every rate has.
    static let commonSteps = 4

    private(set) var theater: Theater
    private(set) var end = 0

    /// Plays a script as a daemon does: the session is looked at when it wants to be.
    init(_ script: Script, rate: Int) {
        theater = Theater(.phone(frameRate: rate))
        theater.flush()
        for (step, payload) in script.events {
            run(until: Step(step))
            theater.receive(payload)
            theater.flush()
        }
        run(until: theater.session.clock + 10 * Step.perSecond)
    }

    private mutating func run(until step: Step) {
        while let wake = theater.session.nextWake(interest: .all), wake <= step {
            theater.session.advance(to: wake)
            theater.flush()
            end = wake.count
        }
        theater.session.advance(to: step)
    }

    /// The last body of a topic at each instant that all rates have in common.
    func pictures(_ topic: String, until end: Int) -> [Told.Body] {
        var rest = Array(zip(theater.steps(topic), theater.told(topic)))[...]
        var last: Told.Body?
        return stride(from: 0, through: end, by: Self.commonSteps).compactMap { step in
            while let next = rest.first, next.0 <= step {
                last = next.1.body
                rest = rest.dropFirst()
            }
            return last
        }
    }
}

@Suite struct RateTests {
    /// The same events at 30, 60 and 120 Hz: the same states at the common instants, to the bit.
    @Test(arguments: Script.kinds)
    func theRateChangesNothingButTheFrames(kind: String) throws {
        let showings = try expectOneMotion(Script(kind), of: [kind])
        let counts = showings.map { $0.theater.told("state/\(kind)").count }
        // The kind moved, and each rate showed more of it than the slower ones.
        #expect(counts[0] > 30 && counts[0] < counts[1] && counts[1] < counts[2], "\(counts)")
        #expect(showings[0].theater.told("transition/\(kind)").count >= 4)
    }

    /// The same with whatever comes.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func theRateChangesNothingInAStorm(seed: UInt64) throws {
        var storm = Storm(seed: seed)
        var script = Script()
        for _ in 0..<30 { script.play(storm.payload(), then: storm.pause()) }
        try expectOneMotion(script, of: Script.kinds)
    }

    @discardableResult
    private func expectOneMotion(_ script: Script, of kinds: [String]) throws -> [Showing] {
        let rates = [30, 60, 120]
        let showings = rates.map { Showing(script, rate: $0) }
        let end = try #require(showings.map(\.end).max())
        let first = showings[0].theater
        for (rate, showing) in zip(rates, showings) {
            let session = showing.theater.session
            #expect(session.nextWake(interest: .all) == nil, "\(kinds) never rest at \(rate) Hz")
            #expect(session.badges == first.session.badges)
            #expect(showing.theater.pictures == first.pictures)
            for kind in kinds {
                let topic = "transition/\(kind)"
                #expect(showing.theater.told(topic) == first.told(topic), "\(rate) Hz")
                let slow = showings[0].pictures("state/\(kind)", until: end)
                let fast = showing.pictures("state/\(kind)", until: end)
                #expect(slow.count == fast.count)
                guard let place = zip(slow, fast).firstIndex(where: { $0 != $1 }) else { continue }
                Issue.record(
                    """
                    \(kind) at step \(place * Showing.commonSteps): \(slow[place]) at 30 Hz, \
                    \(fast[place]) at \(rate) Hz
                    """)
            }
        }
        return showings
    }
}

extension Sequence {
    /// The place of the first element that is so, counted from 0.
    fileprivate func firstIndex(where isSo: (Element) -> Bool) -> Int? {
        for (place, element) in enumerated() where isSo(element) { return place }
        return nil
    }
}
