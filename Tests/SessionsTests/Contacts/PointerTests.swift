import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// Raw contacts drive the components that listen to them.
@Suite struct PointerTests {
    @Test func aContactPansAfterTenPointsAndHangsTheViewWhereItIs() {
        var theater = toss()
        #expect(theater.pointer("toss", .began, 1, 160, 223) == .applied)
        #expect(theater.pointer("toss", .changed, 1, 169, 232) == .applied)
        #expect(theater.phase == "resting")
        #expect(theater.pointer("toss", .changed, 1, 171, 232) == .applied)
        #expect(theater.phase == "dragging" && theater.anchor == Vector(171, 232))
        #expect(theater.pointer("toss", .changed, 1, 191, 232) == .applied)
        #expect(theater.anchor == Vector(191, 232))
        #expect(theater.pointer("toss", .cancelled, 1, 191, 232) == .applied)
        #expect(theater.phase == "returning")
        #expect(theater.pointer("toss", .changed, 1, 191, 232).code == .outOfOrder)
    }

    /// 20 pt in 8 ms are 2,500 pt/s, of which no recognised pan says anything.
    @Test(arguments: [(20.0, "thrown"), (8.01, "returning")])
    func theVelocityIsThatOfTheContact(distance: Double, phase: String) {
        var theater = toss()
        theater.pointer("toss", .began, 1, 100, 223)
        for number in 1...14 {
            theater.step()
            theater.pointer("toss", .changed, 1, 100 + distance * Double(number), 223)
        }
        theater.step()
        theater.pointer("toss", .ended, 1, 100 + distance * 15, 223)
        #expect(theater.phase == phase)
    }

    @Test func anEndAtANewPlaceIsAMoveFirst() {
        var theater = toss()
        theater.pointer("toss", .began, 1, 100, 223)
        theater.step(2)
        #expect(theater.pointer("toss", .ended, 1, 150, 223) == .applied)
        #expect(theater.phase == "thrown")
    }

    @Test func aPalmIsNoContactAndCancelsOneThatBecomesIt() {
        func palm(_ phase: Phase, _ number: PointerNumber, _ x: Double) -> Gesture {
            .pointer(
                Pointer(phase: phase, pointer: number, location: Vector(x, 223), kind: .palm))
        }
        for component in ["toss", nil] {
            var theater = toss()
            for (phase, x) in [(Phase.began, 160.0), (.changed, 200), (.ended, 200)] {
                let sample = palm(phase, 7, x)
                #expect(theater.receive(.gesture(component: component, sample)) == .applied)
            }
            #expect(theater.phase == "resting")
            for (phase, x) in [(Phase.began, 160.0), (.changed, 200)] {
                let sample = Pointer(phase: phase, pointer: 1, location: Vector(x, 223))
                theater.receive(.gesture(component: component, .pointer(sample)))
            }
            #expect(theater.phase == "dragging")
            for phase in [Phase.changed, .changed, .ended] {
                let sample = palm(phase, 1, 240)
                #expect(theater.receive(.gesture(component: component, sample)) == .applied)
                #expect(theater.phase == "returning")
            }
        }
    }

    @Test func aSecondFingerDoesNotDisturbAPan() {
        var theater = toss()
        theater.drag(1)
        #expect(theater.pointer("toss", .began, 2, 40, 40) == .applied)
        #expect(theater.pointer("toss", .changed, 2, 90, 90) == .applied)
        #expect(theater.anchor == Vector(180, 223))
        theater.pointer("toss", .ended, 1, 180, 223)
        #expect(theater.phase != "dragging")
        #expect(theater.pointer("toss", .changed, 2, 190, 90) == .applied)
        #expect(theater.phase != "dragging" && theater.recognizer == nil)
        #expect(theater.pointer("toss", .ended, 2, 190, 90) == .applied)
        #expect(theater.pointer("toss", .ended, 2, 190, 90).code == .outOfOrder)
    }

    /// At the root there is no screen to pop. Until a contact turns out to be a pan it is taken.
    @Test func aContactThatHasNothingToPopIsRefused() {
        var theater = Theater(.phone())
        #expect(theater.pointer("navigation", .began, 1, 10, 10) == .applied)
        let pan = theater.pointer("navigation", .changed, 1, 40, 10)
        #expect(pan.code == .badValue && pan.isReported)
        #expect(theater.pointer("navigation", .changed, 1, 60, 10).isReported == false)
        // Another finger is another contact.
        #expect(theater.pointer("navigation", .began, 2, 10, 30) == .applied)
        #expect(theater.pointer("navigation", .changed, 2, 10, 90) == .applied)
        #expect(theater.pointer("navigation", .ended, 2, 10, 90) == .applied)
        #expect(theater.pointer("navigation", .ended, 1, 60, 10).isReported == false)
    }

    @Test func sixteenContactsAreFollowed() {
        var theater = toss()
        for pointer in 0..<16 {
            #expect(theater.pointer("toss", .began, pointer, 1, 1) == .applied)
        }
        #expect(theater.pointer("toss", .began, 16, 1, 1).code == .badValue)
        #expect(theater.pointer("toss", .changed, 16, 1, 1).isReported == false)
        #expect(PointerArena.contactsMax == 16)
        #expect(theater.pointer("toss", .changed, 3, 1, 1) == .applied)
    }

    @Test(arguments: [GestureKind.longpress, .pinch, .rotation])
    func noKindTakesTheGesturesOfTheVocabularyAlone(kind: GestureKind) {
        let gesture: Gesture =
            switch kind {
            case .longpress: .longpress(LongPress(phase: .began, location: nil))
            case .pinch: .pinch(Pinch(phase: .began, location: nil, scale: 1))
            default: .rotation(Rotation(phase: .began, location: nil, angle: 0))
            }
        var theater = Theater(.phone())
        for component in theater.session.scene.components {
            let reception = theater.receive(.gesture(component: component.id, gesture))
            #expect(reception.code == .unknownGesture && reception.isReported)
        }
    }
}

/// 3 s without a sample are 360 steps.
@Suite struct PointerSilenceTests {
    @Test func aSilentContactIsCancelledOnce() {
        var theater = toss()
        theater.drag(1)
        theater.step(359)
        #expect(theater.phase == "dragging" && theater.recognizer == .text("pan"))
        theater.step()
        #expect(theater.phase == "returning" && theater.recognizer == nil)
        #expect(theater.told("transition/toss").map(\.line) == ["return began 0.45 ease-in-out"])
        #expect(theater.pointer("toss", .changed, 1, 180, 223).code == .outOfOrder)
    }

    @Test func aSampleInTheSamePlaceKeepsItAlive() {
        var theater = toss()
        theater.drag(1)
        for _ in 0..<4 {
            theater.step(120)
            #expect(theater.pointer("toss", .changed, 1, 180, 223) == .applied)
        }
        theater.step(359)
        #expect(theater.phase == "dragging")
        theater.step()
        #expect(theater.phase == "returning")
    }

    /// A contact that was never recognised is forgotten as well, and nothing is published.
    @Test func aSilentContactThatWasNeverRecognizedIsForgotten() {
        var theater = toss()
        theater.pointer("toss", .began, 1, 160, 223)
        #expect(theater.session.nextWake(interest: .all) == Step(360))
        let before = theater.told().count
        theater.step(360)
        #expect(theater.session.nextWake(interest: .all) == nil)
        #expect(theater.pointer("toss", .changed, 1, 160, 223).code == .outOfOrder)
        theater.step(10)
        #expect(theater.told().count == before)
    }
}

/// `model.recognizer` while what was recognised lasts.
@Suite struct RecognizerFieldTests {
    @Test func itIsPublishedAtOnceWhenItComesAndWhenItGoes() {
        var theater = toss()
        theater.step()
        theater.pointer("toss", .began, 1, 160, 223)
        theater.flush()
        #expect(theater.told("state/toss").count == 1)
        theater.pointer("toss", .changed, 1, 180, 223)
        theater.flush()
        #expect(theater.steps("state/toss").last == 1)
        #expect(theater.told("state/toss").last?.body == .state(theater.pictures[0]))
        #expect(theater.recognizer == .text("pan"))
        theater.pointer("toss", .ended, 1, 180, 223)
        theater.flush()
        #expect(theater.told("state/toss").last?.body == .state(theater.pictures[0]))
        #expect(theater.recognizer == nil)
    }

    @Test func aRecognisedPanHasNone() {
        var theater = toss()
        theater.pan("toss", .began, 160, 223)
        #expect(theater.phase == "dragging" && theater.recognizer == nil)
    }

    @Test func aTapOnTouchDownLastsUntilItsContactLifts() {
        var theater = Theater(.single("tabs", .init(TabsParameters.five)))
        theater.pointer("tabs", .began, 1, 100, 540)
        #expect(theater.recognizer == .text("tap"))
        theater.step(300)
        theater.pointer("tabs", .changed, 1, 101, 540)
        theater.step(300)
        #expect(theater.recognizer == .text("tap"))
        theater.pointer("tabs", .ended, 1, 101, 540)
        #expect(theater.recognizer == nil)
    }
}

/// The item that the counting contact is on is highlighted while it is down.
@Suite struct HighlightTests {
    private func highlighted(_ theater: Theater) -> [String] {
        let fields = theater.pictures[0].fields
        return fields.filter { $0.key.hasSuffix(".highlighted") && $0.value == .flag(true) }
            .map { field in
                let id = fields[String(field.key.dropLast("highlighted".count)) + "id"]
                guard case .text(let id?) = id else { return "no id" }
                return id
            }
    }

    @Test func itFollowsTheContactThatCounts() {
        var theater = Theater(.single("tabs", .init(TabsParameters.five)))
        theater.step(2)
        theater.pointer("tabs", .began, 1, 200, 540)
        theater.flush()
        #expect(theater.steps("state/tabs").last == 2)
        #expect(theater.pictures[0].fields["selected"] == .whole(3))
        #expect(highlighted(theater) == ["news"])
        theater.pointer("tabs", .began, 2, 210, 540)
        #expect(highlighted(theater) == ["news"])
        #expect(theater.pictures[0].fields["selected"] == .whole(3))
        theater.pointer("tabs", .changed, 1, 300, 540)
        #expect(highlighted(theater) == ["news"])
        theater.pointer("tabs", .changed, 1, 300, 100)
        #expect(highlighted(theater) == [])
        theater.pointer("tabs", .changed, 1, 130, 568)
        #expect(highlighted(theater) == ["news"])
        theater.pointer("tabs", .ended, 1, 130, 568)
        #expect(highlighted(theater) == [])
        #expect(theater.pictures[0].fields["selected"] == .whole(3))
    }

    @Test(arguments: [Phase.cancelled, .ended])
    func itEndsWithTheContact(phase: Phase) {
        var theater = Theater(.single("tabs", .init(TabsParameters.five)))
        theater.pointer("tabs", .began, 1, 10, 540)
        #expect(highlighted(theater) == ["home"])
        theater.pointer("tabs", phase, 1, 10, 540)
        #expect(highlighted(theater) == [])
    }

    @Test func itEndsInSilence() {
        var theater = Theater(.single("tabs", .init(TabsParameters.five)))
        theater.pointer("tabs", .began, 1, 10, 540)
        theater.step(359)
        #expect(highlighted(theater) == ["home"])
        theater.step()
        #expect(highlighted(theater) == [])
    }

    @Test func aTapSaysNothingOfAFinger() {
        var theater = Theater(.single("tabs", .init(TabsParameters.five)))
        theater.receive(.gesture(component: "tabs", .tap(.index(2))))
        #expect(highlighted(theater) == [])
    }
}
