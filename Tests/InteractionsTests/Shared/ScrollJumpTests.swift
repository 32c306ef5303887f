import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// A client's scroll that begins where the content is not: what moves at once is cut.
@Suite struct ScrollJumpTests {
    /// The views that are elsewhere after `play`, and those of them that have no new cut.
    private func moved<Kind: Machine>(
        _ stage: inout Stage<Kind>, _ play: (inout Stage<Kind>) throws -> Void
    ) throws -> (views: [String], uncut: [String]) {
        let before = stage.picture.views
        try play(&stage)
        let after = stage.picture.views
        let views = before.keys.sorted().filter { name in
            guard let (old, new) = before[name].flatMap({ old in after[name].map { (old, $0) } })
            else { return false }
            return (old.center - new.center).length > 1e-9 || old.scale != new.scale
        }
        return (views, views.filter { before[$0]?.cut == after[$0]?.cut })
    }

    @Test(arguments: ["returning", "held", "gripped"], [0.0, -30, 45, 300])
    func aReaderThatSomethingElseMoves(place: String, offset: Double) throws {
        var stage = try ReaderStage.inPlace(place)
        let (views, uncut) = try moved(&stage) { try $0.scroll(.began, offset) }
        #expect(views.contains("page") && views.contains("header_arrow"))
        #expect(uncut.isEmpty && stage.offset == offset, "\(uncut)")
    }

    @Test func aReaderThatAWheelPulls() throws {
        var stage = readerStage()
        try stage.wheel(60)
        let (views, uncut) = try moved(&stage) { try $0.scroll(.began, 0) }
        #expect(views.contains("page") && uncut.isEmpty)
    }

    /// It rests at 0 after each page, whatever its client's scroll view shows by then.
    @Test(arguments: [300.0, -150, 101], [true, false])
    func aReaderThatRests(offset: Double, isPaged: Bool) throws {
        var stage = readerStage()
        if isPaged {
            try stage.command("next")
            stage.step(120)
        }
        #expect(stage.phase == "resting")
        let (views, uncut) = try moved(&stage) { try $0.scroll(.began, offset) }
        #expect(views.contains("page") && uncut.isEmpty, "\(uncut)")
    }

    /// A scroll that goes on where the content is moves it, and so does a client's own.
    @Test func whatGoesOnIsNoCut() throws {
        var stage = try ReaderStage.inPlace("returning")
        let offset = stage.offset
        let cut = stage.view("page")?.cut
        try stage.scroll(.began, offset)
        #expect(stage.offset == offset && stage.view("page")?.cut == cut)
        stage.step(2)
        try stage.scroll(.changed, offset + 60)
        #expect(stage.view("page")?.cut == cut)
        var first = readerStage()
        try first.scroll(.began, 30)
        #expect(first.offset == 30 && first.view("page")?.cut == 0)
    }

    @Test(arguments: [0.0, 100, 832])
    func aListThatFlingsOrSpringsBack(offset: Double) throws {
        for sign in [-1.0, 1] {
            var stage = listStage()
            try stage.fling(sign: sign)
            stage.step(8)
            #expect(stage.machine.isMoving)
            let (views, uncut) = try moved(&stage) { try $0.scroll(.began, offset) }
            #expect(uncut.isEmpty && stage.offset == offset, "\(uncut) of \(views)")
        }
    }

    /// Its open row closes; the row and the menu are elsewhere at once.
    @Test func theMenuOfAListGoesAlong() throws {
        var stage = listStage()
        try stage.fling()
        try stage.swipe(.left, row: 7)
        stage.step(24)
        #expect(stage.phase == "open" && stage.machine.isMoving)
        let (views, uncut) = try moved(&stage) { try $0.scroll(.began, 0) }
        #expect(stage.phase == "closing" && uncut.isEmpty, "\(uncut)")
        #expect(views.contains("menu") && views.contains("row-7"))
    }

    /// A finger flung it there; the client's own scroll view never moved.
    @Test func aListThatRestsFarAway() throws {
        var stage = listStage()
        try stage.fling()
        _ = stage.steps { !$0.machine.isMoving }
        #expect(try #require(stage.offset) > 200)
        let (_, uncut) = try moved(&stage) { try $0.scroll(.began, 0) }
        #expect(uncut.isEmpty && stage.view("row-5")?.cut == 1, "\(uncut)")
    }

    /// A command put it at its top; the client's own scroll view need not have heard of it.
    @Test func aListThatACommandHasPlaced() throws {
        var stage = listStage()
        for (phase, offset) in [(Phase.began, 20.0), (.changed, 300), (.ended, 300)] {
            try stage.scroll(phase, offset)
        }
        try stage.command("scroll-to-top")
        #expect(stage.offset == 0)
        let (_, uncut) = try moved(&stage) { try $0.scroll(.began, 300) }
        #expect(uncut.isEmpty && stage.offset == 300, "\(uncut)")
    }

    @Test func aListThatItsClientScrollsIsNotCut() throws {
        var stage = listStage()
        let samples: [(Phase, Double)] = [
            (.began, 20), (.changed, 160), (.began, 40), (.ended, 170), (.began, 175),
        ]
        for (phase, offset) in samples {
            try stage.scroll(phase, offset)
            #expect(stage.view("row-7")?.cut == 0)
        }
    }

    @Test(arguments: [Phase.began, .changed, .ended])
    func aProfileThatSpringsBack(phase: Phase) throws {
        var stage = try profile(at: 0)
        try stage.drag(.began, 0)
        try stage.drag(.changed, 200)
        stage.step(20)
        try stage.drag(.ended, 200)
        stage.step(5)
        #expect(stage.machine.isMoving)
        let (views, uncut) = try moved(&stage) { try $0.scroll(phase, 0) }
        #expect(views.contains("content") && views.contains("header"))
        #expect(uncut.isEmpty, "\(uncut)")
    }

    @Test func aProfileThatItsClientScrollsIsNotCut() throws {
        var stage = try profile(at: 0)
        let samples: [(Phase, Double)] = [
            (.began, 20), (.changed, 130), (.ended, 160), (.began, 170),
        ]
        for (phase, offset) in samples {
            try stage.scroll(phase, offset)
            #expect(stage.view("content")?.cut == 0 && stage.view("header")?.cut == 0)
        }
    }

    /// A finger flung it there; the client's own scroll view never moved.
    @Test func aProfileThatRestsFarAway() throws {
        for phase in [Phase.began, .changed] {
            var stage = try profile(at: 0)
            try stage.drag(.began, 0)
            try stage.drag(.changed, -300)
            stage.step(20)
            try stage.drag(.ended, -300)
            #expect(!stage.machine.isMoving && stage.offset == 300)
            try stage.scroll(phase, 0)
            #expect(stage.view("content")?.cut == (phase == .began ? 1 : 0))
        }
    }
}
