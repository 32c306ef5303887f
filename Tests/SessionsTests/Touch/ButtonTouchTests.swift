import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// Contacts on a button that other components hold.
@Suite struct ButtonTouchTests {
    /// A toggle in the first row of a list.
    private func buttonInList() -> Theater {
        var parameters = ButtonParameters(viewport: .phone)
        parameters.isToggle = true
        var theater = Theater(
            NestedScene().with("list", ListParameters(rows: 100))
                .with("button", parameters, in: "list/row-0", frame: Rect(10, 10, 100, 60))
                .scene)
        theater.step(10)
        return theater
    }

    private func isOn(_ theater: Theater) -> Bool {
        theater.picture("button").fields["on"] == .flag(true)
    }

    private func offset(_ theater: Theater) -> Double {
        guard case .points(let offset) = theater.picture("list").fields["offset"] else {
            return .nan
        }
        return offset
    }

    @Test func aTapIsTheButtonsAndNotTheRows() {
        var theater = buttonInList()
        theater.touch(.began, 50, 40)
        #expect(theater.picture("button").phase == "highlighted")
        theater.step(6)
        theater.touch(.ended, 52, 42)
        #expect(isOn(theater) && theater.picture("button").phase == "resting")
        #expect(theater.picture("list").fields["selected"] == .null)
    }

    @Test func aScrollOfTheListTakesTheContact() {
        var theater = buttonInList()
        theater.drag(from: Vector(50, 40), to: Vector(50, 0))
        #expect(theater.picture("button").phase == "resting" && offset(theater) > 20)
        theater.touch(.ended, 50, 0)
        #expect(!isOn(theater))
    }

    /// After half a second the contact is the button's: the list does not scroll any more.
    @Test func aLongPressKeepsTheContact() {
        var theater = buttonInList()
        theater.touch(.began, 50, 40)
        theater.step(61)
        #expect(theater.picture("button").fields["recognizer"] == .text("longpress"))
        for step in 1...10 {
            theater.step()
            theater.touch(.changed, 50, 40 - 4 * Double(step))
        }
        #expect(offset(theater) == 0 && theater.picture("button").phase == "highlighted")
        theater.touch(.ended, 50, 0)
        theater.flush()
        #expect(!isOn(theater) && theater.picture("button").phase == "resting")
        #expect(theater.told("transition/button").count == 2)
    }

    @Test func aContactThatStopsAFlingPressesNothing() {
        var theater = buttonInList()
        theater.drag(from: Vector(50, 400), to: Vector(50, 480))
        theater.touch(.ended, 50, 480)
        theater.step(2)
        theater.drag(from: Vector(200, 480), to: Vector(200, 440))
        theater.touch(.ended, 200, 440)
        // The list is on its way, and its first row still shows.
        theater.step(2)
        let before = offset(theater)
        theater.step()
        #expect(offset(theater) != before)
        theater.touch(.began, 50, 40 - offset(theater))
        #expect(theater.hit == "button/button")
        #expect(theater.picture("button").phase == "resting")
        theater.step(2)
        theater.touch(.ended, 50, 40 - offset(theater))
        #expect(!isOn(theater))
    }

    /// An item that can be dragged takes the contact after ten points.
    @Test func anItemThatHoldsTheButtonTakesTheContact() throws {
        let card: Sheet = ["id": "card", "center": [160, 223], "size": [200, 200]]
        let world = try WorldParameters((["items": [card]] as Sheet).node)
        var theater = Theater(
            NestedScene().with("world", world)
                .with("button", ButtonParameters(viewport: .phone), in: "world/card").scene)
        theater.step(10)
        theater.touch(.began, 160, 223)
        #expect(theater.picture("button").phase == "highlighted")
        theater.touch(.ended, 160, 223)
        theater.flush()
        #expect(theater.told("transition/button").count == 2)
        theater.drag(from: Vector(160, 223), to: Vector(200, 223))
        #expect(theater.picture("button").phase == "resting")
        #expect(theater.picture("world").phase == "dragging")
        theater.touch(.ended, 200, 223)
        theater.flush()
        #expect(theater.told("transition/button").count == 2)
    }

    @Test func aPublishersGesturesReachTheButton() {
        var theater = buttonInList()
        let place = Vector(50, 40)
        #expect(theater.receive(.gesture(component: nil, .tap(.point(place)))) == .applied)
        #expect(isOn(theater))
        for phase in [Phase.began, .changed, .ended] {
            let press = LongPress(phase: phase, location: place)
            #expect(theater.receive(.gesture(component: nil, .longpress(press))) == .applied)
            #expect((theater.picture("button").phase == "highlighted") == (phase != .ended))
        }
    }
}
