import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Which row an event means, what is selected, how the list is scrolled, and what is refused.
@Suite struct ListPlaceTests {
    /// row = ⌊(y + offset)/70⌋, its top edge row·70 − offset.
    @Test(
        arguments: [
            (0, 0, 0), (69.999, 0, 0), (70, 0, 1), (567, 0, 8), (0, 69.999, 0), (0, 70, 1),
            (30, 1_000, 14), (399.999, 1_000, 19), (-5, 10, 0), (100, -30, 1), (-1_000, 1_400, 5),
        ] as [(Double, Double, Int)])
    func aPointIsOnARow(y: Double, offset: Double, row: Int) throws {
        var stage = listStage()
        try stage.scroll(.began, offset)
        try stage.swipe(.left, 0, y)
        #expect(stage.row == row)
        let isShown = row < 20 && Double(row + 1) * 70 > offset && Double(row) * 70 < offset + 568
        let center = Vector(160, Double(row) * 70 - offset + 35)
        #expect(stage.rowView?.center == (isShown ? center : nil))
        #expect(stage.menu?.center == center)
        stage.step(24)
        try stage.tap(320, y)
        #expect(stage.selected == row)
    }

    @Test(
        arguments: [
            (-0.001, 10, 0), (320.001, 10, 0), (100, -0.001, 0), (100, 10, -10.001),
            (100, 1_400, 0), (100, 400, 1_000), (1_000_000, 10, 0), (-1_000_000, 10, 0),
            (100, 1_000_000, 1_000_000), (100, -1_000_000, 0),
        ] as [(Double, Double, Double)], ListStage.phases)
    func besideTheRowsThereIsNothing(
        place: (x: Double, y: Double, offset: Double), phase: String
    ) throws {
        var stage = try ListStage.inPhase(phase) { try $0.scroll(.began, place.offset) }
        let before = stage.machine
        let tap = refusal { () throws(Rejection) in try stage.tap(place.x, place.y) }
        let swipe = refusal { () throws(Rejection) in try stage.swipe(.left, place.x, place.y) }
        #expect(tap == .badValue && swipe == .badValue && stage.machine == before)
    }

    @Test(arguments: [-1, 20, Int.max, Int.min], ListStage.phases)
    func aRowIsOneOfTheRows(row: Int, phase: String) throws {
        var stage = try ListStage.inPhase(phase)
        let before = stage.machine
        let tap = refusal { () throws(Rejection) in try stage.tap(row: row) }
        let swipe = refusal { () throws(Rejection) in try stage.swipe(.right, row: row) }
        #expect(tap == .badValue && swipe == .badValue && stage.machine == before)
    }

    @Test func withoutRowsThereIsNothing() throws {
        var stage = listStage(rows: 0)
        #expect(refusal { () throws(Rejection) in try stage.tap(row: 0) } == .badValue)
        #expect(refusal { () throws(Rejection) in try stage.swipe(.left, 0, 0) } == .badValue)
        try stage.command("scroll-to-top")
        #expect(stage.phase == "closed")
    }

    @Test(arguments: [Direction.up, .down], ListStage.phases)
    func aRowOpensToTheSides(direction: Direction, phase: String) throws {
        var stage = try ListStage.inPhase(phase)
        let before = stage.machine
        let row = refusal { () throws(Rejection) in try stage.swipe(direction, row: 3) }
        let point = refusal { () throws(Rejection) in try stage.swipe(direction, 10, 10) }
        #expect(row == .badValue && point == .badValue && stage.machine == before)
    }

    @Test(arguments: ListStage.phases)
    func unknownCommandsAndGesturesAreRefused(phase: String) throws {
        var stage = try ListStage.inPhase(phase)
        let before = stage.machine
        #expect(refusal { () throws(Rejection) in try stage.command("reset") } == .unknownCommand)
        #expect(refusal { () throws(Rejection) in try stage.command("open") } == .unknownCommand)
        #expect(refusal { () throws(Rejection) in try stage.pan(.began, 9, 9) } == .unknownGesture)
        let indexed = refusal { () throws(Rejection) in try stage.gesture(.tap(.index(1))) }
        #expect(indexed == .missingField && stage.machine == before)
    }

    // MARK: Selecting

    @Test(
        arguments: [
            ("closed", "closed"), ("opening", "opening"), ("open", "closing"),
            ("closing", "closing"),
        ])
    func aTapSelectsInEveryPhase(phase: String, after: String) throws {
        var stage = try ListStage.inPhase(phase)
        let mark = stage.told.count
        let shown = stage.picture.views
        try stage.tap(row: 7)
        #expect(stage.selected == 7 && stage.phase == after && stage.needsPublish)
        #expect(stage.picture.views == shown)
        #expect(
            stage.lines(since: mark).map { $0.split(separator: " ")[0] }
                == ["select", "select"] + (phase == "open" ? ["close"] : []))
        stage.step(100)
        try stage.tap(row: 7)
        #expect(stage.selected == 7)
        try stage.tap(100, 0)
        #expect(stage.selected == 0)
    }

    /// A tap is told each time that it comes.
    @Test func theSelectedRowAgainChangesNothing() throws {
        var stage = listStage()
        try stage.tap(row: 7)
        let before = stage.machine
        try stage.tap(row: 7)
        #expect(stage.machine == before && !stage.needsPublish && stage.told.count == 4)
    }

    @Test func aSwipeSelectsNothing() throws {
        let stage = try ListStage.inPhase("open")
        #expect(stage.field("selected") == .null)
    }

    // MARK: Scrolling

    @Test(arguments: ListStage.phases)
    func everySampleOfAScrollSetsTheOffset(phase: String) throws {
        var stage = try ListStage.inPhase(phase)
        for (sample, offset) in [
            (Phase.began, 12.5), (.changed, 80), (.changed, -40), (.ended, 1_000),
            (.began, 7), (.cancelled, 90),
        ] {
            try stage.scroll(sample, offset)
            #expect(stage.offset == offset && stage.needsPublish)
            if phase == "closed" { continue }
            // Row 3 is in sight unless the list is scrolled beyond it.
            #expect(stage.menu?.center.y == 245 - offset)
            #expect(stage.rowView?.center.y == (offset < 280 ? 245 - offset : nil))
        }
        try stage.scroll(.began, 90)
        #expect(stage.needsPublish == false)
    }

    @Test(arguments: ListStage.phases, [Phase.changed, .ended, .cancelled])
    func nothingGoesOnThatDidNotBegin(phase: String, sample: Phase) throws {
        var stage = try ListStage.inPhase(phase)
        let before = stage.machine
        let code = refusal { () throws(Rejection) in try stage.scroll(sample, 10) }
        #expect(code == .outOfOrder && stage.machine == before)
        try stage.scroll(.began, 5)
        try stage.scroll(sample == .changed ? .ended : sample, 6)
        let after = stage.machine
        let over = refusal { () throws(Rejection) in try stage.scroll(sample, 10) }
        #expect(over == .outOfOrder && stage.machine == after && stage.offset == 6)
    }

    /// 3 s of silence end an open scroll; what it showed stays.
    @Test func aSilentScrollIsCancelled() throws {
        var stage = listStage()
        try stage.scroll(.began, 5)
        stage.step(300)
        try stage.scroll(.changed, 6)
        stage.step(359)
        try stage.scroll(.changed, 7)
        stage.step(359)
        #expect(stage.machine.nextTimer == stage.now + 1)
        stage.step(1)
        #expect(stage.machine.nextTimer == nil && stage.offset == 7 && stage.told.isEmpty)
        let code = refusal { () throws(Rejection) in try stage.scroll(.changed, 8) }
        #expect(code == .outOfOrder && stage.offset == 7)
    }

    @Test func aSecondBeganStartsANewScroll() throws {
        var stage = listStage()
        try stage.scroll(.began, 5)
        stage.step(200)
        try stage.swipe(.left, row: 1)
        stage.step(24)
        try stage.scroll(.changed, 6)
        #expect(stage.phase == "open")
        stage.step(300)
        try stage.scroll(.began, 9)
        #expect(stage.phase == "closing")
        stage.step(359)
        try stage.scroll(.ended, 10)
        #expect(stage.phase == "closed" && stage.offset == 10)
    }

    @Test func aScrollAndARowEndEachAtItsTime() throws {
        var stage = listStage()
        try stage.scroll(.began, 5)
        stage.step(350)
        try stage.swipe(.left, row: 1)
        stage.step(10)
        #expect(stage.phase == "opening")
        #expect(refusal { () throws(Rejection) in try stage.scroll(.ended, 8) } == .outOfOrder)
        stage.step(14)
        #expect(stage.phase == "open" && stage.machine.nextTimer == nil)
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func everythingEndsWhateverHappens(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stage = listStage(rows: 5) {
            $0.style = seed % 2 == 0 ? .push : .reveal
            if seed % 8 == 0 { $0.duration = 0 }
        }
        for _ in 0..<120 {
            let before = stage.machine
            let kind = random.whole(in: 0...8)
            let row = random.whole(in: -1...5)
            let place = Vector(random.unit() * 400 - 40, random.unit() * 568)
            let direction = Direction.allCases[random.whole(in: 0...3)]
            let sample = Phase.allCases[random.whole(in: 0...3)]
            let code = refusal { () throws(Rejection) in
                switch kind {
                case 0: try stage.swipe(direction, row: row)
                case 1: try stage.swipe(direction, place.x, place.y)
                case 2: try stage.tap(row: row)
                case 3: try stage.tap(place.x, place.y)
                case 4: try stage.scroll(sample, place.x)
                case 5: try stage.drag(sample, place.x)
                case 6: stage.touch(.down(place))
                case 7: stage.touch(.up)
                default: try stage.command(row % 2 == 0 ? "action" : "scroll-to-top")
                }
            }
            if code != nil { #expect(stage.machine == before, "seed \(seed)") }
            stage.step(random.whole(in: 0...30))
            let isClosed = stage.phase == "closed"
            #expect(stage.picture.isFinite && (stage.menu == nil) == isClosed, "seed \(seed)")
            #expect((stage.row == nil) == isClosed && (stage.direction == nil) == isClosed)
            let isHidden = stage.rowView == nil
            #expect(stage.rowX.magnitude <= (isHidden ? 1_000 : 320), "seed \(seed)")
        }
        stage.touch(.up)
        let rest = stage.steps { !$0.machine.isMoving && $0.machine.nextTimer == nil }
        #expect(rest != nil, "seed \(seed) never rests")
        #expect(["closed", "open"].contains(stage.phase))
    }
}
