import Foundation
import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// The view while a finger holds it.
@Suite struct TossDragTests {
    /// The touched point in the view's own coordinates, and where that point is now.
    private struct Grip {
        var offset: Vector

        init(_ item: ViewState, at finger: Vector) {
            let d = finger - item.center
            let (s, c) = (sin(-item.rotation), cos(-item.rotation))
            offset = Vector(d.x * c - d.y * s, d.x * s + d.y * c)
        }

        func place(in item: ViewState) -> Vector {
            let (s, c) = (sin(item.rotation), cos(item.rotation))
            return item.center + Vector(offset.x * c - offset.y * s, offset.x * s + offset.y * c)
        }
    }

    /// Caught anywhere and turned by any angle it hangs on the finger by the point it was touched.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func theTouchedPointStaysUnderTheFinger(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stage = tossStage(seed: seed)
        try stage.fling(Vector(0, 1_100))
        stage.step(random.whole(in: 1...90))
        let caught = try #require(stage.item)
        var finger = caught.center + Vector(random.unit() * 200 - 100, random.unit() * 140 - 70)
        let grip = Grip(caught, at: finger)
        try stage.pan(.began, finger.x, finger.y)
        #expect(stage.item == caught, "seed \(seed): the view jumps")
        for _ in 0..<60 {
            finger += Vector(random.unit() * 16 - 8, random.unit() * 16 - 8)
            try stage.pan(.changed, finger.x, finger.y)
            stage.step()
            let item = try #require(stage.item)
            #expect((grip.place(in: item) - finger).length < 1, "seed \(seed)")
        }
    }

    @Test func theMarksShowTheGrip() throws {
        var stage = tossStage()
        #expect(stage.picture.names == ["item"])
        try stage.pan(.began, 100, 180)
        stage.step(3)
        try stage.pan(.changed, 120, 230)
        #expect(stage.needsPublish)
        #expect(stage.picture.names == ["item", "touch", "anchor"])
        let mark = Size(8, 8)
        #expect(stage.view("touch") == ViewState(center: Vector(100, 180), size: mark, z: 1))
        #expect(stage.view("anchor") == ViewState(center: Vector(120, 230), size: mark, z: 2))
        try stage.pan(.ended, 120, 230, velocity: .zero)
        #expect(stage.picture.names == ["item"])
    }

    @Test func catchingCancelsTheFlight() throws {
        var stage = try TossStage.inPhase("thrown")
        let mark = stage.told.count
        let place = stage.item
        try stage.pan(.began, 250, 240)
        #expect(stage.phase == "dragging" && stage.item == place)
        #expect(stage.lines(since: mark) == ["toss cancelled 0.4"])
        stage.step(48)
        // The pending return went with it.
        #expect(stage.phase == "dragging")
    }

    /// The body loses its velocity with its behaviors: held in its middle it stands still.
    @Test func caughtInItsMiddleItStandsStill() throws {
        var stage = try TossStage.inPhase("thrown")
        let caught = try #require(stage.item)
        try stage.pan(.began, caught.center.x, caught.center.y)
        stage.step(30)
        #expect(stage.item?.center == caught.center && stage.item?.rotation == caught.rotation)
    }

    @Test func catchingCancelsTheReturn() throws {
        var stage = try TossStage.inPhase("returning")
        let mark = stage.told.count
        let place = stage.item
        try stage.pan(.began, 160, 223)
        #expect(stage.item == place)
        #expect(stage.lines(since: mark) == ["return cancelled 0.45 ease-in-out"])
    }

    /// A new began cancels the open gesture and takes the view where it is.
    @Test func aSecondFingerTakesOver() throws {
        var stage = try TossStage.inPhase("dragging")
        let place = stage.item
        try stage.pan(.began, 100, 190)
        #expect(stage.phase == "dragging" && stage.item == place)
        #expect(stage.view("touch")?.center == Vector(100, 190))
    }

    @Test func threeSecondsOfSilenceLetItGo() throws {
        var stage = try TossStage.inPhase("dragging")
        try stage.pan(.changed, 170, 250, velocity: Vector(5_000, 0))
        stage.step(359)
        #expect(stage.phase == "dragging")
        stage.step()
        #expect(stage.phase == "returning")
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func everyStrokeComesHome(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stage = tossStage(seed: seed)
        for _ in 0..<4 {
            func finger() -> (Double, Double) {
                let reach = [50.0, 400, 1_000_000][random.whole(in: 0...2)]
                return ((random.unit() - 0.5) * 2 * reach, (random.unit() - 0.5) * 2 * reach)
            }
            let start = finger()
            try stage.pan(.began, start.0, start.1)
            for _ in 0..<random.whole(in: 0...12) {
                stage.step(random.whole(in: 0...5))
                let next = finger()
                try stage.pan(.changed, next.0, next.1)
                #expect(stage.picture.isFinite, "seed \(seed)")
            }
            let end = finger()
            try stage.pan(.ended, end.0, end.1)
            stage.step(random.whole(in: 0...120))
        }
        #expect(stage.steps { $0.phase == "resting" } ?? 999 <= 48 + 54, "seed \(seed)")
        #expect(stage.item?.center == tossHome && stage.item?.rotation == 0)
    }
}
