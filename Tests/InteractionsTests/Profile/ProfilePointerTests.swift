import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

/// Raw contacts: a vertical pan scrolls, bounds 0…content height − viewport height.
@Suite struct ProfilePointerTests {
    private let finger = Vector(160, 300)

    private func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-9 }

    /// A profile that a contact flings by 10 pt a step, which are 1,200 pt/s, and lets go of.
    private func flung(
        from offset: Double, towardsTop: Bool = false,
        _ change: (inout ProfileParameters) -> Void = { _ in }
    ) throws -> Stage<Profile> {
        var stage = try profile(at: offset, change)
        stage.touch(.down(finger))
        try stage.drag(.began, 0)
        for sample in 1...4 {
            stage.step()
            let way = Double(sample) * 10
            try stage.drag(sample == 4 ? .ended : .changed, towardsTop ? way : -way)
        }
        stage.touch(.up)
        return stage
    }

    @Test func itListensForScrolls() throws {
        let stage = try profile(at: 0)
        #expect(stage.machine.recognizers == [.scroll] && stage.machine.scrollsInAnyOrder)
    }

    @Test func aContactScrollsTheContent() throws {
        var stage = try profile(at: 50)
        stage.touch(.down(finger))
        try stage.drag(.began, 0)
        #expect(stage.offset == 50 && !stage.needsPublish)
        try stage.drag(.changed, -60)
        #expect(stage.offset == 110 && stage.needsPublish && stage.phase == "titled")
        #expect(stage.lines(since: 1) == ["title began"])
        try stage.drag(.changed, -60)
        #expect(!stage.needsPublish && !stage.machine.isMoving)
    }

    /// 1200 − 568: beyond 632 and 0 the rubber band of 568 shows.
    @Test(arguments: [(0.0, 100.0, 0.0), (632.0, -100.0, 632.0), (600.0, -132.0, 632.0)])
    func theContentsEndsAreItsBounds(offset: Double, pull: Double, edge: Double) throws {
        var stage = try profile(at: offset)
        try stage.drag(.began, 0)
        try stage.drag(.changed, pull)
        #expect(isNear(abs(stage.offset - edge), 568 * (1 - 1 / (1 + 55.0 / 568))))
        stage.step(20)
        try stage.drag(.ended, pull)
        #expect(stage.machine.isMoving)
        let steps = stage.steps { !$0.machine.isMoving }
        #expect(steps != nil && stage.offset == edge)
    }

    /// A content that is lower than the viewport has no room to scroll.
    @Test func aLowContentBouncesBackToItsTop() throws {
        var stage = try flung(from: 0) { $0.contentHeight = 100 }
        let steps = stage.steps { !$0.machine.isMoving }
        #expect(steps != nil && stage.offset == 0)
    }

    /// Each step of the fling is the law's, and each is told.
    @Test func itFlingsByTheScrollPhysics() throws {
        var stage = try flung(from: 100)
        #expect(stage.offset == 140 && stage.machine.isMoving)
        var coast = ScrollPhysics.Coast(offset: 140, velocity: 1_200)
        for _ in 0..<30 {
            _ = ScrollPhysics.normal.advance(&coast, within: 0...632)
            stage.step()
            #expect(abs(stage.offset - coast.offset) < 1e-4)
        }
        #expect(stage.offset > 300 && stage.phase == "titled")
    }

    /// Boundaries are told as the motion passes them, at their own steps.
    @Test func transitionsComeInMotion() throws {
        var stage = try flung(from: 200, towardsTop: true)
        let mark = stage.told.count
        let steps = stage.steps { !$0.machine.isMoving }
        #expect(steps != nil && stage.offset == 0 && stage.phase == "expanded")
        #expect(
            stage.lines(since: mark) == [
                "title ended", "collapse ended", "pull began", "pull ended",
            ])
        let times = stage.told.dropFirst(mark).compactMap { $0.split(separator: " ").first }
        #expect(Set(times).count == 4)
    }

    @Test func aTouchStopsIt() throws {
        var stage = try flung(from: 100)
        stage.step(10)
        let offset = stage.offset
        stage.touch(.down(finger))
        #expect(!stage.machine.isMoving && stage.offset == offset)
        stage.touch(.up)
        #expect(!stage.machine.isMoving && stage.offset == offset)
    }

    /// Caught beyond the top it stays pulled until the contact lifts.
    @Test func aBounceIsHeldUntilTheLift() throws {
        var stage = try flung(from: 60, towardsTop: true)
        let pulled = stage.steps { $0.offset < -5 }
        #expect(pulled != nil)
        stage.touch(.down(finger))
        let offset = stage.offset
        stage.step(60)
        #expect(stage.offset == offset && stage.phase == "pulled")
        stage.touch(.up)
        let steps = stage.steps { !$0.machine.isMoving }
        #expect(steps != nil && stage.offset == 0 && stage.phase == "expanded")
    }

    /// A client's scroll event takes over, also one that shows what is shown.
    @Test(arguments: [0.0, 17])
    func aClientsScrollTakesOver(further: Double) throws {
        var stage = try flung(from: 100)
        stage.step(5)
        let offset = stage.offset + further
        try stage.scroll(.changed, offset)
        #expect(stage.offset == offset && !stage.machine.isMoving)
        stage.touch(.up)
        stage.step(60)
        #expect(stage.offset == offset)
    }

    /// The rest of a contact after a client's own event is refused.
    @Test func aContactThatWasTakenOverMovesNothing() throws {
        var stage = try profile(at: 100)
        try stage.drag(.began, 0)
        try stage.scroll(.changed, 300)
        for phase in [Phase.changed, .ended, .cancelled] {
            #expect(throws: Rejection.self) { try stage.drag(phase, -50) }
        }
        #expect(stage.offset == 300 && !stage.machine.isMoving)
    }

    @Test(arguments: 0..<32 as Range<UInt64>)
    func everythingRestsWithinTenSeconds(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stage = try profile(at: 0) { $0.contentHeight = random.unit() * 3_000 + 1 }
        for _ in 0..<100 {
            let points = (random.unit() - 0.5) * (random.whole(in: 0...9) == 0 ? 2e6 : 600)
            let phases = Phase.allCases
            let phase = phases[random.whole(in: 0...3)]
            switch random.whole(in: 0...7) {
            case 0: try stage.scroll(phase, points)
            case 1: stage.touch(.down(finger))
            case 2: stage.touch(.up)
            default: try? stage.drag(phase, points)
            }
            stage.step(random.whole(in: 0...8))
            #expect(stage.picture.isFinite, "seed \(seed)")
        }
        try? stage.drag(.cancelled, 0)
        stage.touch(.up)
        let steps = stage.steps { !$0.machine.isMoving }
        #expect(steps != nil, "seed \(seed) never rests")
        // Each boundary is passed one way, then the other.
        for name in ["pull", "collapse", "title"] {
            let events = stage.lines(since: 0).filter { $0.hasPrefix(name) }
            let isEntered = events.last?.hasSuffix("began") ?? false
            for (a, b) in zip(events, events.dropFirst()) { #expect(a != b, "seed \(seed)") }
            let boundary = name == "collapse" ? 40.0 : 95
            let isBeyond = name == "pull" ? stage.offset < 0 : stage.offset > boundary
            #expect(isEntered == isBeyond, "seed \(seed): \(name)")
        }
    }
}

extension Stage<Profile> {
    var offset: Double {
        guard case .points(let offset) = field("offset") else { return .nan }
        return offset
    }
}
