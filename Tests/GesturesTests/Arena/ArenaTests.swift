import Geometry
import Gestures
import Testing

private let list: Recognizers = [.swipe, .tap, .scroll]

/// The first recognizer that begins wins the contact, and the others fail.
@Suite struct ArbitrationTests {
    @Test func aPanBeginsFollowsAndEnds() {
        var stage = ArenaStage(.pan)
        #expect(stage.began(1, 100, 100) == ["down 100,100"])
        #expect(stage.arena.recognizer == nil && stage.arena.openGesture == nil)
        #expect(stage.changed(1, 109, 100) == ["moved 109,100"])
        #expect(stage.changed(1, 111, 100) == ["pan began 111,100", "moved 111,100"])
        #expect(stage.arena.recognizer == .pan && stage.arena.openGesture == .pan)
        #expect(stage.changed(1, 111, 100) == ["pan changed 111,100"])
        #expect(stage.ended(1, 111, 100) == ["pan ended 111,100 at 0,0", "up"])
        #expect(stage.arena.isEmpty && stage.arena.recognizer == nil)
    }

    @Test(arguments: [(12.0, 11.0), (-12, 11), (10, 0)])
    func onAListAHorizontalMoveLeavesItToTheSwipe(x: Double, y: Double) {
        var stage = ArenaStage(list)
        _ = stage.began(1, 160, 100)
        #expect(stage.changed(1, 160 + x, 100 + y) == ["moved \(Int(160 + x)),\(Int(100 + y))"])
        let side = x < 0 ? "left" : "right"
        let end = Int(160 + 5 * x)
        #expect(
            stage.changed(1, Double(end), 130) == ["swipe \(side) 160,100", "moved \(end),130"])
        #expect(stage.arena.recognizer == .swipe && stage.arena.openGesture == nil)
        #expect(stage.changed(1, 0, 130) == ["moved 0,130"])
        #expect(stage.ended(1, 0, 130) == ["up"])
    }

    @Test(arguments: [(11.0, 12.0, 2), (0, -10, 0), (-20, 20, 10)])
    func onAListAVerticalMoveScrolls(x: Double, y: Double, translation: Int) {
        var stage = ArenaStage(list)
        _ = stage.began(1, 160, 200)
        let end = "moved \(Int(160 + x)),\(Int(200 + y))"
        #expect(stage.changed(1, 160 + x, 200 + y) == ["drag began \(translation)", end])
        #expect(stage.arena.recognizer == .scroll && stage.arena.openGesture == .scroll)
        // Neither swipe nor tap is left.
        let sign = y < 0 ? -1 : 1
        #expect(
            stage.changed(1, 300, 200) == ["drag changed \(-10 * sign)", "moved 300,200"])
        #expect(stage.ended(1, 300, 200) == ["drag ended \(-10 * sign)", "up"])
    }

    @Test func aTapWaitsForNoSwipeAndIsAimedAtWhereItLanded() {
        var stage = ArenaStage(list)
        _ = stage.began(1, 160, 100)
        #expect(stage.ended(1, 160, 100) == ["tap 160,100", "up"])
        _ = stage.began(1, 160, 100)
        _ = stage.changed(1, 190, 100)
        #expect(stage.ended(1, 190, 100) == ["tap 160,100", "up"])
        _ = stage.began(1, 160, 100)
        stage.now = stage.now + 61
        _ = stage.changed(1, 206, 100)
        #expect(stage.ended(1, 206, 100) == ["up"])
        #expect(stage.arena.isEmpty)
    }

    @Test func aTapOnTouchDownIsAllThatComesOfItsContact() {
        var stage = ArenaStage([.tapOnTouchDown, .pan])
        #expect(stage.began(1, 20, 30) == ["tap 20,30", "down 20,30"])
        #expect(stage.arena.recognizer == .tap && stage.arena.openGesture == nil)
        #expect(stage.changed(1, 90, 30) == ["moved 90,30"])
        #expect(stage.ended(1, 90, 30) == ["up"])
        #expect(stage.arena.recognizer == nil)
    }

    /// 60 steps within 10 pt; then it follows the finger anywhere, and is no tap any more.
    @Test func aLongPressBeginsByTimeAlone() {
        var stage = ArenaStage([.tap, .longpress, .pan])
        _ = stage.began(1, 50, 50)
        _ = stage.changed(1, 56, 58)
        #expect(stage.step(59) == [])
        #expect(stage.arena.nextTimer == Step(60))
        #expect(stage.step(1) == ["60 press began 56,58"])
        #expect(stage.arena.recognizer == .longpress)
        #expect(stage.changed(1, 90, 58) == ["press changed 90,58", "moved 90,58"])
        #expect(stage.ended(1, 90, 58) == ["press ended 90,58", "up"])
        _ = stage.began(1, 50, 50)
        _ = stage.changed(1, 58, 58)
        #expect(stage.step(100) == [])
        #expect(stage.ended(1, 58, 58) == ["tap 50,50", "up"])
        _ = stage.began(1, 50, 50)
        _ = stage.changed(1, 60, 50)
        #expect(stage.arena.recognizer == .pan)
        #expect(stage.step(100) == [])
    }

    /// `recognizer` names the gesture while it lasts.
    @Test func aLostContactCancelsWhatItDid() {
        var stage = ArenaStage(.scroll)
        _ = stage.began(1, 50, 50)
        #expect(stage.cancelled(1) == ["up"])
        _ = stage.began(1, 50, 50)
        _ = stage.changed(1, 150, 70)
        #expect(stage.cancelled(1) == ["drag cancelled 10", "up"])
        stage = ArenaStage(.longpress)
        _ = stage.began(1, 50, 50)
        _ = stage.step(60)
        #expect(stage.cancelled(1) == ["press cancelled 50,50", "up"])
        #expect(stage.arena.isEmpty)
    }
}

/// Samples of contacts that are not down, and the meaning of ends.
@Suite struct ContactTests {
    @Test(arguments: [Phase.changed, .ended, .cancelled])
    func samplesOfAContactThatIsNotDownAreRefused(phase: Phase) {
        var stage = ArenaStage(.pan)
        #expect(stage.play(phase, 1) == ["notDown"])
        #expect(stage.arena.isEmpty)
        _ = stage.began(1, 0, 0)
        #expect(stage.play(phase, 2) == ["notDown"])
        _ = stage.ended(1, 0, 0)
        #expect(stage.play(phase, 1) == ["notDown"])
    }

    @Test func anEndAtANewPlaceIsAMoveFirst() {
        var stage = ArenaStage(.pan)
        _ = stage.began(1, 0, 0)
        stage.now = stage.now + 3
        #expect(
            stage.ended(1, 25, 0)
                == ["pan began 25,0", "pan ended 25,0 at 1000,0", "moved 25,0", "up"])
        stage = ArenaStage(list)
        _ = stage.began(1, 100, 0)
        #expect(stage.ended(1, 160, 0) == ["swipe right 100,0", "moved 160,0", "up"])
        _ = stage.began(1, 100, 0)
        #expect(
            stage.ended(1, 100, 60) == ["drag began 50", "drag ended 50", "moved 100,60", "up"])
    }

    /// 0.2 of the last velocity and 0.8 of the one before, although that is older than the gesture.
    @Test func theVelocityIsOfAllSamplesSinceItLanded() {
        var stage = ArenaStage(.pan)
        _ = stage.began(1, 0, 0)
        stage.now = stage.now + 3
        _ = stage.changed(1, 9, 0)
        stage.now = stage.now + 3
        #expect(stage.ended(1, 19, 0).contains("pan ended 19,0 at 368,0"))
        stage = ArenaStage(.pan, tracker: .leastSquares)
        for number in 0...9 {
            let phase: Phase = number == 0 ? .began : .changed
            _ = stage.play(phase, 1, Double(number) * 5, 0)
            stage.now = stage.now + 1
        }
        #expect(stage.ended(1, 50, 0).contains("pan ended 50,0 at 600,0"))
    }

    /// More than 40 ms after the last sample, also if it ends elsewhere.
    @Test(arguments: [(4, true), (5, false)])
    func aFingerThatRestsBeforeLiftingHasNoVelocity(steps: Int, moves: Bool) {
        var stage = ArenaStage(.pan)
        _ = stage.began(1, 0, 0)
        stage.now = stage.now + 3
        _ = stage.changed(1, 50, 0)
        stage.now = stage.now + steps
        let end = stage.ended(1, 51, 0).first { $0.hasPrefix("pan ended") }
        #expect((end != "pan ended 51,0 at 0,0") == moves)
    }

    @Test func aSecondBeganOfAContactCancelsTheFirst() {
        var stage = ArenaStage(.pan)
        _ = stage.began(1, 0, 0)
        _ = stage.changed(1, 20, 0)
        #expect(stage.began(1, 70, 80) == ["pan cancelled 20,0", "up", "down 70,80"])
        #expect(stage.arena.recognizer == nil)
        #expect(stage.changed(1, 79, 80) == ["moved 79,80"])
        #expect(stage.changed(1, 80, 80) == ["pan began 80,80", "moved 80,80"])
        stage = ArenaStage(.tapOnTouchDown)
        _ = stage.began(1, 1, 1)
        #expect(stage.began(1, 2, 2) == ["tap 2,2", "up", "down 2,2"])
    }

    /// 360 steps without a sample; each sample restarts them, also at the same place.
    @Test func threeSecondsOfSilenceLoseAContact() {
        var stage = ArenaStage(.pan)
        _ = stage.began(1, 0, 0)
        #expect(stage.step(200) == [])
        _ = stage.changed(1, 20, 0)
        #expect(stage.step(359) == [])
        #expect(stage.changed(1, 20, 0) == ["pan changed 20,0"])
        #expect(stage.step(359) == [])
        #expect(stage.arena.nextTimer == Step(919))
        #expect(stage.step(1) == ["919 pan cancelled 20,0", "919 up"])
        #expect(stage.arena.isEmpty && stage.arena.nextTimer == .never)
        #expect(stage.changed(1, 20, 0) == ["notDown"])
    }

    @Test func muteContactsAreLostInSilenceToo() {
        var stage = ArenaStage(.pan)
        _ = stage.began(1, 0, 0)
        _ = stage.began(2, 9, 0)
        _ = stage.ended(1, 0, 0)
        #expect(!stage.arena.isEmpty)
        #expect(stage.step(360) == [])
        #expect(stage.arena.isEmpty)
        #expect(stage.ended(2, 9, 0) == ["notDown"])
    }

    /// 16 contacts on one component; another is refused until one lifts.
    @Test func sixteenContactsAreFollowed() {
        var stage = ArenaStage(.pan)
        for pointer in 0..<16 { #expect(stage.began(pointer, 0, 0) != ["tooMany"]) }
        #expect(stage.began(16, 0, 0) == ["tooMany"])
        #expect(stage.began(7, 0, 0) == [])
        #expect(stage.ended(7, 0, 0) == [])
        #expect(stage.began(16, 0, 0) == [])
    }
}

/// Contacts besides the primary one.
@Suite struct SecondFingerTests {
    @Test func itDoesNotDisturbAPan() {
        var stage = ArenaStage(.pan)
        _ = stage.began(1, 0, 0)
        _ = stage.changed(1, 20, 0)
        #expect(stage.began(2, 200, 200) == [])
        #expect(stage.changed(2, 90, 90) == [])
        #expect(stage.changed(1, 30, 0) == ["pan changed 30,0", "moved 30,0"])
        #expect(stage.ended(2, 90, 90) == [])
        #expect(stage.arena.recognizer == .pan)
        #expect(stage.ended(1, 30, 0) == ["pan ended 30,0 at 0,0", "up"])
    }

    @Test func itDoesNotTakeOver() {
        var stage = ArenaStage(.pan)
        _ = stage.began(1, 0, 0)
        _ = stage.changed(1, 20, 0)
        _ = stage.began(2, 200, 200)
        #expect(stage.ended(1, 20, 0) == ["pan ended 20,0 at 0,0", "up"])
        #expect(stage.changed(2, 100, 100) == [])
        #expect(stage.arena.recognizer == nil && !stage.arena.isEmpty)
        // A third contact becomes primary if it lands while no other is.
        #expect(stage.began(3, 50, 50) == ["down 50,50"])
        #expect(stage.changed(2, 60, 100) == [])
        #expect(stage.changed(3, 60, 50) == ["pan began 60,50", "moved 60,50"])
        #expect(stage.ended(2, 60, 100) == [])
        #expect(stage.cancelled(3) == ["pan cancelled 60,50", "up"])
        #expect(stage.arena.isEmpty)
    }

    @Test func itNeitherTapsNorSwipesNorScrolls() {
        var stage = ArenaStage(list)
        _ = stage.began(1, 100, 100)
        #expect(stage.began(2, 100, 200) == [])
        #expect(stage.changed(2, 200, 200) == [])
        #expect(stage.changed(2, 200, 300) == [])
        #expect(stage.ended(2, 200, 300) == [])
        #expect(stage.ended(1, 100, 100) == ["tap 100,100", "up"])
    }

    @Test func aSourceThatTakesOverMakesAllMute() {
        var stage = ArenaStage(.pan)
        _ = stage.began(1, 0, 0)
        _ = stage.changed(1, 20, 0)
        _ = stage.began(2, 50, 50)
        #expect(stage.muted() == ["up"])
        #expect(stage.arena.recognizer == nil)
        #expect(stage.changed(1, 90, 0) == [])
        #expect(stage.ended(1, 90, 0) == [])
        #expect(stage.muted() == [])
        #expect(stage.began(1, 0, 0) == ["down 0,0"])
        #expect(stage.changed(1, 0, 10) == ["pan began 0,10", "moved 0,10"])
    }

    /// After a refusal the component hears of no touch, or of its end as soon as time passes.
    @Test func aRefusedContactIsFollowedNoMore() {
        var stage = ArenaStage(.tapOnTouchDown)
        _ = stage.began(1, 0, 0)
        stage.arena.fail(1, isTouching: false)
        #expect(stage.arena.isEmpty)
        stage = ArenaStage(.pan)
        _ = stage.began(1, 0, 0)
        _ = stage.changed(1, 20, 0)
        stage.arena.fail(1, isTouching: true)
        #expect(stage.arena.recognizer == nil && !stage.arena.isEmpty)
        #expect(stage.changed(1, 20, 0) == ["notDown"])
        #expect(stage.step(1) == ["1 up"])
        #expect(stage.arena.isEmpty)
        _ = stage.began(1, 0, 0)
        stage.arena.fail(1, isTouching: true)
        #expect(stage.began(2, 5, 5) == ["up", "down 5,5"])
    }
}
