import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// On a list a horizontal move is for the swipe; a tap waits for none.
@Suite struct PointerListTests {
    private func list() -> Theater {
        var theater = Theater(.single("list", .init(ListParameters(rows: 20))))
        theater.flush()
        return theater
    }

    /// A finger that lands at (200, `y`) and goes 60 pt aside in four steps.
    private func swipe(_ theater: inout Theater, _ pointer: Int, y: Double, by x: Double)
        -> [Session.Reception]
    {
        var receptions = [theater.pointer("list", .began, pointer, 200, y)]
        for number in 1...4 {
            theater.step()
            receptions.append(
                theater.pointer("list", .changed, pointer, 200 + x * Double(number) / 4, y))
        }
        return receptions
    }

    @Test(arguments: [(-60.0, "left"), (60, "right")])
    func aHorizontalMoveOpensTheRowThatItLandedOn(x: Double, direction: String) {
        var theater = list()
        #expect(swipe(&theater, 1, y: 150, by: x).allSatisfy { $0 == .applied })
        #expect(theater.picture("list").phase == "opening")
        #expect(theater.picture("list").fields["row"] == .whole(2))
        #expect(theater.picture("list").fields["direction"] == .text(direction))
        theater.step(60)
        #expect(theater.picture("list").phase == "open")
        // It lasts until the contact lifts.
        #expect(theater.picture("list").fields["recognizer"] == .text("swipe"))
        #expect(theater.pointer("list", .ended, 1, 0, 150) == .applied)
        #expect(theater.picture("list").fields["recognizer"] == nil)
        #expect(theater.picture("list").fields["selected"] == .null)
    }

    @Test func aTapSelectsTheRowThatItLandedOnAndIsNotDelayed() {
        var theater = list()
        theater.pointer("list", .began, 1, 100, 69)
        theater.pointer("list", .changed, 1, 100, 72)
        #expect(theater.picture("list").fields["selected"] == .null)
        theater.pointer("list", .ended, 1, 100, 72)
        #expect(theater.picture("list").fields["selected"] == .whole(0))
        #expect(theater.picture("list").fields["recognizer"] == nil)
    }

    @Test func aSwipeThatIsRefusedIsRefusedAtItsSample() {
        var theater = list()
        _ = swipe(&theater, 1, y: 150, by: 60)
        theater.pointer("list", .ended, 1, 260, 150)
        let before = theater.picture("list").fields
        let receptions = swipe(&theater, 1, y: 290, by: 60)
        let refused = receptions.filter { $0 != .applied }
        #expect(refused.count == 1 && refused.first?.code == .busy)
        #expect(theater.picture("list").fields == before)
        #expect(theater.pointer("list", .ended, 1, 260, 290).isReported == false)
    }

    /// The command has left the drag; its rest is refused once, and the next contact drags again.
    @Test func toTheTopEndsADrag() {
        var theater = list()
        theater.pointer("list", .began, 1, 160, 400)
        #expect(theater.pointer("list", .changed, 1, 160, 300) == .applied)
        #expect(theater.picture("list").fields["offset"] == .points(90))
        theater.command("list", "scroll-to-top")
        let changed = theater.pointer("list", .changed, 1, 160, 290)
        #expect(changed.code == .outOfOrder && changed.isReported)
        theater.step()
        #expect(theater.picture("list").fields["recognizer"] == nil)
        #expect(theater.picture("list").fields["offset"] == .points(0))
        #expect(theater.pointer("list", .ended, 1, 160, 290).isReported == false)
        theater.pointer("list", .began, 1, 160, 400)
        #expect(theater.pointer("list", .changed, 1, 160, 300) == .applied)
        #expect(theater.picture("list").fields["offset"] == .points(90))
    }
}
