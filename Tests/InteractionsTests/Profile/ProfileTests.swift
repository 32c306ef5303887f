import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// A profile scrolled to an offset.
func profile(
    at offset: Double, _ change: (inout ProfileParameters) -> Void = { _ in }
) throws -> Stage<Profile> {
    var parameters = ProfileParameters(viewport: .phone)
    change(&parameters)
    var stage = Stage(Profile(parameters, viewport: .phone, tracker: .uikit))
    try stage.gesture(.scroll(Scroll(phase: .changed, offset: offset)))
    return stage
}

/// The views at each offset, from the formulas: H = 107, A = 69, stop 40, label at 95 over 35.
@Suite struct ProfileViewTests {
    private static let offsets: [Double] = [
        -1_000_000, -500, -107, -53.5, -1, -0.001, 0, 0.001, 1, 20, 39.999, 40, 40.001, 60, 94.999,
        95, 95.001, 100, 112.5, 129.999, 130, 130.001, 500, 1_000_000,
    ]

    private func isNear(_ a: Double?, _ b: Double) -> Bool {
        guard let a else { return false }
        return abs(a - b) <= 1e-9 * max(1, abs(b))
    }

    @Test(arguments: offsets)
    func theHeaderStretchesOrMovesUpToItsStop(o: Double) throws {
        let header = try #require(profile(at: o).view("header"))
        let scale = o < 0 ? 1 - o / 107 : 1
        #expect(isNear(header.scale, scale))
        // Pulled down, the top edge stays; pushed up, the center moves with it.
        #expect(isNear(header.center.y, o < 0 ? 107 * scale / 2 : 53.5 - min(40, o)))
        #expect(header.center.x == 160 && header.size == Size(320, 107))
        #expect(header.z == (o > 40 ? 4 : 0) && header.alpha == 1 && header.rotation == 0)
    }

    @Test(arguments: offsets)
    func theAvatarShrinksTowardsItsTop(o: Double) throws {
        let avatar = try #require(profile(at: o).view("avatar"))
        let f = o < 0 ? 0 : min(40, o) / 69 / 1.4
        #expect(isNear(avatar.scale, 1 - f))
        #expect(isNear(avatar.center.y, 73 + 34.5 - o + 69 * f / 2))
        #expect(avatar.center.x == 42.5 && avatar.size == Size(69, 69))
        #expect(avatar.z == 3 && avatar.alpha == 1)
    }

    /// With a header that stops late it is gone when f is 1, and stays gone.
    @Test(arguments: offsets)
    func theAvatarIsNeverOnItsHead(o: Double) throws {
        let stage = try profile(at: o) { ($0.headerStop, $0.avatarSlowdown) = (90, 0.5) }
        let avatar = try #require(stage.view("avatar"))
        let f = o < 0 ? 0 : min(1, min(90, o) / 69 / 0.5)
        #expect(isNear(avatar.scale, 1 - f) && avatar.scale >= 0)
        #expect(isNear(avatar.center.y, 73 + 34.5 - o + 69 * f / 2))
        #expect((avatar.scale == 0) == (o >= 34.5), "nothing is left from an offset of 34.5")
    }

    @Test(arguments: offsets)
    func theLabelRisesIntoTheHeader(o: Double) throws {
        let label = try profile(at: o).view("label")
        #expect((label != nil) == (95 - o < 0))
        guard let label else { return }
        // Its middle in the header, the header's way up, and its own.
        #expect(isNear(label.center.y, 107 + 10.5 - 40 + max(-35, 95 - o)))
        #expect(label.center.x == 160 && label.size == Size(320, 21))
        #expect(label.z == 6 && label.scale == 1 && label.alpha == 1)
    }

    @Test(arguments: offsets)
    func theBlurCoversTheHeader(o: Double) throws {
        let stage = try profile(at: o)
        let blur = try #require(stage.view("blur"))
        let header = try #require(stage.view("header"))
        #expect(blur.center == header.center && blur.scale == header.scale)
        #expect(blur.size == header.size)
        #expect(isNear(blur.alpha, min(1, max(0, (o - 95) / 35))))
        #expect(blur.z == (o > 40 ? 5 : 1))
    }

    @Test(arguments: offsets)
    func thePhaseSaysHowFarItIs(o: Double) throws {
        let stage = try profile(at: o)
        let phase = o < 0 ? "pulled" : o <= 40 ? "expanded" : o <= 95 ? "collapsed" : "titled"
        #expect(stage.phase == phase)
        #expect(stage.field("offset") == .points(o))
        #expect(!stage.machine.isMoving && stage.machine.nextTimer == nil)
    }

    @Test func aLabelThatShowsBeforeTheHeaderStopsLiesBehind() throws {
        let stage = try profile(at: 30) { $0.labelOffset = 20 }
        let label = try #require(stage.view("label"))
        #expect(label.z == 2 && label.center.y == 107 + 10.5 - 30 - 10)
    }

    /// A label that shows while the header is stretched is stretched with it, as a part of it.
    @Test func aLabelInAStretchedHeaderGrowsWithIt() throws {
        let stage = try profile(at: -53.5) { $0.labelOffset = -80 }
        let (header, label) = (try #require(stage.view("header")), stage.view("label"))
        // 117.5 below the header's top less 26.5, of which everything is half as long again.
        #expect(header.scale == 1.5 && label?.scale == 1.5 && label?.center.x == 160)
        #expect(isNear(label?.center.y, (107 + 10.5 - 26.5) * 1.5))
    }

    @Test func everyParameterCounts() throws {
        let stage = try profile(at: 80) {
            $0.header = Rect(10, 20, 200, 50)
            $0.avatar = Rect(30, 40, 20, 30)
            $0.label = Rect(5, 50, 100, 10)
            $0.headerStop = 25
            $0.labelOffset = 70
            $0.labelDistance = 20
            $0.avatarSlowdown = 2
        }
        #expect(stage.view("header")?.center == Vector(110, 20))
        let avatar = try #require(stage.view("avatar"))
        let f = 25.0 / 30 / 2
        #expect(isNear(avatar.scale, 1 - f) && isNear(avatar.center.y, 55 - 80 + 15 * f))
        #expect(stage.view("label")?.center == Vector(10 + 5 + 50, 20 - 25 + 55 - 10))
        #expect(stage.view("blur")?.alpha == 0.5)
    }

    /// Every step of a scroll is continuous: nothing jumps where the formulas change.
    @Test func nothingJumpsAtABoundary() throws {
        for boundary in [0.0, 40, 95, 130] {
            let before = try profile(at: boundary - 1e-7)
            let after = try profile(at: boundary + 1e-7)
            for name in ["header", "avatar", "blur"] {
                let (a, b) = (before.view(name), after.view(name))
                #expect(isNear(a?.center.y, b?.center.y ?? 0) || abs(boundary) < 200)
                let distance = try #require(a).center.y - (try #require(b)).center.y
                #expect(abs(distance) < 1e-6, "\(name) at \(boundary)")
            }
        }
    }
}

/// The content beside the header, and the label that comes and goes.
@Suite struct ProfileContentTests {
    @Test(arguments: [-80, 0, 0.5, 400, 1_000_000] as [Double])
    func theContentScrolls(offset: Double) throws {
        let stage = try profile(at: offset) {
            $0.contentHeight = 900
            $0.header = Rect(10, 20, 200, 50)
        }
        let center = Vector(160, 450 - offset)
        #expect(
            stage.view("content") == ViewState(center: center, size: Size(320, 900), z: -1))
        #expect(stage.picture.names.first == "content")
    }

    @Test func aLabelThatComesBackHasALargerCut() throws {
        var stage = try profile(at: 100)
        #expect(stage.view("label")?.cut == 0)
        for (offset, cut) in [(99.0, 0), (95, nil), (96, 1), (0, nil), (500, 2)] {
            try stage.scroll(.changed, offset)
            #expect(stage.view("label")?.cut == cut, "at \(offset)")
        }
        let others = stage.picture.views.filter { $0.key != "label" }
        #expect(others.values.allSatisfy { $0.cut == 0 })
    }

    /// A fling takes the label away, too.
    @Test func aLabelThatAFlingTookHasALargerCut() throws {
        var stage = try profile(at: 150)
        try stage.drag(.began, 0)
        for sample in 1..<10 {
            stage.step()
            try stage.drag(.changed, 4 * Double(sample))
        }
        stage.step()
        try stage.drag(.ended, 40)
        #expect(stage.view("label") != nil && stage.machine.isMoving)
        #expect(stage.steps { $0.view("label") == nil } != nil)
        try stage.scroll(.changed, 120)
        #expect(stage.view("label")?.cut == 1)
    }
}
