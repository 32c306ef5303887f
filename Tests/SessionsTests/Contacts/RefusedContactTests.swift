import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// After a refused `began` the rest of that contact is suppressed with the same code.
@Suite struct RefusedContactTests {
    /// The tips are dismissed, so that pans on them are busy.
    private func dismissed() -> Theater {
        var theater = Theater(.phone())
        theater.step(400)
        theater.command("tips", "dismiss")
        theater.step(60)
        return theater
    }

    @Test(arguments: [Phase.ended, .cancelled])
    func theRestOfTheContactIsSuppressed(end: Phase) {
        var theater = dismissed()
        let began = theater.pan("tips", .began, 160, 284)
        #expect(began.code == .busy && began.isReported)
        for phase in [Phase.changed, .changed, end] {
            let rest = theater.pan("tips", phase, 160, 284)
            #expect(rest.code == .busy && !rest.isReported)
        }
        let after = theater.pan("tips", .changed, 160, 284)
        #expect(after.code == .outOfOrder && after.isReported)
    }

    /// The contact is refused for good, even where it would be taken by now.
    @Test func itStaysRefusedWhenTheTipsAreBack() {
        var theater = dismissed()
        theater.pan("tips", .began, 160, 284)
        theater.command("tips", "present")
        theater.step(60)
        #expect(theater.pan("tips", .changed, 160, 284).code == .busy)
        #expect(theater.pan("tips", .began, 160, 284) == .applied)
        #expect(theater.pan("tips", .changed, 160, 284) == .applied)
    }

    @Test func aNewBeganIsJudgedByItself() {
        var theater = dismissed()
        theater.pan("tips", .began, 160, 284)
        let again = theater.pan("tips", .began, 160, 284)
        #expect(again.code == .busy && again.isReported)
        #expect(theater.pan("tips", .ended, 160, 284).isReported == false)
    }

    @Test func otherContactsAreOthers() {
        var theater = dismissed()
        theater.pan("tips", .began, 160, 284)
        #expect(theater.pan("toss", .began, 160, 223) == .applied)
        #expect(theater.pan("toss", .changed, 170, 223) == .applied)
        let swipe = Swipe(direction: .left, target: .row(0))
        let other = theater.receive(.gesture(component: "tips", .swipe(swipe)))
        #expect(other.code == .unknownGesture && other.isReported)
        #expect(theater.pan("tips", .ended, 160, 284).isReported == false)
    }

    @Test(arguments: [
        ("nowhere", RejectionCode.unknownComponent), ("tabs", .unknownGesture),
        ("profile", .unknownGesture),
    ])
    func everyReasonSuppressesTheRest(component: String, code: RejectionCode) {
        var theater = dismissed()
        for (phase, isReported) in [
            (Phase.began, true), (.changed, false), (.ended, false), (.ended, true),
        ] {
            let reception = theater.pan(component, phase, 1, 1)
            #expect(reception.code == code && reception.isReported == isReported)
        }
    }

    /// A `began` counts even if only its contact could be read.
    @Test func theRestOfAnUnreadableBeganIsSuppressed() {
        var theater = Theater(.phone())
        theater.step(400)
        let bad = Rejection(.badValue, "x must be a number")
        let contact = Contact(component: "toss", gesture: .pan, phase: .began)
        #expect(theater.session.refuse(contact, with: bad) == .refused(bad))
        #expect(theater.pan("toss", .changed, 1, 1) == .suppressed(bad))
        let missing = Rejection(.missingField, "y is missing")
        let next = Contact(component: "toss", gesture: .pan, phase: .changed)
        #expect(theater.session.refuse(next, with: missing) == .suppressed(bad))
        #expect(theater.session.refuse(nil, with: missing) == .refused(missing))
        #expect(theater.pan("toss", .ended, 1, 1) == .suppressed(bad))
        #expect(theater.pan("toss", .began, 100, 200) == .applied)
    }

    /// One list keeps them for all sessions until theirs opens; `ab` is not `a`.
    @Test func refusedContactsMoveToTheNewSession() {
        let busy = Rejection(.busy, "not now")
        var nowhere = RefusedContacts()
        let toss = Contact(component: "toss", gesture: .pointer, phase: .began, pointer: 1)
        for session in ["a", "ab"] { nowhere.insert(toss.of(session: session), busy) }
        var theater = Theater(.phone())
        theater.session.suppress(nowhere.remove(of: "a"))
        #expect(theater.pointer("toss", .changed, 1, 1, 1) == .suppressed(busy))
        #expect(theater.pointer("toss", .changed, 2, 1, 1).code == .outOfOrder)
        #expect(theater.pointer("toss", .ended, 1, 1, 1) == .suppressed(busy))
        #expect(theater.pointer("toss", .ended, 1, 1, 1).code == .outOfOrder)
        let rest = Contact(component: "toss", gesture: .pointer, phase: .changed, pointer: 1)
        #expect(nowhere.judge(rest.of(session: "a")) == nil)
        #expect(nowhere.judge(rest.of(session: "ab")) == busy)
    }

    /// An imported session may already have some when others move to it.
    @Test func aSessionKeepsItsOwnRefusedContacts() {
        let busy = Rejection(.busy, "not now")
        var nowhere = RefusedContacts()
        let toss = Contact(component: "toss", gesture: .pointer, phase: .began, pointer: 1)
        nowhere.insert(toss.of(session: "a"), busy)
        var theater = Theater(.phone())
        #expect(theater.pan("nowhere", .began, 1, 1).isReported)
        theater.session.suppress(nowhere.remove(of: "a"))
        #expect(!theater.pan("nowhere", .changed, 1, 1).isReported)
        #expect(theater.pointer("toss", .changed, 1, 1, 1) == .suppressed(busy))
        for number in 0..<64 { theater.pan("no-\(number)", .began, 1, 1) }
        theater.session.suppress(nowhere)
        #expect(!theater.pan("no-0", .changed, 1, 1).isReported)
    }

    /// 64 are remembered; the oldest is forgotten, so it is reported.
    @Test func theOldestIsForgotten() {
        var theater = Theater(.phone())
        for number in 0...64 { theater.pan("no-\(number)", .began, 1, 1) }
        #expect(theater.pan("no-0", .changed, 1, 1).isReported)
        #expect(!theater.pan("no-1", .changed, 1, 1).isReported)
        #expect(!theater.pan("no-64", .changed, 1, 1).isReported)
    }
}

@Suite struct OpenGestureTests {
    /// 3 s are 360 steps; each sample begins them anew.
    @Test(arguments: [("toss", "return began 0.45 ease-in-out"), ("tips", nil)])
    func threeSecondsOfSilenceCancel(component: String, told: String?) {
        var theater = Theater(.phone())
        theater.flush()
        theater.step(400)
        let index = component == "tips" ? 0 : 1
        theater.pan(component, .began, 160, 250)
        theater.step(200)
        theater.pan(component, .changed, 165, 250)
        theater.step(359)
        #expect(theater.pictures[index].phase == "dragging")
        theater.step()
        #expect(theater.pictures[index].phase == "returning")
        #expect(
            theater.told("transition/\(component)").last?.line == told
                ?? "present ended 0.3 ease-in-out")
        #expect(theater.pan(component, .changed, 165, 250).code == .outOfOrder)
    }

    @Test(arguments: ["toss", "tips"])
    func aNewBeganTakesOver(component: String) {
        var theater = Theater(.phone())
        theater.step(400)
        theater.pan(component, .began, 160, 250)
        theater.step(20)
        let before = theater.pictures
        #expect(theater.pan(component, .began, 120, 230) == .applied)
        let index = component == "tips" ? 0 : 1
        let name = component == "tips" ? "tip" : "item"
        #expect(theater.pictures[index].views[name] == before[index].views[name])
        #expect(theater.pan(component, .ended, 120, 230) == .applied)
        #expect(theater.pan(component, .ended, 120, 230).code == .outOfOrder)
    }
}
