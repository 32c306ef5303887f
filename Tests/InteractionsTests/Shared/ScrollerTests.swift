import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

/// A scroller of a viewport of 568 pt with a contact on it, on virtual time.
private struct Content {
    var scroller: Scroller
    /// Milliseconds; each sample is taken when the step before it is over.
    var now = 0.0

    init(_ bounds: ClosedRange<Double> = 0...1_000, extent: Double = 568, at offset: Double = 0) {
        scroller = Scroller(bounds: bounds, extent: extent, offset: offset)
    }

    var offset: Double { scroller.offset }

    @discardableResult
    mutating func drag(_ phase: Phase, by translation: Double) -> Bool {
        scroller.drag(
            ContentDrag(phase: phase, translation: translation),
            time: SampleTime(claimed: nil, received: now))
    }

    mutating func wait(_ milliseconds: Double) { now += milliseconds }

    /// A drag that began, one sample each 10 ms at these translations, and that has not ended.
    mutating func pull(_ translations: [Double]) {
        scroller.catchIt()
        drag(.began, by: 0)
        for translation in translations {
            wait(10)
            drag(.changed, by: translation)
        }
    }

    /// Steps until it rests, every offset on the way; nil where it does not within 10 s.
    mutating func coast() -> [Double]? {
        var path = [offset]
        for _ in 0..<1_200 {
            guard scroller.isCoasting else { return path }
            let before = offset
            let hasChanged = scroller.step()
            #expect(hasChanged == (offset != before))
            path.append(offset)
        }
        return nil
    }
}

@Suite struct ScrollerDragTests {
    @Test func insideTheContentFollowsTheContact() {
        var table = Content(at: 300)
        table.pull([-20, -50, 80])
        #expect(table.offset == 220)
        #expect(!table.scroller.isResting && !table.scroller.isCoasting)
    }

    /// Beyond an edge by x it shows d · (1 − 1/(1 + 0.55 · x/d)).
    @Test(arguments: [1, 40, 100, 568, 2_000] as [Double])
    func beyondAnEdgeTheRubberBandShows(x: Double) {
        let shown = 568 * (1 - 1 / (1 + 0.55 * x / 568))
        var top = Content()
        top.pull([x])
        #expect(abs(top.offset + shown) < 1e-9)
        var bottom = Content(at: 990)
        bottom.pull([-10 - x])
        #expect(abs(bottom.offset - 1_000 - shown) < 1e-9)
    }

    @Test func aDragReturnsWhetherTheOffsetChanged() {
        var table = Content(at: 300)
        var changes: [Bool] = []
        changes.append(table.drag(.began, by: 0))
        changes.append(table.drag(.changed, by: 5))
        changes.append(table.drag(.changed, by: 5))
        changes.append(table.drag(.ended, by: 5))
        #expect(changes == [false, true, false, false])
    }

    /// A recognizer that began with what was beyond its slop moves the content by that.
    @Test func aTranslationAtTheBeginningCounts() {
        var table = Content(at: 300)
        let changes = table.drag(.began, by: -4)
        #expect(changes)
        #expect(table.offset == 304)
    }

    /// A sample without a beginning is ignored, as after a client's own scroll event.
    @Test(arguments: [Phase.changed, .ended, .cancelled])
    func samplesWithoutABeginningArePassedOver(phase: Phase) {
        var table = Content(at: 300)
        table.pull([-10])
        table.scroller.set(400)
        let before = table.scroller
        let changes = table.drag(phase, by: -60)
        #expect(!changes)
        #expect(table.scroller == before && table.offset == 400)
    }

    @Test func aSecondBeginningStartsFromWhatIsShown() {
        var table = Content(at: 300)
        table.pull([-10, -40])
        table.drag(.began, by: 0)
        #expect(table.offset == 340)
        table.drag(.changed, by: -5)
        #expect(table.offset == 345)
    }
}

@Suite struct ScrollerReleaseTests {
    /// 0.75 · previous + 0.25 · latest velocity of what is shown: 0.75 · 1000 + 0.25 · 2000.
    @Test func theReleaseVelocityIsBlended() throws {
        var table = Content(0...100_000)
        table.pull([-5, -15])
        table.wait(10)
        table.drag(.ended, by: -35)
        #expect(table.scroller.isCoasting && table.offset == 35)
        _ = table.scroller.step()
        var coast = ScrollPhysics.Coast(offset: 35, velocity: 1_250)
        _ = ScrollPhysics.normal.advance(&coast, within: 0...100_000)
        #expect(abs(table.offset - coast.offset) < 1e-9)
    }

    /// Below 250 pt/s there is no fling.
    @Test(arguments: [(2.49, false), (2.51, true), (-2.49, false), (-2.51, true)])
    func slowReleasesDoNotFling(pointsPerSample: Double, flings: Bool) {
        var table = Content(at: 500)
        table.pull((1...5).map { Double($0) * pointsPerSample })
        let offset = table.offset
        table.drag(.ended, by: 5 * pointsPerSample)
        #expect(table.scroller.isCoasting == flings && table.offset == offset)
    }

    /// 0 when the last sample is more than 40 ms older than the end.
    @Test(arguments: [(40.0, true), (40.001, false)])
    func aContactThatRestedFlingsNothing(pause: Double, flings: Bool) {
        var table = Content()
        table.pull([-20, -40, -60])
        table.wait(pause)
        table.drag(.ended, by: -60)
        #expect(table.scroller.isCoasting == flings)
    }

    @Test func aCancelledContactFlingsNothing() {
        var table = Content()
        table.pull([-20, -40, -60])
        table.drag(.cancelled, by: -60)
        #expect(!table.scroller.isCoasting && table.offset == 60)
    }

    /// Beyond an edge a slow release bounces back, from rest and exactly onto the edge.
    @Test(arguments: [Phase.ended, .cancelled])
    func beyondAnEdgeItBouncesBack(phase: Phase) throws {
        var table = Content()
        table.pull([100])
        table.wait(200)
        table.drag(phase, by: 100)
        let shown = table.offset
        let coast = table.coast()
        let path = try #require(coast)
        for (a, b) in zip(path, path.dropFirst()) { #expect(b > a) }
        #expect(abs(path[12] - shown * 0.366_032_341_273_229_6) < 1e-9, "0.99 per ms over 100 ms")
        #expect(path.last == 0)
    }

    /// Flung against the edge at 3005 pt/s it peaks near 100 pt beyond it.
    @Test func aFlingPeaksBeyondTheEdgeAndComesBack() throws {
        var table = Content()
        table.scroller.release(at: -3_005)
        let coast = table.coast()
        let path = try #require(coast)
        let peak = try #require(path.min())
        #expect(abs(peak + 100) < 0.1)
        #expect(path.last == 0 && !table.scroller.isCoasting)
    }
}

@Suite struct ScrollerCatchTests {
    @Test func aTouchStopsAFlingWhereItIs() throws {
        var table = Content()
        table.scroller.release(at: 2_000)
        for _ in 0..<20 { _ = table.scroller.step() }
        let offset = table.offset
        table.scroller.catchIt()
        #expect(!table.scroller.isCoasting && table.offset == offset)
        let changed = table.scroller.step()
        #expect(!changed)
        table.scroller.lift()
        #expect(!table.scroller.isCoasting && table.offset == offset)
    }

    /// Beyond an edge it stays while it is held, and bounces back when the contact lifts.
    @Test func aBounceThatIsCaughtStaysUntilTheLift() throws {
        var table = Content()
        table.scroller.release(at: -3_005)
        for _ in 0..<12 { _ = table.scroller.step() }
        table.scroller.catchIt()
        let offset = table.offset
        #expect(offset < -90 && !table.scroller.isCoasting)
        table.scroller.lift()
        #expect(table.scroller.isCoasting)
        let coast = table.coast()
        let path = try #require(coast)
        for (a, b) in zip(path, path.dropFirst()) { #expect(b > a) }
        #expect(path.last == 0)
    }

    @Test func theLiftOfAContactThatDraggedChangesNothing() {
        var table = Content()
        table.pull([-20, -40, -60])
        table.drag(.ended, by: -80)
        let flung = table.scroller
        #expect(flung.isCoasting)
        table.scroller.lift()
        #expect(table.scroller == flung)
    }

    /// Caught anywhere, also farther out than the rubber band reaches, nothing jumps: not when the
    /// drag begins, and then by no more than the contact moves.
    @Test(arguments: 0..<64 as Range<UInt64>)
    func aCatchNeverJumps(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let size = random.whole(in: 0...2) == 0 ? 0 : random.unit() * 3_000
        var table = Content(0...size, extent: 100 + random.unit() * 900)
        for _ in 0..<12 {
            switch random.whole(in: 0...3) {
            case 0: table.scroller.set((random.unit() - 0.5) * 2e6)
            case 1: table.scroller.set((random.unit() - 0.5) * 4_000)
            default: break
            }
            table.scroller.release(at: (random.unit() - 0.5) * 40_000)
            for _ in 0..<random.whole(in: 0...60) { _ = table.scroller.step() }
            let caught = table.offset
            table.scroller.catchIt()
            #expect(table.offset == caught)
            let changes = table.drag(.began, by: 0)
            #expect(!changes && table.offset == caught, "seed \(seed)")
            var translation = 0.0
            for _ in 0..<10 {
                table.wait(8)
                let before = table.offset
                let move = random.unit() * 60 - 30
                translation += move
                table.drag(.changed, by: translation)
                let shown = before - table.offset
                let most = abs(move) + 1e-9 * abs(before)
                #expect(abs(shown) <= most && shown * move >= -1e-3, "seed \(seed)")
            }
            table.drag(random.whole(in: 0...1) == 0 ? .ended : .cancelled, by: translation)
        }
    }

    /// Moved to and fro the content is again where it was caught.
    @Test(arguments: [5, 99, 300, 454, 600, 1e6] as [Double])
    func theWayBackLeadsWhereItWasCaught(beyond: Double) {
        var table = Content()
        table.scroller.set(-beyond)
        table.pull([30, -200, 70, 0])
        #expect(abs(table.offset + beyond) < 1e-9 * max(1, beyond))
    }

    /// At 0.8 of the viewport the band is still the rule's own.
    @Test func aCaughtBounceFollowsTheSameBand() {
        var pulled = Content()
        pulled.pull([400, 450])
        var caught = Content()
        caught.pull([400])
        let shown = caught.offset
        caught.scroller.catchIt()
        caught.drag(.began, by: 0)
        #expect(caught.offset == shown)
        caught.drag(.changed, by: 50)
        #expect(abs(caught.offset - pulled.offset) < 1e-9)
    }
}

@Suite struct ScrollerRestTests {
    @Test func aClientsOwnOffsetStopsEverything() {
        var table = Content()
        table.scroller.release(at: 4_000)
        table.scroller.set(-30)
        #expect(!table.scroller.isCoasting && table.offset == -30)
        let changed = table.scroller.step()
        #expect(!changed && table.offset == -30)
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func everyReleaseRestsInsideWithinTenSeconds(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let size = random.whole(in: 0...2) == 0 ? 0 : random.unit() * 5_000
        var table = Content(0...size, at: (random.unit() - 0.5) * 8_000)
        var translation = 0.0
        table.scroller.catchIt()
        table.drag(.began, by: 0)
        for _ in 0..<random.whole(in: 0...20) {
            table.wait(random.unit() * 30)
            translation += (random.unit() - 0.5) * (random.whole(in: 0...9) == 0 ? 2e6 : 200)
            table.drag(.changed, by: translation)
            #expect(table.offset.isFinite)
        }
        table.wait(random.unit() * 120)
        table.drag(random.whole(in: 0...3) == 0 ? .cancelled : .ended, by: translation)
        guard let path = table.coast() else {
            Issue.record("seed \(seed) never rests")
            return
        }
        #expect(path.allSatisfy { $0.isFinite }, "seed \(seed)")
        #expect((0...size).contains(table.offset), "seed \(seed)")
    }
}
