import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// A flick on a pad goes on by itself when the fingers have left. It holds nothing out there.
@Suite struct WheelMomentumTests {
    /// How a pad tells a flick.
    enum Source: CaseIterable {
        /// Phases, and what is momentum, in one series.
        case told
        /// Nothing but the ways, as a browser does.
        case untold
    }

    /// The fingers go a way in four events; the momentum goes on for 1.7 s, a hundred events.
    private func flick<Kind: Machine>(
        _ stage: inout Stage<Kind>, _ speed: Double, _ source: Source,
        after each: (Stage<Kind>) -> Void = { _ in }
    ) throws {
        for number in 0..<4 {
            let phase: Phase? = source == .untold ? nil : number == 0 ? .began : .changed
            try stage.wheel(speed / 60 * Double(number + 1) / 4, phase)
            each(stage)
            stage.step(2)
        }
        var way = speed / 60
        for number in 0..<100 {
            way *= 0.95
            switch source {
            case .told:
                let phase: Phase = number == 0 ? .began : number == 99 ? .ended : .changed
                try stage.wheel(number == 99 ? 0 : way, phase, isMomentum: true)
            // A browser tells whole pixels, and not every frame is in time.
            case .untold: try stage.wheel((number % 7 == 3 ? 1.4 * way : way).rounded())
            }
            each(stage)
            stage.step(2)
        }
    }

    /// The neighbour is in its place half a second after the fingers have left, and stays.
    @Test(arguments: Source.allCases, [1_500, 3_000, 6_000, -1_500, -3_000, -6_000] as [Double])
    func aFlickTurnsOnePageAtOnce(source: Source, speed: Double) throws {
        var stage = readerStage()
        var arrival: Step?
        try flick(&stage, speed, source) { stage in
            if arrival == nil, stage.phase == "resting" { arrival = stage.now }
        }
        #expect(try #require(arrival).count < 8 + 60, "\(speed)")
        stage.step(60)
        #expect(stage.phase == "resting" && stage.machine.saved.index == (speed > 0 ? 5 : 3))
        #expect(stage.lines(since: 0).count { $0.hasPrefix("page began") } == 1)
    }

    /// Too slow to load a neighbour, or without one: the page is home soon, and stays there.
    @Test(
        arguments: Source.allCases,
        [(4, 300), (4, -500), (0, -3_000), (9, 3_000), (9, 6_000)] as [(Int, Double)])
    func aFlickThatLoadsNothingComesBack(source: Source, flicked: (start: Int, speed: Double))
        throws
    {
        var stage = readerStage(start: flicked.start)
        var home: Step?
        try flick(&stage, flicked.speed, source) { stage in
            if stage.phase != "resting" { home = nil } else if home == nil { home = stage.now }
        }
        #expect(try #require(home).count < 8 + 120, "\(flicked)")
        #expect(stage.offset == 0 && stage.machine.saved.index == flicked.start)
        #expect(!stage.told.contains { $0.contains("page") })
    }

    /// After the flick the next one is a stroke of its own.
    @Test(arguments: Source.allCases)
    func theNextFlickTurnsTheNextPage(source: Source) throws {
        var stage = readerStage()
        try flick(&stage, 3_000, source)
        stage.step(24)
        try flick(&stage, 3_000, source)
        stage.step(24)
        #expect(stage.machine.saved.index == 6)
    }

    /// Fingers that push the next page while the momentum of the last flick is still there.
    @Test func aStrokeThatIsMuchLongerIsAnother() throws {
        var stage = readerStage()
        var way = 50.0
        for _ in 0..<40 {
            try stage.wheel(way)
            stage.step(2)
            way *= 0.95
        }
        #expect(stage.machine.saved.index == 5 && stage.phase == "resting")
        try stage.wheel(40)
        #expect(stage.phase == "dragging")
        var other = stage
        try other.wheel(-40)
        #expect(other.phase == "dragging")
    }

    /// A hand that turns a wheel by equal notches, or faster and faster, holds the page.
    @Test func whatIsNoMomentumHoldsThePage() throws {
        var stage = readerStage()
        for way in [30.0, 30, 30, 30, 40, 50] {
            try stage.wheel(way)
            stage.step(4)
            #expect(stage.phase == "dragging")
        }
        #expect(stage.field("footer") == .text("loaded"))
    }

    /// With phases, momentum over an edge bounces there as a fling does.
    @Test(arguments: [1_500, 4_000] as [Double])
    func beyondAnEdgeAListBounces(speed: Double) throws {
        for sign in [-1.0, 1] {
            var stage = listStage()
            try stage.scroll(.began, 400)
            try stage.scroll(.ended, 400)
            var beyond = 0
            var farthest = 0.0
            try flick(&stage, sign * speed, .told) { stage in
                let offset = stage.offset ?? 0
                let distance = max(-offset, offset - 832)
                farthest = max(farthest, distance)
                if distance > 0 { beyond += 1 }
            }
            if speed > 3_000 { #expect(farthest > 5, "it is seen to bounce") }
            // Two steps each, of 200.
            #expect(beyond < 50, "\(sign * speed)")
            stage.step(20)
            #expect(stage.offset == (sign < 0 ? 0 : 832) || speed < 3_000)
            #expect(!stage.machine.isMoving && stage.machine.nextTimer == nil)
        }
    }

    @Test func beyondAnEdgeAProfileBounces() throws {
        var stage = try profile(at: 0)
        var pulled = 0
        try flick(&stage, -3_000, .told) { if $0.phase == "pulled" { pulled += 1 } }
        #expect(pulled > 5 && pulled < 50, "\(pulled)")
        #expect(stage.phase == "expanded" && !stage.machine.isMoving)
    }

    @Test(arguments: Source.allCases)
    func inTheMidstOfMomentumItIsEncodedAndGoesOn(source: Source) throws {
        var parameters = ReaderParameters(pages: .count(10), viewport: .phone)
        parameters.start = 4
        var stage = readerStage()
        var faults = 0
        try flick(&stage, 3_000, source) { stage in
            let isAlike = try? comesBackAlike(stage.machine, of: parameters, viewport: .phone)
            if isAlike != true { faults += 1 }
        }
        #expect(faults == 0)
    }
}
