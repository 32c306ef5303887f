import Geometry
import Gestures
import Testing

/// Two fingers on an arena that listens for pinches, rotations or both, besides a pan.
@Suite struct ArenaPairTests {
    /// Fingers 1 and 2 at (100, 100) and (200, 100).
    private func stage(_ recognizers: Recognizers) -> ArenaStage {
        var stage = ArenaStage(recognizers)
        _ = stage.began(1, 100, 100)
        _ = stage.began(2, 200, 100)
        return stage
    }

    @Test func aPinchWinsOverAPanAndEndsWithEitherFinger() {
        for pointer in [1, 2] {
            var stage = stage([.pinch, .pan])
            #expect(stage.changed(2, 207, 100) == [])
            #expect(stage.changed(2, 208, 100) == ["pinch began 154,100 1"])
            #expect(stage.arena.recognizer == .pinch && stage.arena.openGesture == .pinch)
            #expect(
                stage.changed(1, 46, 100) == ["pinch changed 127,100 1.5", "moved 46,100"])
            let place = pointer == 1 ? 46.0 : 208
            #expect(
                stage.ended(pointer, place, 100)
                    == ["pinch ended 127,100 1.5"] + (pointer == 1 ? ["up"] : []))
            #expect(stage.arena.recognizer == nil)
            // The finger that stays makes no other gesture.
            let other = 3 - pointer
            #expect(
                stage.changed(other, 300, 300) == (other == 1 ? ["moved 300,300"] : []))
            #expect(stage.ended(other, 300, 300) == (other == 1 ? ["up"] : []))
            #expect(stage.arena.isEmpty)
        }
    }

    @Test func aPanThatIsFirstLeavesNoPinch() {
        var stage = stage([.pinch, .rotation, .pan])
        // Both fingers move alike: 10 pt make a pan, their distance changes by less than 8 pt.
        _ = stage.changed(1, 106, 100)
        _ = stage.changed(2, 206, 100)
        #expect(stage.changed(1, 112, 100) == ["pan began 112,100", "moved 112,100"])
        #expect(stage.changed(2, 300, 300) == [])
        #expect(stage.arena.recognizer == .pan)
    }

    @Test func aTurnAndAPinchGoOnTogether() {
        var stage = stage([.pinch, .rotation])
        // 6° clockwise on 100 pt: the distance changes by half a point.
        #expect(stage.changed(2, 200, 110.51) == ["turn began 150,105.255 0"])
        #expect(stage.arena.recognizer == .rotation)
        let both = stage.changed(2, 200, 200)
        #expect(both == ["pinch began 150,150 1", "turn changed 150,150 0.681"])
        #expect(stage.arena.recognizer == .rotation)
        #expect(
            stage.changed(1, 0, 0)
                == ["pinch changed 100,100 2", "turn changed 100,100 0.681", "moved 0,0"])
        #expect(
            stage.cancelled(2)
                == ["pinch cancelled 100,100 2", "turn cancelled 100,100 0.681"])
        #expect(stage.ended(1, 0, 0) == ["up"])
    }

    @Test func oneSampleThatIsBothIsNamedAPinch() {
        var stage = stage([.pinch, .rotation])
        #expect(
            stage.changed(2, 200, 200) == ["pinch began 150,150 1", "turn began 150,150 0"])
        #expect(stage.arena.recognizer == .pinch)
    }

    @Test func aGestureWithoutAListenerIsNotRecognized() {
        var stage = stage(.rotation)
        #expect(stage.changed(2, 300, 100) == [])
        #expect(stage.changed(2, 200, 200) == ["turn began 150,150 0"])
        stage = self.stage(.pinch)
        #expect(stage.changed(2, 100, 201) == [])
        #expect(stage.changed(2, 100, 208) == ["pinch began 100,154 1"])
    }

    @Test func threeFingersAreTwoAndAMuteOne() {
        var stage = stage(.pinch)
        #expect(stage.began(3, 0, 0) == [])
        #expect(stage.changed(3, 500, 500) == [])
        #expect(stage.changed(2, 220, 100) == ["pinch began 160,100 1"])
        #expect(stage.ended(3, 500, 500) == [])
        #expect(stage.changed(2, 340, 100) == ["pinch changed 220,100 2"])
    }

    @Test func aSecondFingerThatLeavesMakesRoomForAnother() {
        var stage = stage([.pinch, .pan])
        #expect(stage.ended(2, 200, 100) == [])
        #expect(stage.began(3, 100, 200) == [])
        #expect(stage.changed(3, 100, 210) == ["pinch began 100,155 1"])
        stage = self.stage([.pinch, .pan])
        _ = stage.ended(2, 200, 100)
        #expect(stage.changed(1, 110, 100) == ["pan began 110,100", "moved 110,100"])
    }

    @Test func theSilenceOfEitherFingerCancels() {
        for pointer in [1, 2] {
            var stage = stage(.pinch)
            _ = stage.changed(2, 220, 100)
            _ = stage.step(100)
            _ = stage.changed(pointer, pointer == 1 ? 100 : 220, 100)
            let expected = ["360 pinch cancelled 160,100 1"] + (pointer == 2 ? ["360 up"] : [])
            #expect(stage.step(260) == expected)
        }
    }

    @Test func aSecondBeganOfTheOtherFingerCancelsThePinch() {
        var stage = stage(.pinch)
        _ = stage.changed(2, 220, 100)
        #expect(stage.began(2, 200, 100) == ["pinch cancelled 160,100 1"])
        #expect(stage.arena.recognizer == nil)
    }
}
