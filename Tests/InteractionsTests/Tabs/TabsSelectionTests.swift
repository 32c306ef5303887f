import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

@Suite struct TabsSelectionTests {
    @Test func atFirstTheFirstIsSelected() {
        let stage = tabsStage()
        #expect(stage.phase == "resting" && stage.selected == .whole(0))
        #expect(stage.selectedItems == [.text("home")])
        let arrow = ViewState(center: Vector(32, 568 - 44 - 10 + 2 + 5), size: Size(20, 10), z: 4)
        #expect(stage.picture.names == TabsStage.bar + ["arrow"] && stage.arrow == arrow)
        #expect(stage.field("bubble") == .null)
    }

    /// i = ⌊x/w⌋ with w = 64, on the bar from y 524 to 568.
    @Test(
        arguments: [
            (0, 524, 0), (63.999, 540, 0), (64, 540, 1), (127.999, 568, 1), (128, 546, 2),
            (319.999, 567.999, 4),
        ] as [(Double, Double, Int)])
    func aTapSelectsWhatIsThere(x: Double, y: Double, item: Int) throws {
        var stage = tabsStage()
        try stage.tap(x, y)
        #expect(stage.selected == .whole(item) && stage.selectedItems.count == 1)
    }

    @Test(
        arguments: [
            (-0.001, 540), (320, 540), (160, 523.999), (160, 568.001), (1_000_000, 540), (160, 0),
        ] as [(Double, Double)])
    func besideTheBarThereIsNothing(x: Double, y: Double) throws {
        var stage = tabsStage()
        let before = stage.machine
        let code = refusal { () throws(Rejection) in try stage.tap(x, y) }
        #expect(code == .badValue && stage.machine == before)
    }

    @Test(arguments: ["select", "glow", "unglow"], [-1, 5, Int.max, Int.min, nil])
    func anIndexIsOneOfTheItems(command: String, index: Int?) throws {
        var stage = tabsStage()
        let before = stage.machine
        let code = refusal { () throws(Rejection) in try stage.command(command, index: index) }
        #expect(code == (index == nil ? .missingField : .badValue))
        if let index {
            let tap = refusal { () throws(Rejection) in try stage.tap(index) }
            #expect(tap == .badValue)
        }
        #expect(stage.machine == before)
    }

    @Test func itKnowsNothingElse() throws {
        var stage = tabsStage()
        let before = stage.machine
        let pan = refusal { () throws(Rejection) in try stage.pan(.began, 10, 540) }
        let command = refusal { () throws(Rejection) in try stage.command("reset") }
        #expect(pan == .unknownGesture && command == .unknownCommand)
        #expect(stage.machine == before)
    }

    /// The left edge at w·i + w/2 − 10, on its way over 24 steps, eased in and out.
    @Test func theArrowRunsToTheItem() throws {
        var stage = tabsStage()
        stage.step(7)
        try stage.tap(3)
        #expect(stage.phase == "moving" && stage.needsPublish)
        for step in 0...23 {
            let share = TimingCurve.easeInOut.value(at: Double(step) / 24)
            #expect(abs(stage.arrowLeft - (22 + 192 * share)) < 1e-9, "step \(step)")
            #expect(stage.phase == "moving" && stage.arrow?.center.y == 521)
            stage.step()
        }
        #expect(stage.phase == "resting" && stage.arrowLeft == 64.0 * 3 + 32 - 10)
        #expect(
            stage.told == [
                "7 select began 0→3 0.2 ease-in-out", "31 select ended 0→3 0.2 ease-in-out",
            ])
    }

    @Test func anotherTapTurnsTheArrowWhereItIs() throws {
        var stage = tabsStage()
        try stage.tap(4)
        stage.step(12)
        let left = stage.arrowLeft
        #expect(abs(left - (22 + 256 / 2)) < 1e-9)
        try stage.command("select", index: 1)
        #expect(stage.arrowLeft == left && stage.selectedItems == [.text("popular")])
        for step in 0...23 {
            let share = TimingCurve.easeInOut.value(at: Double(step) / 24)
            #expect(abs(stage.arrowLeft - (left + (86 - left) * share)) < 1e-9)
            stage.step()
        }
        #expect(
            stage.lines(since: 0) == [
                "select began 0→4 0.2 ease-in-out", "select cancelled 0→4 0.2 ease-in-out",
                "select began 4→1 0.2 ease-in-out", "select ended 4→1 0.2 ease-in-out",
            ])
    }

    @Test func theSelectedOneAgainIsNoTransition() throws {
        var stage = tabsStage()
        try stage.tap(0)
        #expect(stage.told.isEmpty && stage.phase == "resting" && !stage.needsPublish)
        try stage.tap(2)
        stage.step(5)
        try stage.tap(2)
        stage.step(19)
        #expect(stage.phase == "resting" && stage.told.count == 2)
    }

    @Test func everyParameterCounts() throws {
        var stage = tabsStage {
            $0.width = 500
            $0.height = 50
            $0.windowHeight = 700
            $0.arrow = Size(30, 12)
            $0.arrowDuration = 0
        }
        try stage.tap(450, 655)
        #expect(stage.phase == "resting" && stage.selected == .whole(4))
        #expect(stage.arrow?.center == Vector(450, 700 - 50 - 12 + 2 + 6))
        #expect(
            stage.lines(since: 0) == [
                "select began 0→4 ease-in-out", "select ended 0→4 ease-in-out",
            ])
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func exactlyOneIsSelectedWhateverHappens(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stage = tabsStage { $0.bubbleTimeout = Double(seed % 3) }
        for _ in 0..<80 {
            let index = random.whole(in: 0...4)
            switch random.whole(in: 0...7) {
            case 0: try stage.tap(index)
            case 1: try stage.tap(random.unit() * 319, 524 + random.unit() * 44)
            case 2: try stage.command("select", index: index)
            case 3: try stage.command(["glow", "unglow"][index % 2], index: index)
            case 4: try stage.command("hide")
            case 5: stage.notify(["likes", "mentions", "other"][index % 3], count: index)
            case 6: stage.clear("likes")
            default: stage.step(random.whole(in: 1...90))
            }
            let picture = stage.picture
            #expect(stage.selectedItems.count == 1, "seed \(seed)")
            #expect(picture.isFinite && picture.views["arrow"] != nil)
            #expect((picture.views["bubble"] == nil) == (picture.fields["bubble"] == .null))
        }
        let rest = stage.steps { !$0.machine.isMoving && $0.machine.nextTimer == nil }
        #expect(rest != nil, "seed \(seed) never rests")
        guard case .whole(let index)? = stage.selected else { return }
        #expect(stage.arrowLeft == 64 * Double(index) + 32 - 10)
        #expect(stage.bubble == nil || stage.bubble?.alpha == 1)
    }
}
