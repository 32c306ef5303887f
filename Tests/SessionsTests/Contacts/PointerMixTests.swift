import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// A component may refuse a recognised gesture.
@Suite struct RefusedPointerTests {
    private func dismissed() -> Theater {
        var theater = Theater(.single("tips", .init(TipsParameters.counting(2))))
        theater.step(400)
        theater.command("tips", "dismiss")
        theater.step(60)
        return theater
    }

    /// The contact is refused when it becomes a pan; the rest of it is suppressed.
    @Test func aPanIsRefusedAtItsSampleAndTheRestIsSuppressed() {
        var theater = dismissed()
        #expect(theater.pointer("tips", .began, 1, 160, 284) == .applied)
        let before = theater.pictures
        let changed = theater.pointer("tips", .changed, 1, 180, 284)
        #expect(changed.code == .busy && changed.isReported)
        #expect(theater.pictures == before)
        theater.command("tips", "present")
        theater.step(100)
        for phase in [Phase.changed, .changed, .ended] {
            let rest = theater.pointer("tips", phase, 1, 200, 284)
            #expect(rest.code == .busy && !rest.isReported)
        }
        #expect(theater.pointer("tips", .ended, 1, 200, 284).code == .outOfOrder)
        #expect(theater.pointer("tips", .began, 1, 160, 284) == .applied)
        #expect(theater.pointer("tips", .changed, 1, 180, 284) == .applied)
        #expect(theater.phase == "dragging")
    }

    @Test func aRefusedEndLeavesNothingToSuppress() {
        var theater = dismissed()
        theater.pointer("tips", .began, 1, 160, 284)
        #expect(theater.pointer("tips", .ended, 1, 180, 284).code == .busy)
        let again = theater.pointer("tips", .ended, 1, 180, 284)
        #expect(again.code == .outOfOrder && again.isReported)
    }

    /// A command ended the gesture, and the contact goes on: its next sample is out of order.
    @Test func samplesAfterAnEndedGestureAreOutOfOrder() {
        var theater = toss()
        theater.drag(1)
        theater.command("toss", "reset")
        let before = theater.pictures
        let changed = theater.pointer("toss", .changed, 1, 190, 223)
        #expect(changed.code == .outOfOrder && changed.isReported)
        #expect(theater.pictures == before)
        // It is over with the next step, which is looked at even where nothing moves.
        theater.step()
        #expect(theater.recognizer == nil)
        #expect(theater.pointer("toss", .ended, 1, 190, 223).isReported == false)
        #expect(theater.pointer("toss", .ended, 1, 190, 223).isReported)
    }

    @Test(arguments: [Phase.cancelled, .began])
    func aCancelOrBeganAfterAnEndedGestureIsApplied(phase: Phase) {
        var theater = toss()
        theater.drag(1)
        theater.command("toss", "reset")
        #expect(theater.pointer("toss", phase, 1, 160, 223) == .applied)
        // A contact that lands on what returns catches it.
        let isCaught = phase == .began
        #expect(theater.recognizer == (isCaught ? .text("pan") : nil))
        #expect(theater.phase == (isCaught ? "dragging" : "returning"))
    }

    @Test func aLandingBesideTheTabsIsABadValueAndTheRestIsSuppressed() {
        var theater = Theater(.single("tabs", .init(TabsParameters.five)))
        theater.flush()
        let before = theater.session.machines.map { AnyHashable($0) }
        #expect(theater.pointer("tabs", .began, 1, 100, 500).code == .badValue)
        for phase in [Phase.changed, .ended] {
            let rest = theater.pointer("tabs", phase, 1, 100, 540)
            #expect(rest.code == .badValue && !rest.isReported)
        }
        #expect(theater.session.machines.map { AnyHashable($0) } == before)
        #expect(theater.session.nextWake(interest: .all) == nil)
        #expect(theater.pointer("tabs", .began, 1, 100, 540) == .applied)
    }

    /// A second landing of a contact that is down loses the first, also where it is refused itself.
    @Test func aSecondLandingThatIsRefusedEndsTheFirst() {
        var theater = Theater(.single("tabs", .init(TabsParameters.five)))
        theater.pointer("tabs", .began, 1, 100, 540)
        let before = theater.pictures
        #expect(theater.pointer("tabs", .began, 1, 100, 100).code == .badValue)
        #expect(theater.pictures == before)
        #expect(before[0].fields["items.1.highlighted"] == .flag(true))
        theater.step()
        #expect(theater.pictures[0].fields["items.1.highlighted"] == .flag(false))
        #expect(theater.recognizer == nil)
        #expect(theater.pointer("tabs", .ended, 1, 100, 540).isReported == false)
    }
}

/// Raw contacts and gestures that somebody else recognised, on one component.
@Suite struct MixedSourceTests {
    @Test func aRecognisedBeganEndsTheRawContactsPart() {
        var theater = toss()
        theater.drag(1)
        #expect(theater.pan("toss", .began, 60, 60) == .applied)
        #expect(theater.anchor == Vector(60, 60) && theater.recognizer == nil)
        #expect(theater.pointer("toss", .changed, 1, 200, 223) == .applied)
        #expect(theater.anchor == Vector(60, 60))
        #expect(theater.pan("toss", .changed, 70, 60) == .applied)
        #expect(theater.pointer("toss", .ended, 1, 200, 223) == .applied)
        #expect(theater.phase == "dragging")
        #expect(theater.pan("toss", .ended, 70, 60, velocity: .zero) == .applied)
        #expect(theater.phase == "returning")
    }

    @Test(arguments: [Phase.changed, .ended, .cancelled])
    func meanwhileTheRestOfARecognisedGestureIsOutOfOrder(phase: Phase) {
        var theater = toss()
        theater.pan("toss", .began, 60, 60)
        theater.pointer("toss", .began, 1, 160, 223)
        #expect(theater.pan("toss", .changed, 61, 60) == .applied)
        // It begins during the open gesture, and takes over.
        #expect(theater.pointer("toss", .changed, 1, 180, 223) == .applied)
        #expect(theater.anchor == Vector(180, 223) && theater.recognizer == .text("pan"))
        let before = theater.pictures
        #expect(theater.pan("toss", phase, 62, 60).code == .outOfOrder)
        #expect(theater.pictures == before)
        #expect(theater.pointer("toss", .changed, 1, 190, 223) == .applied)
        #expect(theater.anchor == Vector(190, 223))
        theater.pointer("toss", .ended, 1, 190, 223)
        #expect(theater.pan("toss", phase, 62, 60).code == .outOfOrder)
    }

    @Test func aRefusedBeganLeavesTheRawContacts() {
        var theater = Theater(.single("tips", .init(TipsParameters.counting(2))))
        theater.step(400)
        theater.command("tips", "dismiss")
        theater.pointer("tips", .began, 1, 160, 284)
        #expect(theater.pan("tips", .began, 1, 1).code == .busy)
        theater.command("tips", "present")
        theater.step(60)
        #expect(theater.pointer("tips", .changed, 1, 180, 284) == .applied)
        #expect(theater.phase == "dragging")
    }

    @Test func componentsHaveContactsOfTheirOwn() {
        var theater = Theater(.phone())
        theater.step(400)
        theater.pointer("toss", .began, 1, 160, 223)
        theater.pointer("tips", .began, 1, 160, 284)
        theater.pointer("tips", .changed, 1, 180, 284)
        #expect(theater.picture("tips").fields["recognizer"] == .text("pan"))
        #expect(theater.picture("toss").phase == "resting")
        theater.pointer("toss", .changed, 1, 180, 223)
        #expect(theater.picture("toss").fields["recognizer"] == .text("pan"))
        theater.pointer("tips", .ended, 1, 180, 284)
        #expect(theater.picture("toss").phase == "dragging")
        #expect(theater.picture("tips").fields["recognizer"] == nil)
    }
}
