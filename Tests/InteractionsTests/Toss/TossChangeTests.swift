import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Another scene: at rest the item is there at once, in flight it returns to the new frame.
@Suite struct TossChangeTests {
    private static let other = Rect(10, 300, 100, 60)

    private func adapt(_ stage: inout TossStage, frame: Rect = other) {
        var parameters = TossParameters(viewport: .phone)
        parameters.frame = frame
        stage.adapt(to: parameters, viewport: Size(500, 500))
    }

    @Test(arguments: TossStage.phases)
    func theSameSceneChangesNothing(phase: String) throws {
        var stage = try TossStage.inPhase(phase)
        let before = stage.machine
        stage.adapt(to: TossParameters(viewport: .phone), viewport: Size(500, 500))
        #expect(stage.machine == before && !stage.needsPublish)
    }

    @Test func atRestItIsThereAtOnce() throws {
        var stage = try TossStage.inPhase("resting")
        adapt(&stage)
        #expect(stage.item?.center == Self.other.center && stage.item?.size == Self.other.size)
        #expect(stage.item?.cut == 1 && stage.phase == "resting" && stage.told.isEmpty)
    }

    @Test(arguments: ["dragging", "thrown", "returning"])
    func inFlightItReturnsToTheNewFrame(phase: String) throws {
        var stage = try TossStage.inPhase(phase)
        let item = try #require(stage.item)
        adapt(&stage)
        let after = try #require(stage.item)
        #expect(stage.phase == phase && after.center == item.center && after.cut == item.cut)
        #expect(turn(from: after.rotation, to: item.rotation) < 1e-12)
        #expect(after.size == Self.other.size)
        if phase == "dragging" { try stage.pan(.ended, 180, 260, velocity: .zero) }
        if phase == "returning" {
            let told = ["return cancelled 0.45 ease-in-out", "return began 0.45 ease-in-out"]
            #expect(stage.lines(since: stage.told.count - 2) == told)
        }
        _ = try #require(stage.steps { $0.phase == "resting" })
        #expect(stage.item?.center == Self.other.center && stage.item?.rotation == 0)
        #expect(stage.item?.cut == item.cut)
    }

    @Test func whatFliesKeepsItsVelocity() throws {
        var stage = try TossStage.inPhase("thrown")
        let first = try #require(stage.item).center
        stage.step()
        let second = try #require(stage.item).center
        adapt(&stage)
        stage.step()
        let third = try #require(stage.item).center
        #expect((third - second - (second - first)).length < 0.01 * (second - first).length)
    }

    /// Thrown in this very step, it has no velocity yet.
    @Test func whatWasJustThrownFlies() throws {
        var stage = tossStage()
        try stage.fling(Vector(1_500, 0))
        adapt(&stage)
        stage.step(10)
        #expect((try #require(stage.item)).center.x > tossHome.x + 50)
    }

    @Test func aFingerHoldsWhatItTouches() throws {
        var stage = try TossStage.inPhase("dragging")
        adapt(&stage)
        stage.step(30)
        try stage.pan(.changed, 200, 280)
        let before = try #require(stage.item).center
        stage.step(30)
        #expect((try #require(stage.item)).center.x > before.x + 5)
        #expect(stage.phase == "dragging")
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func nothingJumpsWithoutACut(seed: UInt64) throws {
        var storm = CutStorm(tossStage(seed: seed), seed: seed)
        for _ in 0..<60 {
            let place = storm.place()
            switch storm.random.whole(in: 0...8) {
            case 0: storm.play("reset") { s throws(Rejection) in try s.command("reset") }
            case 1...2: storm.pan(.began, place)
            case 3, 4: storm.pan(.changed, place)
            case 5, 6: storm.pan(.ended, place)
            default:
                let parameters = storm.otherToss()
                storm.play("adapt") { $0.adapt(to: parameters, viewport: .phone) }
                let machine = storm.stage.machine
                #expect(
                    try comesBackAlike(machine, of: parameters, viewport: .phone),
                    "seed \(seed), \(machine.phase)")
            }
            // The way back takes 54 steps, however long it is.
            let far = (storm.stage.item?.center ?? tossHome) - tossHome
            let reach = CutStorm<Toss>.Reach(distance: 260 + (far.length + 9_600) / 27, turn: 7)
            for _ in 0..<storm.pick([0, 0, 1, 5, 30, 90]) {
                storm.step(within: reach)
                #expect(storm.stage.machine.isSound(viewport: .phone, tracker: .uikit))
            }
        }
        #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
    }
}

extension CutStorm<Toss> {
    fileprivate mutating func otherToss() -> TossParameters {
        var parameters = TossParameters(viewport: .phone)
        parameters.frame = pick([
            Rect(33, 137, 254, 172), Rect(0, 0, 254, 172), Rect(100, 400, 120, 40),
        ])
        parameters.friction = pick([0.2, 0.2, 0.9])
        parameters.returnDelay = pick([0.4, 0.1])
        parameters.markers = pick([.dragging, .always, .never])
        return parameters
    }
}
