import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Another scene says something else of the reader.
@Suite struct ReaderChangeTests {
    private func parameters(
        count: Int = 10, size: Size = .phone, _ change: (inout ReaderParameters) -> Void = { _ in }
    ) -> ReaderParameters {
        var parameters = ReaderParameters(pages: .count(count), viewport: size)
        parameters.start = 0
        change(&parameters)
        return parameters
    }

    @Test(arguments: [(10, 4, 0), (5, 4, 0), (4, 3, 1), (1, 0, 1)])
    func thePageStaysOrIsTheLastOne(count: Int, index: Int, cut: Int) {
        var stage = readerStage()
        stage.adapt(to: parameters(count: count))
        #expect(stage.field("index") == .whole(index) && stage.view("page")?.cut == cut)
        #expect(stage.field("count") == .whole(count) && stage.told.isEmpty)
        #expect((stage.view("header") == nil) == (index == 0))
        #expect((stage.view("footer") == nil) == (index == count - 1))
    }

    @Test func aPullGoesOn() throws {
        var stage = readerStage()
        stage.touch(.down(Vector(160, 300)))
        try stage.drag(.began, 0)
        try stage.drag(.changed, 60)
        let offset = stage.offset
        stage.adapt(to: parameters(size: Size(400, 800)))
        #expect(stage.offset == offset && stage.phase == "dragging")
        try stage.drag(.changed, 60)
        #expect(isNear(stage.offset, offset, within: 1e-9))
        try stage.drag(.changed, 80)
        #expect(stage.offset < offset)
        try stage.drag(.ended, 80)
        stage.touch(.up)
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.offset == 0)
    }

    /// A pull that was not far enough is, by the new scene's measure.
    @Test func theNewBarsLoad() throws {
        var stage = readerStage()
        try stage.pull(to: 50)
        #expect(stage.field("footer") == .text("unloaded"))
        stage.adapt(to: parameters { $0.footerHeight = 40 })
        #expect(stage.field("footer") == .text("loaded"))
        #expect(stage.lines(since: 0) == ["footer-loaded began 0.2 ease-in-out"])
        // The next page is gone, and nobody is told of its bar but that its turn has ended.
        stage.adapt(to: parameters(count: 5) { $0.footerHeight = 40 })
        #expect(stage.field("footer") == .text("hidden"))
        #expect(stage.lines(since: 1) == ["footer-loaded cancelled 0.2 ease-in-out"])
        try stage.scroll(.ended, 50)
        #expect(stage.phase == "returning")
    }

    @Test func aNeighbourThatComesInGoesOn() throws {
        var stage = readerStage()
        try stage.command("next")
        stage.step(12)
        stage.adapt(to: parameters(size: Size(400, 800)))
        #expect(stage.phase == "paging" && stage.view("incoming")?.cut == 1)
        stage.step(12)
        #expect(stage.phase == "resting" && stage.field("index") == .whole(5))
    }

    @Test(arguments: [5, 3])
    func aNeighbourThatIsGoneComesNoMore(count: Int) throws {
        var stage = readerStage()
        try stage.command("next")
        stage.step(12)
        stage.adapt(to: parameters(count: count))
        #expect(stage.phase == "resting" && stage.field("index") == .whole(count - 1))
        #expect(stage.lines(since: 1) == ["page cancelled 4→5 0.2 ease-in-out"])
        #expect(stage.offset == 0 && (stage.view("page")?.cut ?? 0) > 0)
    }

    @Test func theSameSceneChangesNothing() throws {
        var stage = readerStage(start: 4)
        try stage.command("next")
        stage.step(5)
        let before = stage.machine
        stage.adapt(to: parameters { $0.start = 4 })
        #expect(stage.machine == before && !stage.needsPublish)
    }

    /// A page moves at most twice its way of 855 points in 24 steps at once.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func whateverComesNothingJumps(seed: UInt64) throws {
        var storm = ChangeStorm(readerStage(), try Tables.reader().events, seed: seed)
        try storm.run(changes: 25, reach: 110) { random in
            let numbers = (0..<5).map { _ in random.whole(in: 0...2) }
            let parameters = parameters(
                count: [10, 5, 1][numbers[0]], size: [.phone, .phone, Size(400, 800)][numbers[1]]
            ) {
                $0.headerHeight = [55, 55, 20][numbers[2]]
                $0.footerHeight = [55, 80, 20][numbers[3]]
                $0.duration = [0.2, 1, 0][numbers[4]]
            }
            return (parameters, parameters.size)
        }
        #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
        #expect(storm.cuts > 0)
    }
}
