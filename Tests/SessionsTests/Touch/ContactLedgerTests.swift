import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// `touches/<session>`: which contacts are down, and when that is told.
@Suite struct ContactLedgerTests {
    /// A session of one toss at rest, whose contacts are told.
    private func toss(_ interest: Channels = .all) -> Theater {
        var theater = Theater(
            .single("toss", .init(TossParameters(viewport: .phone))), interest: interest)
        _ = theater.session.tellTouches(true)
        theater.step(4)
        return theater
    }

    private func told(_ theater: Theater) -> [PointerNumber] {
        theater.log.touches.last?.contacts.map(\.pointer) ?? []
    }

    // MARK: Timelines

    @Test func nothingIsToldOfASessionThatNobodyTouches() {
        var theater = toss()
        theater.step(60)
        #expect(theater.log.touches.isEmpty)
        #expect(theater.log.frames.allSatisfy { $0.touches == nil })
        #expect(theater.session.toldTouches == nil)
        #expect(theater.session.nextWake(interest: .all) == nil)
    }

    @Test func contactsAreToldFromLandingToLifting() {
        var theater = toss()
        #expect(theater.contact(.began, 1, 10, 20) == .applied)
        #expect(theater.contact(.began, 2, 160, 223) == .applied)
        theater.step(2)
        #expect(told(theater) == [1, 2])
        theater.contact(.changed, 1, 12, 20)
        theater.step(2)
        #expect(theater.log.touches.last?.contacts[0].point == Vector(12, 20))
        theater.contact(.ended, 2, 160, 223)
        theater.step(2)
        #expect(told(theater) == [1])
        theater.contact(.cancelled, 1, 12, 20)
        theater.step(2)
        #expect(told(theater).isEmpty && theater.log.touches.last != nil)
        let count = theater.log.touches.count
        theater.step(60)
        #expect(theater.log.touches.count == count, "empty, once")
        #expect(theater.log.touches.map(\.stamp.seq) == Array(1...count))
    }

    /// A thousand samples a second are one update per frame.
    @Test func contactsAreToldOncePerFrame() {
        var theater = toss()
        theater.contact(.began, 1, 10, 20)
        var urgent = UpdateLog()
        for step in 0..<60 {
            for sample in 0..<8 { theater.contact(.changed, 1, Double(step * 8 + sample), 20) }
            theater.session.flush(to: .all, inFrame: false, into: &urgent)
            theater.step()
        }
        #expect(urgent.touches.isEmpty && theater.log.touches.count == 30)
    }

    @Test func aContactThatRestsIsToldOnce() {
        var theater = toss()
        theater.contact(.began, 1, 10, 20)
        theater.step(2)
        let (touches, frames) = (theater.log.touches.count, theater.log.frames.count)
        for _ in 0..<4 {
            theater.contact(.changed, 1, 10, 20)
            theater.step(60)
        }
        #expect(theater.log.touches.count == touches && theater.log.frames.count == frames)
        #expect(told(theater) == [1])
    }

    @Test func aContactThatFallsSilentIsLost() {
        var theater = toss()
        theater.contact(.began, 1, 10, 20)
        theater.step(100)
        theater.contact(.began, 2, 20, 20)
        theater.step(259)
        #expect(told(theater) == [1, 2])
        let wake = theater.session.nextWake(interest: .touches)
        #expect(wake.map { $0 - theater.session.clock } ?? .max <= 2)
        theater.step(2)
        #expect(told(theater) == [2])
        theater.step(100)
        #expect(told(theater).isEmpty)
        #expect(theater.session.nextWake(interest: .all) == nil)
    }

    @Test func aContactThatIsRefusedAtLandingIsNotTold() {
        var theater = Theater(.single("tabs", .init(TabsParameters.five)))
        _ = theater.session.tellTouches(true)
        theater.step(4)
        guard case .refused = theater.contact(.began, 1, -400, -400, on: "tabs") else {
            Issue.record("it lies beside the items")
            return
        }
        theater.contact(.changed, 1, -390, -400, on: "tabs")
        theater.step(2)
        #expect(theater.log.touches.isEmpty)
    }

    @Test func aSecondLandingOfANumberIsAnotherContact() {
        var theater = toss()
        theater.contact(.began, 1, 10, 20, user: "anna")
        theater.contact(.began, 2, 20, 20)
        theater.contact(.began, 1, 30, 20, user: "ben")
        theater.step(2)
        #expect(told(theater) == [2, 1])
        #expect(theater.log.touches.last?.contacts.map(\.user) == [nil, "ben"])
    }

    @Test func aPalmIsNoContactAndEndsOne() {
        var theater = toss()
        theater.contact(.began, 1, 10, 20)
        theater.contact(.began, 2, 20, 20, kind: .palm)
        theater.step(2)
        #expect(told(theater) == [1])
        theater.contact(.changed, 1, 10, 20, kind: .palm)
        theater.step(2)
        #expect(told(theater).isEmpty)
    }

    // MARK: What is known of a contact

    @Test func kindAndUserAreOfTheFirstSampleAndPressureOfTheLast() {
        var theater = toss()
        theater.contact(.began, 1, 10, 20, kind: .pen, user: "anna", pressure: 0.25)
        theater.contact(.changed, 1, 10, 20, pressure: 0.5)
        theater.step(2)
        let contact = theater.log.touches.last?.contacts.first
        #expect(contact?.kind == .pen && contact?.user == "anna" && contact?.pressure == 0.5)
        theater.contact(.changed, 1, 10, 20)
        theater.step(2)
        #expect(theater.log.touches.last?.contacts.first?.pressure == nil)
    }

    /// A component's own coordinates are led back to the viewport's, wherever it stands.
    @Test func pointsAreOfTheViewport() {
        var theater = Theater(NestedScene.listInTips.scene)
        _ = theater.session.tellTouches(true)
        theater.step(400)
        let index = theater.session.scene.components.firstIndex { $0.id == "list" } ?? 0
        guard let place = theater.session.coordinates(of: index) else {
            Issue.record("the list is nowhere")
            return
        }
        let own = place.apply(Vector(160, 300))
        #expect(own != Vector(160, 300))
        #expect(theater.contact(.began, 1, own.x, own.y, on: "list") == .applied)
        theater.step(2)
        let point = theater.log.touches.last?.contacts.first?.point ?? .zero
        #expect((point - Vector(160, 300)).length < 1e-9, "\(point)")
    }

    @Test func aColorIsThePublishersAndTheUsers() {
        let anna = ContactColor(publisher: 7, user: "anna", pointer: 1)
        #expect(anna == ContactColor(publisher: 7, user: "anna", pointer: 9 << 40))
        let colors = Set((0..<200).map { ContactColor(user: "user-\($0)").index })
        #expect(colors == Set(0..<10), "all are in use")
        let page = PointerNumber(123 << 20)
        #expect(ContactColor(pointer: page) == ContactColor(pointer: page + 99))
        #expect(Set(ContactColor.all).count == 10)
        // The same on every machine and in every run.
        let texts = ["anna", "ben", "carla"].map { ContactColor(user: $0).text }
        #expect(texts == ["#a3e635", "#8b5cf6", "#ec4899"])
    }

    // MARK: Frames, subscribers, and who wants none

    @Test func framesHaveTheSame() {
        var theater = toss()
        theater.contact(.began, 1, 10, 20)
        theater.step(2)
        #expect(theater.log.frames.last?.touches?.map(\.pointer) == [1])
        theater.contact(.ended, 1, 10, 20)
        theater.step(2)
        #expect(theater.log.frames.last?.touches == [])
        theater.session.answer(.frame)
        theater.step(6)
        #expect(theater.log.frames.last?.touches == [], "a whole frame says that none is down")
    }

    /// One message shows a finger and what hangs on it, also between two frames of the rate.
    @Test func aViewIsToldTogetherWithItsFinger() {
        var theater = toss()
        var count = 0
        theater.contact(.began, 1, 160, 223)
        theater.step(2)
        for x in stride(from: 170.0, to: 260, by: 10) {
            var urgent = UpdateLog()
            theater.contact(.changed, 1, x, 223)
            theater.session.flush(to: .all, inFrame: false, into: &urgent)
            guard let frame = urgent.frames.first else { continue }
            #expect(frame.touches?.first?.point == Vector(x, 223) && frame.states == ["toss"])
            count += 1
            theater.step(2)
            #expect(theater.log.frames.last?.touches?.first?.point != Vector(x, 223))
        }
        #expect(count > 5)
    }

    @Test func aSubscriptionIsAnsweredWithWhatIsDown() {
        var theater = toss()
        theater.session.answer(.touches)
        theater.flush()
        #expect(theater.log.touches.map(\.contacts.isEmpty) == [true])
        theater.contact(.began, 1, 10, 20)
        theater.step(2)
        theater.session.answer(.touches)
        theater.step(6)
        #expect(theater.log.touches.map(\.stamp.seq) == [1, 2, 2])
        #expect(told(theater) == [1])
    }

    @Test func whatIsTurnedOffTellsNothing() {
        var theater = Theater(.single("toss", .init(TossParameters(viewport: .phone))))
        theater.contact(.began, 1, 10, 20)
        theater.session.answer(.touches)
        theater.step(8)
        #expect(theater.log.touches.isEmpty)
        #expect(theater.log.frames.allSatisfy { $0.touches == nil })
        // A reload turns it on while a hand is down, and off again.
        let isToldOn = theater.session.tellTouches(true)
        theater.step(2)
        #expect(isToldOn && told(theater) == [1])
        let isToldOff = theater.session.tellTouches(false)
        #expect(isToldOff)
        theater.step(2)
        #expect(told(theater).isEmpty && theater.log.touches.count == 2)
        theater.contact(.changed, 1, 50, 20)
        theater.step(8)
        #expect(theater.log.touches.count == 2)
    }

    @Test func anotherSceneKeepsTheContactsOfWhatItKeeps() throws {
        var theater = Theater(.phone())
        _ = theater.session.tellTouches(true)
        theater.step(400)
        theater.contact(.began, 1, 10, 20)
        theater.contact(.began, 2, 160, 223, on: "toss")
        theater.contact(.began, 3, 20, 20, on: "list")
        theater.step(2)
        #expect(told(theater) == [1, 2, 3])
        var next = Scene.phone()
        next.components.removeAll { $0.id == "list" }
        try theater.session.become(next)
        theater.step(2)
        #expect(told(theater) == [1, 2])
        theater.contact(.changed, 2, 161, 223, on: "toss")
        theater.step(2)
        #expect(theater.log.touches.last?.contacts.last?.point.x == 161)
    }
}

extension Theater {
    /// A sample of a raw contact on the session's topic, or on a component's.
    @discardableResult
    fileprivate mutating func contact(
        _ phase: Phase, _ pointer: PointerNumber, _ x: Double, _ y: Double,
        on component: String? = nil, kind: PointerKind = .finger, user: String? = nil,
        pressure: Double? = nil
    ) -> Session.Reception {
        let sample = Pointer(
            phase: phase, pointer: pointer, location: Vector(x, y), kind: kind,
            pressure: pressure, user: user)
        return receive(.gesture(component: component, .pointer(sample)))
    }
}
