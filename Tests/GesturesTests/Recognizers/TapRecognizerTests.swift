import Geometry
import Gestures
import Testing

/// At most 45 pt of movement.
@Suite struct TapRecognizerTests {
    @Test(arguments: [
        (45.0, 0.0, true), (45.001, 0, false), (0, -45, true), (27, 36, true), (27, 36.1, false),
    ])
    func aFingerMayStrayFortyFivePoints(x: Double, y: Double, isTap: Bool) {
        var tap = TapRecognizer(landed: Vector(10, 20))
        #expect(tap.moved(to: Vector(10 + x, 20 + y)) == isTap)
        #expect(tap.lifted() == isTap)
    }

    @Test func aFingerThatStraysAndReturnsDoesNotTap() {
        var tap = TapRecognizer(landed: .zero)
        #expect(tap.moved(to: Vector(46, 0)) == false)
        #expect(tap.moved(to: .zero) == false)
        #expect(tap.lifted() == false)
    }

    @Test func aFingerTapsOnlyOnce() {
        var tap = TapRecognizer(landed: .zero)
        #expect(tap.lifted() == true)
        #expect(tap.lifted() == false)
    }
}

/// 0.5 s within 10 pt; continuous after that.
@Suite struct LongPressRecognizerTests {
    private let landed = Vector(50, 60)

    @Test func itTakesHalfASecond() {
        var press = LongPressRecognizer(landed: landed, at: Step(5))
        #expect(press.deadline == Step(65))
        #expect(press.waited(at: landed, until: Step(64)) == .nothing)
        #expect(press.waited(at: landed, until: Step(65)) == .began(landed))
        #expect(press.deadline == .never)
        #expect(press.waited(at: landed, until: Step(66)) == .nothing)
    }

    @Test(arguments: [(10.0, 0.0, true), (10.001, 0, false), (6, 8, true), (6, 8.1, false)])
    func aFingerMayStrayTenPointsBefore(x: Double, y: Double, holds: Bool) {
        var press = LongPressRecognizer(landed: landed, at: .zero)
        let place = landed + Vector(x, y)
        #expect(press.moved(to: place) == (holds ? .nothing : .failed))
        #expect(press.deadline == (holds ? Step(60) : .never))
        #expect(press.waited(at: place, until: Step(60)) == (holds ? .began(place) : .nothing))
    }

    @Test func onceBegunItFollowsAnywhere() {
        var press = LongPressRecognizer(landed: landed, at: .zero)
        _ = press.waited(at: landed, until: Step(60))
        #expect(press.moved(to: Vector(300, 9)) == .changed(Vector(300, 9)))
        #expect(press.moved(to: Vector(300, 9)) == .changed(Vector(300, 9)))
        #expect(press.lifted(at: Vector(300, 9)) == .ended(Vector(300, 9)))
        #expect(press.moved(to: landed) == .nothing)
        #expect(press.cancel() == false)
    }

    @Test func anEarlyLiftOrLossIsNoLongPress() {
        var press = LongPressRecognizer(landed: landed, at: .zero)
        #expect(press.lifted(at: landed) == .failed)
        #expect(press.waited(at: landed, until: Step(60)) == .nothing)
        press = LongPressRecognizer(landed: landed, at: .zero)
        #expect(press.cancel() == false)
        press = LongPressRecognizer(landed: landed, at: .zero)
        _ = press.waited(at: landed, until: Step(60))
        #expect(press.cancel() == true)
        #expect(press.lifted(at: landed) == .nothing)
    }
}
