import Geometry
import Gestures
import Testing

/// Several fingers on one thing, which they hold together.
@Suite struct ArenaGraspTests {
    private static let recognizers: Recognizers = [.pan, .tap, .pinch, .rotation, .grasp]

    /// Fingers 1 and 2 at (100, 100) and (200, 100).
    private func pair() -> ArenaStage {
        var stage = ArenaStage(Self.recognizers)
        _ = stage.began(1, 100, 100)
        _ = stage.began(2, 200, 100)
        return stage
    }

    @Test func oneFingerIsAsWithoutAGrasp() {
        var alone = ArenaStage([.pan, .tap, .pinch, .rotation])
        var stage = ArenaStage(Self.recognizers)
        for place in [(100.0, 100.0), (104, 101), (115, 101), (140, 90)] {
            let phase = place.0 == 100 ? Phase.began : .changed
            #expect(
                stage.play(phase, 1, place.0, place.1) == alone.play(phase, 1, place.0, place.1))
            _ = (stage.step(3), alone.step(3))
        }
        #expect(stage.ended(1, 150, 80) == alone.ended(1, 150, 80))
        #expect(stage.arena.isEmpty)
    }

    /// The finger that moves, where it begins the hold, and what that is told as.
    @Test(
        arguments: [
            (1, Vector(88, 100), .pinch), (2, Vector(200, 112), .pinch),
            (2, Vector(208, 100), .pinch), (2, Vector(199.6, 108.8), .rotation),
        ] as [(Int, Vector, GestureKind)])
    func twoFingersBegin(finger: Int, place: Vector, kind: GestureKind) {
        var stage = pair()
        let near = Vector(finger == 1 ? 99 : 201, 100)
        #expect(!stage.changed(finger, near.x, near.y).contains { $0.hasPrefix("grasp") })
        let lines = stage.changed(finger, place.x, place.y)
        #expect(lines.first?.hasPrefix("grasp began anew ") == true, "\(lines)")
        #expect(stage.arena.recognizer == kind)
        #expect(stage.arena.engaged == [1, 2])
    }

    @Test func aSecondFingerJoinsTheFirstThatDrags() {
        var stage = ArenaStage(Self.recognizers)
        _ = stage.began(1, 100, 100)
        _ = stage.changed(1, 120, 100)
        #expect(stage.arena.recognizer == .pan)
        #expect(stage.began(2, 220, 100) == ["grasp began anew 170,100 to 170,100 1 0"])
        #expect(stage.changed(2, 320, 100) == ["grasp changed 170,100 to 220,100 2 0"])
        #expect(stage.changed(1, 320, 0) == ["grasp changed 170,100 to 320,50 1 1.571"])
    }

    /// Four fingers on a square that move, turn and scale it are fitted exactly; a fifth point that
    /// does not fit shares its error.
    @Test func theFitHasTheLeastSquares() {
        var stage = ArenaStage(Self.recognizers)
        let corners = [Vector(0, 0), Vector(100, 0), Vector(100, 100), Vector(0, 100)]
        for (index, corner) in corners.enumerated() {
            _ = stage.began(index + 1, corner.x, corner.y)
        }
        _ = stage.changed(1, 0, -20)
        _ = stage.changed(1, 0, 0)
        var lines: [String] = []
        for (index, corner) in corners.enumerated() {
            // Twice as large, a quarter turn clockwise, about the origin.
            lines = stage.changed(index + 1, -2 * corner.y, 2 * corner.x)
        }
        #expect(stage.arena.engaged.count == 4)
        // The hold began when the first corner was 20 points too high.
        let scale = 2 * (20_000.0 + 1_000) / (20_000 + 2_000 + 300)
        #expect(lines.count == 1 && lines[0].hasPrefix("grasp changed 50,45 to -100,100 "))
        #expect(scale > 1.8, "\(lines)")
    }

    @Test func fingersComeAndGoAndTheLastOneDragsOn() {
        var stage = pair()
        _ = stage.changed(1, 80, 100)
        #expect(stage.began(3, 140, 160) == ["grasp changed anew 140,120 to 140,120 1 0"])
        #expect(stage.ended(1, 80, 100) == ["grasp changed anew 170,130 to 170,130 1 0"])
        #expect(stage.arena.counting == 2)
        #expect(stage.ended(2, 200, 100) == ["pan began 140,160"])
        #expect(stage.arena.recognizer == .pan && stage.arena.counting == 3)
        #expect(stage.changed(3, 150, 160) == ["pan changed 150,160", "moved 150,160"])
        let end = stage.ended(3, 150, 160)
        #expect(end.count == 2 && end[0].hasPrefix("pan ended 150,160 at ") && end[1] == "up")
        #expect(stage.arena.isEmpty)
    }

    @Test func aLostFingerLeavesTheHoldToTheOthers() {
        var stage = pair()
        _ = stage.changed(1, 80, 100)
        #expect(stage.cancelled(1) == ["pan began 200,100"])
        #expect(stage.cancelled(2) == ["pan cancelled 200,100", "up"])
        #expect(stage.arena.isEmpty)
    }

    @Test func aSilentFingerLeavesTheHoldToTheOthers() {
        var stage = pair()
        _ = stage.changed(1, 80, 100)
        var lines = stage.step(Silence.stepsMax / 2)
        _ = stage.changed(2, 200, 100)
        lines += stage.step(Silence.stepsMax / 2)
        #expect(lines == ["\(Silence.stepsMax) pan began 200,100"])
    }

    @Test func theFirstOfTwoFingersTapsForBoth() {
        var stage = pair()
        #expect(stage.ended(1, 100, 100) == ["tap 100,100"])
        #expect(stage.ended(2, 200, 100) == ["up"])
        #expect(stage.arena.isEmpty)
    }

    @Test func theSecondFingerDragsAfterTheFirstHasTapped() {
        var stage = pair()
        _ = stage.ended(1, 100, 100)
        #expect(stage.changed(2, 215, 100) == ["pan began 215,100", "moved 215,100"])
    }

    @Test func aContactThatDoesNotJoinIsIgnored() {
        var stage = ArenaStage(Self.recognizers)
        _ = stage.began(1, 100, 100)
        _ = stage.changed(1, 120, 100)
        var outputs: [Recognized] = []
        let time = SampleTime(claimed: nil, received: 0)
        try? stage.arena.landed(
            2, at: Vector(200, 100), time: time, now: .zero, joins: false, into: &outputs)
        #expect(outputs == [])
        #expect(stage.changed(2, 300, 100) == [])
        #expect(stage.arena.recognizer == .pan)
        _ = stage.ended(1, 120, 100)
        #expect(stage.changed(2, 400, 100) == [])
    }

    @Test func mutedFingersNeverHoldAgain() {
        var stage = pair()
        _ = stage.changed(1, 80, 100)
        #expect(stage.muted() == ["up"])
        #expect(stage.changed(1, 50, 50) == [] && stage.changed(2, 50, 50) == [])
        #expect(stage.began(3, 10, 10) == ["down 10,10"])
        #expect(stage.arena.counting == 3)
    }

    /// Random fingers: whatever comes, the hold is of those that are down, and nothing is left.
    @Test(arguments: 0..<100)
    func storms(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var stage = ArenaStage(Self.recognizers)
        var down: [Int: Vector] = [:]
        for _ in 0..<300 {
            let finger = random.whole(in: 0...5)
            let place = Vector(random.unit() * 400, random.unit() * 400)
            if down[finger] == nil {
                _ = stage.began(finger, place.x, place.y)
                down[finger] = place
            } else if random.whole(in: 0...3) == 0 {
                _ =
                    random.whole(in: 0...1) == 0
                    ? stage.ended(finger, place.x, place.y) : stage.cancelled(finger)
                down[finger] = nil
            } else {
                _ = stage.changed(finger, place.x, place.y)
                down[finger] = place
            }
            #expect(stage.arena.isSound(Self.recognizers, tracker: .uikit))
            #expect(stage.arena.count == down.count)
            #expect(stage.arena.engaged.allSatisfy { down[Int($0)] != nil })
            _ = stage.step(1)
        }
        for finger in down.keys { _ = stage.cancelled(finger) }
        #expect(stage.arena.isEmpty)
    }
}
