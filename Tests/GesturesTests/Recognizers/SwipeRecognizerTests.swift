import Geometry
import Gestures
import Testing

/// Within 0.5 s, along ≥ 50(1 − 0.94t), across ≤ 50(1 − 0.98t), none backwards.
@Suite struct SwipeRecognizerTests {
    /// The answers to samples of `(step, x, y)` after landing at step 7.
    private func answers(_ samples: [(Int, Double, Double)]) -> [SwipeRecognizer.Answer] {
        let landed = Vector(160, 100)
        var swipe = SwipeRecognizer(landed: landed, at: Step(7))
        return samples.map { swipe.moved(to: landed + Vector($0.1, $0.2), at: Step(7 + $0.0)) }
    }

    /// 50 pt at once, 26.5 pt after half a second.
    @Test(arguments: [(0, 50.0), (12, 45.3), (30, 38.25), (60, 26.5)])
    func itGoesFiftyPointsOrLessTheLongerItTakes(steps: Int, along: Double) {
        #expect(answers([(steps, along + 0.001, 0)]) == [.recognized(.right)])
        #expect(answers([(steps, -along - 0.001, 0)]) == [.recognized(.left)])
        #expect(answers([(steps, along - 0.001, 0)]) == [.nothing])
    }

    @Test func fiftyPointsAtOnceAreEnough() {
        #expect(answers([(0, 50, 0)]) == [.recognized(.right)])
    }

    /// 50 pt at once, 25.5 pt after half a second.
    @Test(arguments: [(0, 50.0), (12, 45.1), (30, 37.75), (60, 25.5)])
    func itStraysFiftyPointsOrLessTheLongerItTakes(steps: Int, across: Double) {
        #expect(answers([(steps, 60, across - 0.001)]) == [.recognized(.right)])
        #expect(answers([(steps, 60, 0.001 - across)]) == [.recognized(.right)])
        #expect(answers([(steps, 60, across + 0.001)]) == [.failed])
        #expect(answers([(steps, 60, -across - 0.001)]) == [.failed])
    }

    @Test func afterHalfASecondItIsTooLate() {
        #expect(answers([(60, 60, 0)]) == [.recognized(.right)])
        #expect(answers([(61, 60, 0)]) == [.failed])
        #expect(answers([(61, 5, 0), (62, 60, 0)]) == [.failed, .nothing])
    }

    @Test func noneOfItGoesBackwards() {
        #expect(answers([(1, 20, 0), (2, 19.9, 0), (3, 90, 0)]) == [.nothing, .failed, .nothing])
        #expect(answers([(1, -10, 0), (2, 60, 0)]) == [.nothing, .failed])
        #expect(answers([(1, 0, 5), (2, 60, 5)]) == [.nothing, .recognized(.right)])
    }

    /// Within 10 pt of where it landed a finger has no direction yet.
    @Test func aFingerThatLandsMayTremble() {
        let trembling = [(1, -0.3, 0.0), (2, 1, 0), (3, -9.9, 0), (4, 9.9, 0), (5, 60, 0)]
        #expect(
            answers(trembling) == Array(repeating: .nothing, count: 4) + [.recognized(.right)])
    }

    @Test func itIsRecognizedDuringTheMovement() {
        let samples = (1...6).map { ($0 * 2, Double($0) * -12, 0.0) }
        let found = answers(samples)
        #expect(
            found == Array(repeating: .nothing, count: 3) + [.recognized(.left)] + [
                .nothing, .nothing,
            ])
    }

    /// Time lowers the threshold, yet a resting finger does not swipe.
    @Test func aSampleInTheSamePlaceIsNoMovement() {
        #expect(answers([(10, 40, 0), (50, 40, 0)]) == [.nothing, .nothing])
        #expect(answers([(10, 40, 0), (50, 40.1, 0)]) == [.nothing, .recognized(.right)])
    }
}
