import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// A panel and the list in it share one drag.
@Suite struct SharedDragTests {
    /// The slop of the pan that begins.
    private let slop = PanRecognizer.slopPoints

    /// Moves a finger in steps of so many points, and looks after each.
    private func move(
        _ theater: inout Theater, from start: Double, to end: Double, by part: Double = 7,
        look: (Double, Theater) -> Void = { _, _ in }
    ) {
        var place = start
        while place != end {
            place = end > place ? min(end, place + part) : max(end, place - part)
            theater.step()
            theater.touch(.changed, 160, place)
            look(place, theater)
        }
    }

    @Test(arguments: [1.0, 7, 60, 400])
    func oneStrokeLeadsFromThePanelIntoTheListAndBack(part: Double) {
        var theater = sheetWithList()
        theater.touch(.began, 160, 510)
        move(&theater, from: 510, to: 110, by: part) { finger, theater in
            let way = max(0, 510 - finger - slop)
            #expect((300 - position(theater) - min(way, 200)).magnitude < 1e-9, "\(finger)")
            #expect((offset(theater) - max(0, way - 200)).magnitude < 1e-9, "\(finger)")
        }
        #expect(position(theater) == 100 && (offset(theater) - 190).magnitude < 1e-9)
        #expect(theater.picture("sheet").fields["at"] == .text("high"))
        move(&theater, from: 110, to: 500, by: part) { finger, theater in
            let way = 510 - finger - slop
            #expect((300 - position(theater) - min(way, 200)).magnitude < 1e-9, "\(finger)")
            #expect((offset(theater) - max(0, way - 200)).magnitude < 1e-9, "\(finger)")
        }
        #expect((position(theater) - 300).magnitude < 1e-9 && offset(theater).magnitude < 1e-9)
        theater.touch(.ended, 160, 500)
        #expect(theater.stepsToRest() != nil)
        #expect(theater.picture("sheet").fields["at"] == .text("low"))
    }

    @Test func aFlingIsTheListsOnceItHasTheStroke() {
        var theater = sheetWithList()
        theater.touch(.began, 160, 510)
        move(&theater, from: 510, to: 200, by: 12)
        theater.touch(.ended, 160, 200)
        #expect(theater.picture("sheet").phase == "resting" && position(theater) == 100)
        let before = offset(theater)
        theater.step(30)
        #expect(offset(theater) > before + 100)
    }

    @Test func aFlingOfThePanelStaysThePanels() {
        var theater = sheetWithList()
        theater.touch(.began, 160, 510)
        move(&theater, from: 510, to: 400, by: 12)
        theater.touch(.ended, 160, 400)
        #expect(theater.stepsToRest() != nil)
        #expect(theater.picture("sheet").fields["at"] == .text("high") && offset(theater) == 0)
    }

    @Test func atTheListsTopAPullMovesThePanel() {
        var theater = sheetWithList(at: "high")
        theater.touch(.began, 160, 300)
        move(&theater, from: 300, to: 240)
        // It rests, so that the list does not fling.
        for _ in 0..<20 {
            theater.step()
            theater.touch(.changed, 160, 240)
        }
        theater.touch(.ended, 160, 240)
        #expect(theater.stepsToRest() != nil)
        let scrolled = offset(theater)
        #expect(scrolled > 10 && scrolled < 60 && position(theater) == 100)
        theater.touch(.began, 160, 200)
        move(&theater, from: 200, to: 450) { finger, theater in
            let way = finger - 200 - slop
            #expect((position(theater) - 100 - max(0, way - scrolled)).magnitude < 1e-9 || way < 0)
        }
        #expect(offset(theater) == 0 && position(theater) > 150)
        theater.touch(.ended, 160, 450)
        #expect(theater.stepsToRest() != nil)
        #expect(theater.picture("sheet").fields["at"] == .text("low"))
    }

    /// It reaches the first anchor: nothing lies beyond, and its rubber band stretches.
    @Test func beyondTheFirstAnchorThePanelStretches() {
        var theater = sheetWithList(at: "high")
        theater.touch(.began, 160, 150)
        move(&theater, from: 150, to: 560)
        #expect(position(theater) > 300 && position(theater) < 500 && offset(theater) == 0)
    }

    @Test func aSwipeOfARowIsNoDragOfThePanel() {
        var theater = sheetWithList()
        theater.touch(.began, 160, 400)
        for part in 1...6 {
            theater.step()
            theater.touch(.changed, 160 - 10 * Double(part), 400 - 6 * Double(part))
        }
        theater.touch(.ended, 100, 364)
        #expect(position(theater) == 300 && theater.picture("list").phase != "closed")
    }

    @Test func aTapSelectsARowWhereverThePanelStands() {
        var theater = sheetWithList()
        theater.touch(.began, 160, 320)
        theater.step(6)
        theater.touch(.ended, 160, 320)
        #expect(theater.picture("list").fields["selected"] == .whole(0))
    }

    /// Another finger drags the list that the first one has come to.
    @Test func aSecondFingerTakesTheListOver() {
        var theater = sheetWithList()
        theater.touch(.began, 160, 510)
        move(&theater, from: 510, to: 200)
        let before = offset(theater)
        theater.touch(.began, 200, 400, pointer: 2)
        for part in 1...10 {
            theater.step()
            theater.touch(.changed, 200, 400 - 10 * Double(part), pointer: 2)
        }
        #expect((offset(theater) - before - 90).magnitude < 1e-9)
        let taken = offset(theater)
        move(&theater, from: 200, to: 300)
        #expect(offset(theater) == taken, "the first one has let go")
    }

    @Test func asStrokeGoesOnInAnotherProcess() throws {
        func play(_ theater: inout Theater, moving isMoved: Bool) throws {
            theater.touch(.began, 160, 510)
            move(&theater, from: 510, to: 200)
            if isMoved {
                let session = theater.session
                theater.session = try Session(
                    session.state, id: "alice", scene: session.scene, frameRate: 60, key: 0,
                    continuing: .same)
            }
            move(&theater, from: 200, to: 450)
            theater.touch(.ended, 160, 450)
            theater.step(20)
        }
        var (one, other) = (sheetWithList(), sheetWithList())
        try play(&one, moving: false)
        try play(&other, moving: true)
        #expect(one.pictures == other.pictures)
    }
}
