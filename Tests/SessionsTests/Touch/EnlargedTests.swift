import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// Thresholds are points of the viewport, whatever the scale and turn of what holds a component.
@Suite struct EnlargedTests {
    private func offset(_ theater: Theater) -> Double {
        guard case .points(let offset) = theater.picture("list").fields["offset"] else {
            return .nan
        }
        return offset
    }

    /// A list of 30 rows in a card of 200 points around (160, 284).
    private func theater(
        scale: Double, degrees: Double = 0, _ list: ListParameters = ListParameters(rows: 30)
    ) throws -> Theater {
        let card: Sheet = [
            "id": "card", "center": [160, 284], "size": [200, 200],
            "rotation": Sheet(degrees * .pi / 180), "scale": Sheet(scale),
        ]
        let world = try WorldParameters((["items": [card]] as Sheet).node)
        var theater = Theater(
            NestedScene().with("world", world).with("list", list, in: "world/card").scene)
        theater.step(2)
        return theater
    }

    private func isCardDragged(_ theater: Theater) -> Bool {
        theater.picture("world").phase == "dragging"
    }

    /// A finger that goes up on the screen scrolls the list, and not the card.
    @Test(arguments: [0.25, 0.5, 1, 1.5, 3, 8] as [Double], [-44, -30, 0, 10, 44] as [Double])
    func aDragScrollsTheListInACard(scale: Double, degrees: Double) throws {
        var theater = try theater(scale: scale, degrees: degrees)
        var finger = Finger(landing: Vector(160, 284), on: &theater)
        finger.move(by: Vector(0, -3), samples: 3, &theater)
        #expect(offset(theater) == 0 && !isCardDragged(theater))
        finger.move(by: Vector(0, -3), samples: 12, &theater)
        #expect(offset(theater) > 0 && !isCardDragged(theater))
        // 45 points less at most the slop, which is no jump.
        let way = 45 * (degrees * .pi / 180).magnitudeCosine / scale
        #expect(offset(theater) <= way + 1e-9 && offset(theater) > way - 12 / scale)
        #expect(theater.picture("world").views["card"]?.center == Vector(160, 284))
    }

    /// Screens report whole points, so a finger is often exactly as far as a pan needs. Then the
    /// list's own coordinates are rounded, and the card's are not.
    @Test(arguments: [0.75, 1.1, 1.5] as [Double], [0, 90, 180] as [Double])
    func ofEqualWaysTheInnermostBegins(scale: Double, degrees: Double) throws {
        let way = [0: Vector(0, -1), 90: Vector(1, 0), 180: Vector(0, 1)][degrees] ?? .zero
        for x in stride(from: 130.0, to: 190, by: 7) {
            for points in [1.0, 2, 5, 10] {
                var theater = try theater(scale: scale, degrees: degrees)
                var finger = Finger(landing: Vector(x, x + 124), on: &theater)
                finger.move(by: points * way, samples: Int(20 / points), &theater)
                #expect(offset(theater) > 0 && !isCardDragged(theater), "\(x) \(points)")
            }
        }
    }

    /// The pan begins at 10 points of the viewport, whatever they are in the list.
    @Test(arguments: [0.25, 0.5, 1, 1.5, 3, 8] as [Double])
    func thePanBeginsAtTenPointsOfTheViewport(scale: Double) throws {
        var theater = try theater(scale: scale)
        let finger = Finger(landing: Vector(160, 284), on: &theater)
        var moved = finger
        moved.move(by: Vector(0, -9.5), samples: 1, &theater)
        #expect(theater.picture("list").fields["recognizer"] == nil)
        moved.move(by: Vector(0, -1), samples: 1, &theater)
        #expect(theater.picture("list").fields["recognizer"] == .text("scroll"))
        #expect(abs(offset(theater) - 0.5 / scale) < 1e-9)
    }

    /// A tap may move until it is a pan.
    @Test(arguments: [0.25, 1, 4] as [Double], [1, 9, 9.9])
    func aTapThatTremblesIsOne(scale: Double, way: Double) throws {
        var theater = try theater(scale: scale)
        var finger = Finger(landing: Vector(160, 284), on: &theater)
        finger.move(by: Vector(0, way), samples: 1, &theater)
        finger.lift(&theater)
        #expect(theater.picture("list").fields["selected"] != .null)
    }

    /// A tremble of 1.9 points of the viewport after a rest throws nothing, however many of the
    /// component's own those are.
    @Test(
        arguments: ["list", "profile", "reader", "toss"], [0.1, 0.25, 0.5, 1, 2] as [Double])
    func aTrembleAfterARestThrowsNothing(kind: String, scale: Double) throws {
        var theater = try theater(of: kind, scale: scale)
        let way = HandScene.landing(kind).way
        let count = kind == "reader" ? 2 : 4
        var finger = Finger(landing: Vector(160, 284), on: &theater)
        finger.move(by: 8 * way, samples: count, &theater)
        finger.stay(steps: 36, &theater)
        theater.step()
        finger.move(by: -1.9 * way, samples: 1, &theater)
        let before = HandScene.place(kind, theater)
        finger.lift(&theater)
        var most = 0.0
        for _ in 0..<30 {
            theater.step()
            most = max(most, (HandScene.place(kind, theater) - before) * (way.x - way.y))
        }
        #expect(most < 1, "goes on by \(most)")
        #expect(theater.picture("it").phase != "thrown")
    }

    /// The same of gestures that a publisher recognised, whose places are the component's own.
    @Test(arguments: [0.1, 0.25, 1] as [Double])
    func soWhereAPublisherRecognisesIt(scale: Double) throws {
        var toss = try theater(of: "toss", scale: scale)
        var reader = try theater(of: "reader", scale: scale)
        func scroll(_ phase: Phase, _ offset: Double, steps: Int) {
            reader.receive(
                .gesture(component: "it", .scroll(Scroll(phase: phase, offset: offset))))
            reader.step(steps)
        }
        toss.pan("it", .began, 160, 223)
        scroll(.began, 0, steps: 2)
        for number in 1...4 {
            toss.step(2)
            toss.pan("it", .changed, 160 + Double(number) * 8 / scale, 223)
            scroll(.changed, -Double(number) * 3 / scale, steps: 2)
        }
        toss.step(36)
        toss.pan("it", .changed, 160 + 32 / scale, 223)
        toss.step(2)
        toss.pan("it", .ended, 160 + 30.1 / scale, 223)
        #expect(toss.picture("it").phase == "returning")
        scroll(.changed, -12 / scale, steps: 36)
        scroll(.changed, -12 / scale, steps: 2)
        scroll(.ended, -10.1 / scale, steps: 1)
        var spring = Scroller(bounds: 0...0, extent: 568, offset: -10.1 / scale)
        spring.release(at: 0)
        _ = spring.step()
        #expect(HandScene.place("reader", reader) == spring.offset)
    }

    /// A component of a phone's size in a card around (160, 284).
    private func theater(of kind: String, scale: Double) throws -> Theater {
        let card: Sheet = [
            "id": "card", "center": [160, 284], "size": [320, 568], "scale": Sheet(scale),
        ]
        let world = NestedScene().with(
            "world", try WorldParameters((["items": [card]] as Sheet).node))
        let slot = "world/card"
        var profile = ProfileParameters(viewport: .phone)
        profile.contentHeight = 30_000
        let nested =
            switch kind {
            case "list": world.with("it", ListParameters(rows: 2_000), in: slot)
            case "profile": world.with("it", profile, in: slot)
            case "reader":
                world.with(
                    "it", ReaderParameters(pages: .count(9), viewport: .phone), in: slot)
            default: world.with("it", TossParameters(viewport: .phone), in: slot)
            }
        var theater = Theater(nested.scene)
        theater.step(2)
        return theater
    }

    /// Every recognizer, at a component that is shown so many times as large.
    @Test(arguments: [0.25, 0.5, 2, 8] as [Double])
    func everyRecognizerMeasuresInTheViewport(scale: Double) throws {
        let view = ViewState(
            center: .zero, size: Size(100, 100), rotation: 0, scale: scale, z: 0, cut: 0)
        let lying = ViewportScale(try #require(Similarity(into: view)))
        func place(_ points: Double, _ across: Double = 0) -> Vector {
            Vector(across, points) / scale
        }
        var tap = TapRecognizer(landed: .zero)
        #expect(tap.moved(to: place(44.9), scale: lying) == true)
        #expect(tap.moved(to: place(45.1), scale: lying) == false)
        var press = LongPressRecognizer(landed: .zero, at: .zero)
        #expect(press.moved(to: place(9.9), scale: lying) == .nothing)
        #expect(press.moved(to: place(10.1), scale: lying) == .failed)
        var swipe = SwipeRecognizer(landed: .zero, at: .zero)
        #expect(swipe.moved(to: place(0, 49.9), at: .zero, scale: lying) == .nothing)
        #expect(swipe.moved(to: place(0, 50.1), at: .zero, scale: lying) == .recognized(.right))
        var crooked = SwipeRecognizer(landed: .zero, at: .zero)
        #expect(crooked.moved(to: place(50.1, 20), at: .zero, scale: lying) == .failed)
        let time = SampleTime(claimed: nil, received: 0)
        var pinch = PinchRecognizer(.zero, place(100), tracker: .uikit)
        #expect(pinch.moved(.zero, place(107.9), time: time, scale: lying) == .nothing)
        #expect(pinch.moved(.zero, place(108.1), time: time, scale: lying) != .nothing)
        var pan = PanRecognizer(.both, landed: .zero)
        #expect(pan.moved(to: place(9.9, 9.9), scale: lying) == .nothing)
        guard case .began(let way) = pan.moved(to: place(9.9, 10.5), scale: lying) else {
            Issue.record("the pan has not begun")
            return
        }
        #expect(abs(way.x - 0.5 / scale) < 1e-9 && abs(way.y - 9.9 / scale) < 1e-9)
    }
}

extension Double {
    /// The cosine of an angle in radians, without its sign.
    fileprivate var magnitudeCosine: Double { Angle.sineCosine(self).cosine.magnitude }
}
