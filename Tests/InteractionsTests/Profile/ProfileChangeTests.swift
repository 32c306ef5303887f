import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Another scene says something else of the profile.
@Suite struct ProfileChangeTests {
    private func parameters(
        _ viewport: Size = .phone, _ change: (inout ProfileParameters) -> Void = { _ in }
    ) -> ProfileParameters {
        var parameters = ProfileParameters(viewport: viewport)
        change(&parameters)
        return parameters
    }

    /// It is what a profile of the new scene shows at this offset.
    @Test func allIsRecalculatedAtTheOffset() throws {
        func change(_ parameters: inout ProfileParameters) {
            (parameters.headerStop, parameters.labelOffset) = (60, 70)
            parameters.contentHeight = 2_000
        }
        var stage = try profile(at: 80)
        stage.adapt(to: parameters(.phone, change))
        let other = try profile(at: 80, change)
        #expect(stage.offset == 80 && stage.phase == "titled" && stage.told.last == "0 title began")
        for (name, view) in other.picture.views {
            var found = try #require(stage.view(name))
            #expect(found.cut == (name == "label" ? 0 : 1), "\(name)")
            found.cut = view.cut
            #expect(found == view, "\(name)")
        }
    }

    @Test func itComesBackIntoTheNewBoundsByItself() throws {
        var stage = try profile(at: 632)
        stage.adapt(to: parameters { $0.contentHeight = 800 })
        #expect(stage.offset == 632 && stage.machine.isMoving)
        let cut = stage.view("avatar")?.cut
        var former = 632.0
        while stage.machine.isMoving {
            stage.step()
            #expect(stage.offset <= former)
            former = stage.offset
        }
        #expect(stage.offset == 232 && stage.view("avatar")?.cut == cut)
    }

    @Test func aContactAndAWheelHoldOn() throws {
        var stage = try profile(at: 600)
        stage.touch(.down(Vector(160, 300)))
        try stage.drag(.began, 0)
        try stage.drag(.changed, 10)
        stage.adapt(to: parameters { $0.contentHeight = 700 })
        #expect(stage.offset == 590 && !stage.machine.isMoving)
        try stage.drag(.changed, 10)
        #expect(abs(stage.offset - 590) < 1e-9)
        try stage.drag(.ended, 10)
        stage.touch(.up)
        _ = stage.steps { !$0.machine.isMoving }
        #expect(stage.offset == 132)
        var turned = try profile(at: 0)
        try turned.wheel(-50, .began)
        let pulled = turned.offset
        turned.adapt(to: parameters(Size(400, 300)), viewport: Size(400, 300))
        #expect(turned.offset == pulled && turned.phase == "pulled")
        try turned.wheel(0, .ended)
        _ = turned.steps { !$0.machine.isMoving }
        #expect(turned.offset == 0)
    }

    @Test func theSameSceneChangesNothing() throws {
        var stage = try profile(at: 50)
        try stage.wheel(-90, .began)
        let before = stage.machine
        stage.adapt(to: parameters())
        #expect(stage.machine == before && !stage.needsPublish)
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func whateverComesNothingJumps(seed: UInt64) throws {
        var storm = ChangeStorm(try profile(at: 90), try Tables.profile().events, seed: seed)
        try storm.run(changes: 25, reach: 1) { random in
            let numbers = (0..<4).map { _ in random.whole(in: 0...2) }
            let viewport = [.phone, .phone, Size(400, 300)][numbers[0]]
            let parameters = parameters(viewport) {
                $0.contentHeight = [1_200, 700, 100][numbers[1]]
                $0.headerStop = [40, 80, 107][numbers[2]]
                $0.labelOffset = [95, 20, 300][numbers[3]]
                // The blur fades slowly, however fast the content moves.
                $0.labelDistance = 1_000_000
            }
            return (parameters, viewport)
        }
        #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
        #expect(storm.cuts > 0)
    }
}
