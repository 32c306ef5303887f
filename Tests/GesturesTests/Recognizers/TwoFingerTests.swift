import Geometry
import Gestures
import Testing

private func at(_ milliseconds: Double) -> SampleTime {
    SampleTime(claimed: nil, received: milliseconds)
}

private func value(_ recognition: Recognition<PairReading>) -> Double? {
    switch recognition {
    case .nothing, .failed: nil
    case .began(let reading), .changed(let reading), .ended(let reading): reading.value
    }
}

private func velocity(_ recognition: Recognition<PairReading>) -> Double? {
    switch recognition {
    case .nothing, .failed: nil
    case .began(let reading), .changed(let reading), .ended(let reading): reading.velocity
    }
}

/// A pinch begins after 8 pt of change, and scales from there.
@Suite struct PinchRecognizerTests {
    private let a = Vector(100, 100)

    private func pinch(_ distance: Double = 100) -> PinchRecognizer {
        PinchRecognizer(a, a + Vector(distance, 0), tracker: .uikit)
    }

    @Test(arguments: [(107.999, false), (108, true), (92.001, false), (92, true)])
    func itBeginsWithEightPointsOfChange(distance: Double, begins: Bool) {
        var pinch = pinch()
        let found = pinch.moved(a, a + Vector(0, distance), time: at(0))
        #expect(value(found) == (begins ? 1 : nil))
    }

    @Test func itScalesFromThere() {
        var pinch = pinch()
        #expect(value(pinch.moved(a, a + Vector(120, 0), time: at(0))) == 1)
        #expect(value(pinch.moved(a, a + Vector(180, 0), time: at(8))) == 1.5)
        #expect(value(pinch.moved(a, a + Vector(60, 0), time: at(16))) == 0.5)
        #expect(value(pinch.lifted(time: at(16))) == 0.5)
        #expect(pinch.moved(a, a + Vector(60, 0), time: at(24)) == .nothing)
    }

    /// 12 pt in 10 ms on 120 pt are 10 per second; after more than 100 ms of rest it is 0.
    @Test func itsVelocityIsInMultiplesASecond() {
        var pinch = pinch()
        var found = pinch.moved(a, a + Vector(120, 0), time: at(0))
        #expect(velocity(found) == 0)
        for number in 1...5 {
            found = pinch.moved(
                a, a + Vector(120 + 12 * Double(number), 0), time: at(10 * Double(number)))
            #expect(abs((velocity(found) ?? 0) - 10) < 1e-9)
        }
        var early = pinch
        #expect(abs((velocity(early.lifted(time: at(90))) ?? 0) - 10) < 1e-9)
        #expect(velocity(pinch.lifted(time: at(90.001))) == 0)
    }

    @Test func fingersThatMeetHaveAScaleToo() {
        var pinch = pinch(8)
        #expect(value(pinch.moved(a, a, time: at(0))) == 1)
        #expect(value(pinch.moved(a, a + Vector(7, 0), time: at(8))) == 7)
        pinch = self.pinch(100)
        _ = pinch.moved(a, a + Vector(50, 0), time: at(0))
        #expect(value(pinch.moved(a, a, time: at(8))) == 0.02)
    }

    @Test func anEarlyLiftOrLossIsNoPinch() {
        var pinch = pinch()
        #expect(pinch.lifted(time: at(0)) == .failed)
        pinch = self.pinch()
        #expect(pinch.cancel() == nil)
        pinch = self.pinch()
        _ = pinch.moved(a, a + Vector(200, 0), time: at(0))
        _ = pinch.moved(a, a + Vector(400, 0), time: at(8))
        #expect(pinch.cancel() == 2)
        #expect(pinch.lifted(time: at(8)) == .nothing)
    }
}

/// A rotation begins after 5°, and counts from there.
@Suite struct RotationRecognizerTests {
    private let a = Vector(160, 284)

    /// The second finger is 100 pt from the first, this many degrees clockwise from the right.
    private func b(_ degrees: Double) -> Vector {
        let (sine, cosine) = Angle.sineCosine(degrees * .pi / 180)
        return a + Vector(100 * cosine, 100 * sine)
    }

    private func turn(from degrees: Double) -> RotationRecognizer {
        RotationRecognizer(a, b(degrees), tracker: .uikit)
    }

    @Test(arguments: [0, 30, 178, -179.5], [(4.999, false), (5.001, true)])
    func itBeginsWithFiveDegrees(from: Double, turned: (degrees: Double, begins: Bool)) {
        for sign in [1.0, -1] {
            var turn = turn(from: from)
            let found = turn.moved(a, b(from + sign * turned.degrees), time: at(0))
            #expect(value(found) == (turned.begins ? 0 : nil))
        }
    }

    @Test func itBeginsInSmallStepsToo() {
        var turn = turn(from: 0)
        for degrees in 1...4 {
            #expect(turn.moved(a, b(Double(degrees)), time: at(0)) == .nothing)
        }
        #expect(value(turn.moved(a, b(5.01), time: at(0))) == 0)
    }

    /// Two more turns, past ±π four times: each sample adds 20°.
    @Test func itNeverJumpsAtHalfATurn() {
        var turn = turn(from: 170)
        #expect(value(turn.moved(a, b(176), time: at(0))) == 0)
        for number in 1...36 {
            let found = value(turn.moved(a, b(176 + 20 * Double(number)), time: at(0))) ?? 0
            #expect(abs(found - Double(number) * 20 * .pi / 180) < 1e-12)
        }
        for number in 1...36 {
            let found = value(turn.moved(a, b(896 - 20 * Double(number)), time: at(0))) ?? 9
            #expect(abs(found - Double(36 - number) * 20 * .pi / 180) < 1e-12)
        }
    }

    /// 0.1 rad in 10 ms are 10 rad/s; clockwise is positive.
    @Test func itsVelocityIsInRadiansASecond() {
        var turn = turn(from: 0)
        var found = turn.moved(a, b(6), time: at(0))
        #expect(velocity(found) == 0)
        for number in 1...5 {
            let degrees = 6 - 0.1 * Double(number) * 180 / .pi
            found = turn.moved(a, b(degrees), time: at(10 * Double(number)))
            #expect(abs((velocity(found) ?? 0) + 10) < 1e-9)
        }
        var early = turn
        #expect(abs((velocity(early.lifted(time: at(90))) ?? 0) + 10) < 1e-9)
        #expect(velocity(turn.lifted(time: at(90.001))) == 0)
    }

    @Test func fingersThatMeetKeepTheirDirection() {
        var turn = turn(from: 90)
        #expect(turn.moved(a, a, time: at(0)) == .nothing)
        #expect(turn.moved(a, b(90), time: at(0)) == .nothing)
        #expect(value(turn.moved(a, b(100), time: at(0))) == 0)
    }

    @Test func anEarlyLiftOrLossIsNoRotation() {
        var turn = turn(from: 0)
        #expect(turn.lifted(time: at(0)) == .failed)
        turn = self.turn(from: 0)
        #expect(turn.cancel() == nil)
        turn = self.turn(from: 0)
        _ = turn.moved(a, b(10), time: at(0))
        #expect(turn.cancel() == 0)
        #expect(turn.lifted(time: at(0)) == .nothing)
    }
}
