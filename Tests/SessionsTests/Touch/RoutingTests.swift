import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// Contacts and gestures on `gesture/<session>`, and who gets them.
@Suite struct RoutingTests {
    private func phase(_ component: String, _ theater: Theater) -> String {
        theater.picture(component).phase
    }

    private func recognizer(_ component: String, _ theater: Theater) -> String? {
        guard case .text(let name) = theater.picture(component).fields["recognizer"] else {
            return nil
        }
        return name
    }

    // MARK: A list in tips in a screen

    private func listInTips() -> Theater {
        var theater = Theater(NestedScene.listInTips.scene)
        theater.step(400)
        return theater
    }

    @Test func aVerticalDragScrollsTheInnermost() {
        var theater = listInTips()
        theater.drag(from: Vector(160, 300), to: Vector(160, 200))
        #expect(theater.hit == "list/row-3")
        #expect(recognizer("list", theater) == "scroll")
        #expect(phase("tips", theater) == "resting")
        #expect(recognizer("tips", theater) == nil)
        #expect(theater.touch(.ended, 160, 200) == .applied)
        #expect(phase("tips", theater) == "resting")
    }

    /// A pan begins at 10 points, a swipe at 50: the holder is first.
    @Test func aHorizontalDragTurnsTheTip() {
        var theater = listInTips()
        theater.drag(from: Vector(160, 300), to: Vector(40, 300))
        #expect(phase("tips", theater) == "dragging")
        #expect(recognizer("list", theater) == nil)
        #expect(phase("list", theater) == "closed")
        theater.touch(.ended, 40, 300)
        #expect(phase("tips", theater) == "leaving")
    }

    @Test func aTapReachesTheInnermost() {
        var theater = listInTips()
        theater.touch(.began, 160, 150)
        theater.step(3)
        theater.touch(.ended, 160, 150)
        #expect(theater.picture("list").fields["selected"] == .whole(0))
        #expect(phase("tips", theater) == "resting")
    }

    // MARK: Two fingers

    @Test func twoFingersOnTwoComponentsAreIndependent() {
        var theater = Theater(
            NestedScene().with("above", ListParameters(rows: 20), frame: Rect(0, 0, 320, 280))
                .with("below", ListParameters(rows: 20), frame: Rect(0, 288, 320, 280)).scene)
        theater.drag(from: Vector(100, 200), to: Vector(100, 150), pointer: 1)
        theater.drag(from: Vector(100, 500), to: Vector(100, 420), pointer: 2)
        #expect(recognizer("above", theater) == "scroll")
        #expect(recognizer("below", theater) == "scroll")
        #expect(theater.touch(.ended, 100, 150, pointer: 1) == .applied)
        #expect(recognizer("above", theater) == nil)
        #expect(recognizer("below", theater) == "scroll")
    }

    /// The list that holds a world loses both fingers of a pinch in it.
    @Test func aPinchTakesBothFingers() throws {
        let box: Sheet = ["id": "box", "center": [160, 35], "size": [300, 60]]
        let world = try WorldParameters((["items": [box]] as Sheet).node)
        var theater = Theater(
            NestedScene().with("list", ListParameters(rows: 20))
                .with("world", world, in: "list/row-0").scene)
        theater.touch(.began, 150, 35, pointer: 1)
        theater.touch(.began, 170, 35, pointer: 2)
        for distance in stride(from: 2.0, through: 60, by: 2) {
            theater.step()
            theater.touch(.changed, 150 - distance, 35, pointer: 1)
            theater.touch(.changed, 170 + distance, 35, pointer: 2)
        }
        #expect(recognizer("world", theater) == "pinch")
        for distance in stride(from: 4.0, through: 80, by: 4) {
            theater.step()
            theater.touch(.changed, 90, 35 + distance, pointer: 1)
        }
        #expect(recognizer("list", theater) == nil)
        #expect(recognizer("world", theater) == "pinch")
    }

    // MARK: Ends

    @Test func aContactWhoseSlotGoesIsCancelled() {
        var theater = Theater(
            NestedScene().with("tabs", TabsParameters.five)
                .with("toss", TossParameters(viewport: .phone), in: "tabs/page-home").scene)
        theater.drag(from: Vector(160, 223), to: Vector(200, 260))
        #expect(phase("toss", theater) == "dragging")
        theater.command("tabs", "select", index: 2)
        #expect(theater.touch(.changed, 210, 260) == .applied)
        #expect(phase("toss", theater) == "returning")
        #expect(theater.hit == "toss/item", "a later sample repeats the hit of its beginning")
        #expect(theater.touch(.ended, 210, 260) == .applied)
        #expect(theater.touch(.changed, 210, 260).code == .outOfOrder)
    }

    @Test func aContactOnNothingIsNoError() {
        var theater = Theater(
            NestedScene().with("toss", TossParameters(viewport: .phone)).scene)
        for phase in [Phase.began, .changed, .ended] {
            #expect(theater.touch(phase, 5, 5) == .applied)
            #expect(theater.hit == "nothing")
        }
        #expect(theater.touch(.ended, 5, 5).code == .outOfOrder)
    }

    @Test func aRefusedContactIsSuppressed() {
        var theater = Theater(
            NestedScene().with("list", ListParameters(rows: 20)).scene)
        theater.receive(
            .gesture(component: "list", .swipe(Swipe(direction: .left, target: .row(0)))))
        // The row opens: another swipe is busy.
        theater.touch(.began, 200, 100)
        var codes: [Bool] = []
        for x in stride(from: 190.0, through: 100, by: -10) {
            let reception = theater.touch(.changed, x, 100)
            if reception.code == .busy { codes.append(reception.isReported) }
        }
        #expect(codes.first == true && codes.dropFirst().allSatisfy { !$0 })
        #expect(theater.touch(.ended, 100, 100).isReported == false)
        #expect(theater.touch(.began, 200, 100) == .applied)
    }

    /// A contact that is silent for 3 s is lost, and its place is free.
    @Test func lostContactsMakeRoom() {
        var theater = Theater(
            NestedScene().with("toss", TossParameters(viewport: .phone)).scene)
        for pointer in 0..<Limits.routesMax {
            #expect(theater.touch(.began, 5, 5, pointer: pointer) == .applied)
        }
        #expect(theater.touch(.began, 5, 5, pointer: 99).code == .badValue)
        theater.step(361)
        #expect(theater.touch(.changed, 5, 5, pointer: 1).code == .outOfOrder)
        #expect(theater.touch(.began, 5, 5, pointer: 99) == .applied)
    }

    // MARK: Recognised gestures

    @Test func aRecognisedGestureGoesToTheInnermostThatKnowsIt() {
        var theater = listInTips()
        let pan = { (phase: Phase, x: Double) in
            Gesture.pan(Pan(phase: phase, location: Vector(x, 300)))
        }
        #expect(theater.receive(.gesture(component: nil, pan(.began, 160))) == .applied)
        #expect(theater.hit == "list/row-3")
        #expect(phase("tips", theater) == "dragging")
        #expect(theater.receive(.gesture(component: nil, pan(.ended, 160))) == .applied)
        let swipe = Swipe(direction: .left, target: .point(Vector(160, 300)))
        #expect(theater.receive(.gesture(component: nil, .swipe(swipe))) == .applied)
        #expect(phase("list", theater) == "opening")
        let tap = theater.receive(.gesture(component: nil, .tap(.row(1))))
        #expect(tap.code == .missingField)
    }

    @Test func aRecognisedGestureWhoseSlotGoesIsCancelled() {
        var theater = Theater(
            NestedScene().with("tabs", TabsParameters.five)
                .with("toss", TossParameters(viewport: .phone), in: "tabs/page-home").scene)
        func pan(_ phase: Phase) -> Session.Reception {
            let pan = Pan(phase: phase, location: Vector(160, 223))
            return theater.receive(.gesture(component: nil, .pan(pan)))
        }
        #expect(pan(.began) == .applied && phase("toss", theater) == "dragging")
        theater.command("tabs", "select", index: 2)
        #expect(pan(.changed) == .applied && phase("toss", theater) == "returning")
        #expect(pan(.changed) == .applied && theater.hit == "toss/item")
        #expect(pan(.ended) == .applied && pan(.changed).code == .outOfOrder)
    }

    /// A series of a wheel stays with what it began on.
    @Test func aWheelScrollsOneListForItsWholeSeries() {
        var theater = Theater(
            NestedScene().with("above", ListParameters(rows: 20), frame: Rect(0, 0, 320, 280))
                .with("below", ListParameters(rows: 20), frame: Rect(0, 288, 320, 280)).scene)
        func wheel(_ y: Double) -> Session.Reception {
            let wheel = Wheel(delta: Vector(0, 10), location: Vector(100, y))
            return theater.receive(.gesture(component: nil, .wheel(wheel)))
        }
        func offsets() -> [Picture.Value?] {
            ["above", "below"].map { theater.picture($0).fields["offset"] }
        }
        #expect(wheel(100) == .applied)
        theater.step(18)
        #expect(wheel(400) == .applied && theater.hit == "above/row-1")
        #expect(offsets() == [.points(20), .points(0)])
        theater.step(19)
        #expect(wheel(400) == .applied && offsets() == [.points(20), .points(10)])
    }

    @Test func aGestureThatNobodyKnowsIsRefused() {
        var theater = listInTips()
        let pinch = Pinch(phase: .began, location: Vector(160, 300), scale: 1)
        let first = theater.receive(.gesture(component: nil, .pinch(pinch)))
        #expect(first.code == .unknownGesture && first.isReported)
        var later = pinch
        later.phase = .changed
        #expect(theater.receive(.gesture(component: nil, .pinch(later))).isReported == false)
    }

    /// A component gets points in its own coordinates.
    @Test func aComponentHearsOfItsOwnCoordinates() {
        var theater = Theater(
            NestedScene().with(
                "navigation", NavigationParameters(root: "home"),
                frame: Rect(20, 100, 280, 400)
            )
            .with(
                "list", ListParameters(rows: 20), in: "navigation/home",
                frame: Rect(10, 30, 200, 300)
            ).scene)
        theater.touch(.began, 40, 100 + 30 + 75)
        theater.touch(.ended, 40, 100 + 30 + 75)
        #expect(theater.picture("list").fields["selected"] == .whole(1))
        #expect(theater.hit == "list/row-1")
    }

    @Test func theTimeOfTheNewestSampleIsTold() {
        var theater = Theater(
            NestedScene().with("toss", TossParameters(viewport: .phone)).scene)
        theater.touch(.began, 160, 223, time: 1_700_000_000_001.5)
        #expect(theater.session.notes(of: 0).input == 1_700_000_000_001.5)
        theater.touch(.changed, 160, 223)
        #expect(theater.session.notes(of: 0).input == 1_700_000_000_001.5)
    }
}
