import Geometry
import Gestures
import Notation
import TestSupport
import Testing

@testable import Interactions

/// A wheel on the fifth of ten pages. 120 points show 59.1 beyond an edge; header and footer are
/// 55 high.
@Suite struct ReaderWheelTests {
    /// A reader like those of the stages, from a document.
    private func decoded(_ node: Node) throws -> Reader {
        var parameters = ReaderParameters(pages: .count(10), viewport: .phone)
        parameters.start = 4
        return try parameters.decode(Reader.self, node)
    }

    private func band(_ pull: Double) -> Double { 568 * (1 - 1 / (1 + 0.55 * pull / 568)) }

    @Test func withoutPhasesItPullsThroughTheRubberBand() throws {
        var stage = readerStage()
        try stage.wheel(40)
        #expect(isNear(stage.offset, band(40)) && stage.phase == "dragging" && stage.needsPublish)
        try stage.wheel(40)
        #expect(isNear(stage.offset, band(80)))
        try stage.wheel(-100)
        #expect(isNear(stage.offset, -band(20)) && stage.told.isEmpty)
        stage.step(17)
        #expect(stage.phase == "dragging" && isNear(stage.offset, -band(20)))
        stage.step()
        #expect(stage.phase == "returning" && stage.machine.isMoving)
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.offset == 0 && stage.machine.nextTimer == nil && stage.told.isEmpty)
    }

    @Test(arguments: [(120.0, "footer", "page began 4→5"), (-120, "header", "page began 4→3")])
    func theEndOfASeriesPagesWhereItHasLoaded(way: Double, bar: String, page: String) throws {
        var stage = readerStage()
        try stage.wheel(way / 2)
        stage.step(17)
        try stage.wheel(way / 2)
        #expect(stage.lines(since: 0) == ["\(bar)-loaded began 0.2 ease-in-out"])
        let mark = stage.told.count
        stage.step(17)
        #expect(stage.phase == "dragging" && stage.told.count == mark)
        stage.step()
        #expect(stage.phase == "paging")
        #expect(stage.lines(since: mark) == ["\(page) 0.2 ease-in-out"])
        stage.step(24)
        #expect(stage.phase == "resting" && stage.machine.saved.index == (way > 0 ? 5 : 3))
    }

    /// A client may have put it near the band's limit, the page's height, or beyond.
    @Test(arguments: [0.0, 100, 500, 560, 567.9, 900, -560, -900], [Phase.began, nil])
    func noWheelDragsItBeyondTheBandsLimit(offset: Double, phase: Phase?) throws {
        var stage = readerStage()
        try stage.pull(to: offset)
        let (limit, sign) = (max(568, abs(offset)), offset < 0 ? -1.0 : 1)
        for (number, way) in [10.0, 100, 5_000, 1_000_000].enumerated() {
            try stage.wheel(sign * way, number == 0 ? phase : phase == nil ? nil : .changed)
            #expect(abs(stage.offset) <= limit, "by \(way)")
        }
        // It was dragged as far as the band goes, and comes back.
        #expect(abs(stage.offset) >= abs(offset))
        let before = abs(stage.offset)
        try stage.wheel(-sign * 100, phase == nil ? nil : .changed)
        #expect(abs(stage.offset) < before)
    }

    @Test func withPhasesTheEndPages() throws {
        var stage = readerStage()
        try stage.wheel(0, .began)
        #expect(stage.phase == "dragging" && stage.offset == 0)
        try stage.wheel(100, .changed)
        stage.step(300)
        #expect(stage.phase == "dragging" && isNear(stage.offset, band(100)))
        try stage.wheel(20, .ended)
        #expect(stage.phase == "paging")
    }

    @Test func cancelledItSpringsBack() throws {
        var stage = readerStage()
        try stage.wheel(150, .began)
        try stage.wheel(0, .cancelled)
        #expect(stage.phase == "returning" && isNear(stage.offset, band(150)))
        #expect(stage.lines(since: 1).last == "footer-unloaded began 0.2 ease-in-out")
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.machine.saved.index == 4)
    }

    /// Three seconds of silence cancel: no page comes in.
    @Test func silenceCancelsASeriesWithPhases() throws {
        var stage = readerStage()
        try stage.wheel(150, .began)
        stage.step(359)
        #expect(stage.phase == "dragging")
        stage.step()
        #expect(stage.phase == "returning" && stage.machine.saved.index == 4)
    }

    @Test(arguments: [(0, -300.0), (9, 300)])
    func atAnEndThereIsNothingToLoad(start: Int, way: Double) throws {
        var stage = readerStage(start: start)
        try stage.wheel(way)
        #expect(isNear(stage.offset, way < 0 ? -band(300) : band(300)))
        stage.step(18)
        #expect(stage.phase == "returning" && stage.told.isEmpty)
    }

    @Test func noWheelPullsAWholePage() throws {
        var stage = readerStage()
        for _ in 0..<100 { try stage.wheel(1_000_000) }
        #expect(stage.offset < 568 && isNear(stage.offset, band(1_000_000)))
        #expect(stage.machine.isSound(viewport: .phone, tracker: .uikit))
        try stage.wheel(-1_000_000)
        #expect(isNear(stage.offset, 0))
    }

    @Test func whilePagingItIsBusy() throws {
        var stage = try ReaderStage.inPlace("paging")
        let before = stage.machine
        for phase in [nil, .began, .changed, .ended] as [Phase?] {
            let code = refusal { () throws(Rejection) in try stage.wheel(9, phase) }
            #expect(code == .busy && stage.machine == before)
        }
    }

    /// Momentum pulls nothing, whatever the reader does; it is not refused either.
    @Test(arguments: ReaderStage.places)
    func momentumIsPassedOver(place: String) throws {
        var stage = try ReaderStage.inPlace(place)
        let before = stage.machine
        for phase in [nil, .began, .changed, .ended] as [Phase?] {
            try stage.wheel(200, phase, isMomentum: true)
        }
        try stage.wheel(0, dx: 90)
        #expect(stage.machine == before && !stage.needsPublish)
    }

    /// It loads a neighbour, which comes in at once; what is left of it moves nothing.
    @Test func momentumWithinASeriesBelongsToIt() throws {
        var stage = readerStage()
        try stage.wheel(50, .began)
        try stage.wheel(70, .began, isMomentum: true)
        #expect(isNear(stage.offset, band(120)) && stage.phase == "paging")
        try stage.wheel(30, .changed, isMomentum: true)
        try stage.wheel(0, .ended, isMomentum: true)
        stage.step(24)
        #expect(stage.phase == "resting" && stage.machine.saved.index == 5)
    }

    @Test func itTakesUpWhateverMovesThePage() throws {
        var returning = try ReaderStage.inPlace("returning")
        let offset = returning.offset
        try returning.wheel(0, .began)
        #expect(returning.phase == "dragging" && returning.offset == offset)
        var scrolled = try ReaderStage.inPlace("dragging")
        try scrolled.wheel(0, .began)
        #expect(isNear(scrolled.offset, 40))
        let code = refusal { () throws(Rejection) in try scrolled.scroll(.changed, 9) }
        #expect(code == .outOfOrder)
        let busy = refusal { () throws(Rejection) in try scrolled.command("next") }
        #expect(busy == .busy)
    }

    @Test func aContactThatDragsRefusesIt() throws {
        var stage = try ReaderStage.inPlace("gripped")
        let before = stage.machine
        for phase in [nil, Phase.began] {
            let code = refusal { () throws(Rejection) in try stage.wheel(9, phase) }
            #expect(code == .busy && stage.machine == before)
        }
        let code = refusal { () throws(Rejection) in try stage.wheel(9, .changed) }
        #expect(code == .outOfOrder)
    }

    /// A contact that drags takes the page over, and so does a client's scroll.
    @Test func othersEndItsSeries() throws {
        for phase in [nil, Phase.began] {
            var stage = readerStage()
            try stage.wheel(60, phase)
            stage.touch(.down(middle))
            #expect(isNear(stage.offset, band(60)) && stage.phase == "dragging")
            try stage.drag(.began, 0)
            #expect(isNear(stage.offset, band(60)) && stage.machine.nextTimer == nil)
            var scrolled = readerStage()
            try scrolled.wheel(60, phase)
            try scrolled.scroll(.began, 3)
            let code = refusal { () throws(Rejection) in try scrolled.wheel(60, .ended) }
            #expect(code == .outOfOrder && scrolled.offset == 3)
        }
    }

    @Test(arguments: [nil, Phase.began])
    func inTheMidstOfASeriesItIsEncodedAndGoesOn(phase: Phase?) throws {
        var stage = readerStage()
        try stage.wheel(-140, phase)
        let back = try decoded(Node(encoding: stage.machine))
        #expect(back == stage.machine && back.nextTimer == stage.machine.nextTimer)
        #expect(back.isSound(viewport: .phone, tracker: .uikit))
    }

    /// A page that a wheel pulls without a series would never be let go.
    @Test func aPullWithoutASeriesIsNotSound() throws {
        var stage = readerStage()
        try stage.wheel(60)
        let pulled = Node(encoding: stage.machine)
        let gripped = pulled.changed("state.dragging._0") { pull in
            Node(.object((pull.members ?? []).map { Node.Member("contact", $0.value) }))
        }
        #expect(try decoded(pulled).isSound(viewport: .phone, tracker: .uikit))
        #expect(try !decoded(gripped).isSound(viewport: .phone, tracker: .uikit))
        let resting = pulled.changed("state.dragging._0.wheel._0.state") { _ in
            Node(.object([Node.Member("resting", Node(.object([])))]))
        }
        #expect(try !decoded(resting).isSound(viewport: .phone, tracker: .uikit))
    }
}
