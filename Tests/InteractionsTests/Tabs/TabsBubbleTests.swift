import Geometry
import Interactions
import Motion
import TestSupport
import Testing

@Suite struct TabsBubbleTests {
    /// Over item i: its middle, the bottom edge 2 above the bar's top at 524.
    private func place(_ item: Int) -> Vector { Vector(64 * Double(item) + 32, 524 - 2 - 20) }

    /// The alpha so many steps after a fade of 60 began.
    private func faded(_ step: Int) -> Double { TimingCurve.easeInOut.value(at: Double(step) / 60) }

    private func isNear(_ a: Double?, _ b: Double) -> Bool { abs((a ?? 99) - b) < 1e-9 }

    @Test func itFadesInOverItsItem() throws {
        var stage = tabsStage()
        stage.notify("likes", count: 3)
        #expect(stage.needsPublish)
        for step in 0...59 {
            let bubble = try #require(stage.bubble)
            #expect(isNear(bubble.alpha, faded(step)), "step \(step)")
            #expect(bubble.center == place(3) && bubble.size == Size(120, 40) && bubble.z == 5)
            #expect(stage.machine.isMoving && stage.phase == "resting")
            stage.step()
        }
        #expect(stage.bubble?.alpha == 1 && !stage.machine.isMoving)
        #expect(
            stage.told == [
                "0 bubble-show began 0.5 ease-in-out", "60 bubble-show ended 0.5 ease-in-out",
            ])
        #expect(stage.field("bubble.index") == .whole(3))
        #expect(stage.field("bubble.counts.likes") == .whole(3))
        #expect(stage.field("bubble.counts.comments") == .whole(0))
        #expect(stage.field("bubble.counts.other") == nil)
        stage.step(2_000)
        #expect(stage.bubble?.alpha == 1)
    }

    @Test func itsCountsFollow() {
        var stage = tabsStage()
        stage.notify("likes", count: 3)
        stage.step(10)
        stage.notify("comments", count: 2)
        #expect(stage.needsPublish && stage.field("bubble.counts.comments") == .whole(2))
        #expect(stage.told.count == 1 && isNear(stage.bubble?.alpha, faded(10)))
    }

    @Test func aCountOfNothingShowsNothing() {
        var stage = tabsStage()
        stage.notify("likes", count: 0)
        stage.notify("other", count: 4)
        #expect(stage.bubble == nil && stage.told.isEmpty && stage.field("bubble") == .null)
    }

    @Test(arguments: [
        (false, "likes", false), (false, "mentions", true), (true, "likes", true),
        (true, "other", true),
    ])
    func whatItDoesNotHeedChangesNothing(hasBubble: Bool, kind: String, isHeeded: Bool) {
        var stage = tabsStage { if !hasBubble { $0.items[3].bubble = [] } }
        let before = stage.machine
        #expect(before.heeds(notification: kind) == isHeeded)
        stage.notify(kind, count: 1)
        #expect(isHeeded || stage.machine == before && stage.told.isEmpty && !stage.needsPublish)
    }

    @Test func forTheSelectedItemOnlyTheCountsGoOn() throws {
        var stage = tabsStage()
        try stage.tap(3)
        stage.notify("likes", count: 3)
        #expect(stage.bubble == nil && stage.counts["likes"] == 3)
        // Another item's selection does not bring the bubble back; the next notification does.
        try stage.tap(0)
        #expect(stage.bubble == nil)
        stage.notify("comments", count: 1)
        #expect(stage.field("bubble.counts.likes") == .whole(3))
    }

    /// Shown over another item it fades in there anew, as another one.
    @Test(arguments: [20, 60, 200])
    func itFadesInAnewOverAnotherItem(step: Int) {
        var stage = tabsStage { $0.items[1].bubble = ["offers"] }
        stage.notify("likes", count: 1)
        stage.step(step)
        let mark = stage.told.count
        stage.notify("offers", count: 2)
        #expect(stage.bubble?.center == place(1) && stage.bubble?.alpha == 0)
        #expect(stage.bubble?.cut == 1 && stage.field("bubble.index") == .whole(1))
        #expect(stage.field("bubble.counts.offers") == .whole(2))
        #expect(stage.field("bubble.counts.likes") == nil)
        stage.step(30)
        #expect(isNear(stage.bubble?.alpha, 0.5))
        stage.step(30)
        #expect(stage.bubble?.alpha == 1)
        let cut = step < 60 ? ["bubble-show cancelled 0.5 ease-in-out"] : []
        #expect(
            stage.lines(since: mark) == cut + [
                "bubble-show began 0.5 ease-in-out", "bubble-show ended 0.5 ease-in-out",
            ])
    }

    @Test func aFadingOneIsGoneWhereAnotherItemsComes() throws {
        var stage = tabsStage { $0.items[1].bubble = ["offers"] }
        stage.notify("likes", count: 1)
        stage.step(60)
        try stage.command("hide")
        stage.step(20)
        stage.notify("offers", count: 2)
        #expect(stage.bubble?.center == place(1) && stage.bubble?.alpha == 0)
        #expect(
            stage.lines(since: 3) == [
                "bubble-hide cancelled 0.5 ease-in-out", "bubble-show began 0.5 ease-in-out",
            ])
    }

    /// One notification shows one bubble, over the last of its items.
    @Test func ofSeveralItemsTheLastHasTheBubble() {
        var stage = tabsStage { $0.items[1].bubble = ["likes"] }
        for _ in 0..<2 {
            stage.notify("likes", count: 2)
            #expect(stage.field("bubble.index") == .whole(3) && stage.bubble?.cut == 0)
        }
        #expect(stage.told.count == 1)
    }

    /// Whatever takes its numbers away, it shows them until it has faded.
    @Test(arguments: ["select", "clear", "set", "hide"])
    func itKeepsItsNumbersUntilItHasFaded(way: String) throws {
        var stage = tabsStage()
        stage.notify("likes", count: 3)
        stage.notify("comments", count: 1)
        stage.step(100)
        if way == "clear" || way == "set" { stage.clear("comments") }
        switch way {
        case "select": try stage.tap(3)
        case "clear": stage.clear("likes")
        case "set": stage.notify("likes", count: 0)
        default:
            try stage.command("hide")
            stage.clear("likes")
        }
        #expect(stage.counts["likes"] == 0)
        for _ in 0..<60 {
            #expect(stage.field("bubble.counts.likes") == .whole(3))
            stage.step()
        }
        #expect(stage.field("bubble") == .null)
        // One that returns has the present numbers.
        try stage.tap(0)
        stage.notify("comments", count: 2)
        #expect(stage.field("bubble.counts.likes") == .whole(0))
    }

    /// Every way to hide it, after so many steps.
    @Test(arguments: ["hide", "select", "clear", "set"], [10, 60, 100])
    func everyWayToHideItFadesIt(way: String, step: Int) throws {
        var stage = tabsStage { $0.arrowDuration = 0 }
        stage.notify("likes", count: 3)
        stage.step(step)
        let alpha = try #require(stage.bubble).alpha
        let mark = stage.told.count
        switch way {
        case "hide": try stage.command("hide")
        case "select": try stage.tap(3)
        case "clear": stage.clear("likes")
        default: stage.notify("likes", count: 0)
        }
        if way != "hide" { #expect(stage.counts["likes"] == 0) }
        let told = stage.lines(since: mark).filter { $0.hasPrefix("bubble") }
        let cut = step < 60 ? ["bubble-show cancelled 0.5 ease-in-out"] : []
        #expect(told == cut + ["bubble-hide began 0.5 ease-in-out"])
        for passed in 0...59 {
            #expect(isNear(stage.bubble?.alpha, alpha * (1 - faded(passed))), "\(passed)")
            #expect(stage.field("bubble.index") == .whole(3))
            stage.step()
        }
        #expect(stage.bubble == nil && stage.field("bubble") == .null)
        #expect(stage.told.last?.hasSuffix("bubble-hide ended 0.5 ease-in-out") == true)
    }

    @Test func itStaysWhileAnyOfItsCountsDoes() {
        var stage = tabsStage()
        stage.notify("likes", count: 3)
        stage.notify("comments", count: 1)
        stage.step(80)
        stage.clear("likes")
        #expect(stage.needsPublish && stage.told.count == 2)
        #expect(stage.field("bubble.counts.likes") == .whole(0))
        stage.clear("comments")
        #expect(stage.told.last == "80 bubble-hide began 0.5 ease-in-out")
    }

    @Test func aHidingBubbleReturnsFromItsCurrentAlpha() throws {
        var stage = tabsStage()
        stage.notify("likes", count: 1)
        stage.step(80)
        try stage.command("hide")
        stage.step(30)
        stage.notify("likes", count: 2)
        #expect(isNear(stage.bubble?.alpha, 0.5))
        stage.step(30)
        #expect(isNear(stage.bubble?.alpha, 0.75))
        stage.step(30)
        #expect(stage.bubble?.alpha == 1)
        #expect(
            stage.lines(since: 2) == [
                "bubble-hide began 0.5 ease-in-out", "bubble-hide cancelled 0.5 ease-in-out",
                "bubble-show began 0.5 ease-in-out", "bubble-show ended 0.5 ease-in-out",
            ])
    }

    @Test func hidingNothingIsAccepted() throws {
        var stage = tabsStage()
        let before = stage.machine
        try stage.command("hide")
        #expect(stage.machine == before && stage.told.isEmpty && !stage.needsPublish)
    }

    /// A timeout of 1 s, restarted by each of its notifications, also at an unchanged count.
    @Test func theTimeoutRestartsWithEachNotification() {
        var stage = tabsStage { $0.bubbleTimeout = 1 }
        stage.notify("likes", count: 1)
        stage.step(100)
        stage.notify("likes", count: 1)
        stage.step(119)
        #expect(stage.bubble?.alpha == 1 && stage.told.count == 2)
        stage.step()
        #expect(stage.told.last == "220 bubble-hide began 0.5 ease-in-out")
        stage.step(60)
        #expect(stage.bubble == nil && stage.machine.nextTimer == nil)
    }

    /// 0.25 s are over before the fade is.
    @Test func aShortTimeoutTurnsTheFadeBack() {
        var stage = tabsStage { $0.bubbleTimeout = 0.25 }
        stage.notify("likes", count: 1)
        stage.step(30)
        #expect(isNear(stage.bubble?.alpha, 0.5))
        stage.step(30)
        #expect(isNear(stage.bubble?.alpha, 0.25))
        stage.step(30)
        #expect(stage.bubble == nil)
    }

    /// Due at the step at which the fade ends, the timeout hides a bubble that has come.
    @Test(arguments: [0.5, 0.497])
    func aTimeoutAtTheFadesEndCutsNothing(timeout: Double) {
        var stage = tabsStage { $0.bubbleTimeout = timeout }
        stage.notify("likes", count: 1)
        stage.step(60)
        #expect(stage.bubble?.alpha == 1)
        stage.step(60)
        #expect(stage.bubble == nil)
        #expect(
            stage.told == [
                "0 bubble-show began 0.5 ease-in-out", "60 bubble-show ended 0.5 ease-in-out",
                "60 bubble-hide began 0.5 ease-in-out", "120 bubble-hide ended 0.5 ease-in-out",
            ])
    }

    /// Items 100 wide on a bar from y 650 to 700: bottom edges at 648 and at 700.
    @Test func everyParameterCounts() throws {
        var stage = tabsStage {
            ($0.width, $0.height, $0.windowHeight) = (500, 50, 700)
            ($0.glowSize, $0.bubbleSize, $0.bubbleFade) = (Size(60, 16), Size(80, 30), 0.11)
        }
        stage.notify("likes", count: 1)
        #expect(stage.bubble?.center == Vector(350, 633) && stage.bubble?.size == Size(80, 30))
        // 0.11 s are 13.2 steps.
        stage.step(13)
        #expect(try #require(stage.bubble).alpha < 1)
        stage.step()
        #expect(stage.bubble?.alpha == 1)
        try stage.command("glow", index: 1)
        let glow = ViewState(center: Vector(150, 692), size: Size(60, 16), z: 3)
        #expect(stage.view("glow-1") == glow)
        #expect(stage.lines(since: 1) == ["bubble-show ended 0.11 ease-in-out"])
    }

    @Test func withoutAFadeItIsThereAtOnce() throws {
        var stage = tabsStage { $0.bubbleFade = 0 }
        stage.notify("likes", count: 1)
        #expect(stage.bubble?.alpha == 1)
        try stage.command("hide")
        #expect(stage.bubble == nil)
        #expect(
            stage.lines(since: 0).map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
                == [
                    "bubble-show began", "bubble-show ended", "bubble-hide began",
                    "bubble-hide ended",
                ])
    }

    @Test func countsOfOtherKindsDoNotPublishTheBubble() {
        var stage = tabsStage()
        stage.notify("likes", count: 2)
        stage.clear("mentions")
        #expect(!stage.needsPublish)
        stage.notify("comments", count: 1)
        stage.clear("likes")
        #expect(stage.needsPublish && stage.field("bubble.counts.likes") == .whole(0))
    }

    /// A command shows it without a count; other notifications let it be.
    @Test func aCommandShowsItWithoutACount() throws {
        var stage = tabsStage()
        try stage.command("show", index: 3)
        stage.step(60)
        #expect(stage.bubble?.alpha == 1 && stage.field("bubble.index") == .whole(3))
        stage.notify("mentions", count: 1)
        stage.step(60)
        #expect(stage.bubble?.alpha == 1)
        #expect(stage.machine.saved.bubble == 3)
        stage.notify("likes", count: 2)
        stage.clear("likes")
        stage.step(60)
        #expect(stage.bubble == nil, "its counts are cleared")
        let code = refusal { () throws(Rejection) in try stage.command("show", index: 9) }
        #expect(code == .badValue)
    }

    @Test func itStaysWithinTheBar() throws {
        var stage = tabsStage { $0.items = ["a", "b", "c", "d", "e"].map { .init(id: $0) } }
        for (index, middle) in [(0, 60.0), (1, 96), (4, 260)] {
            try stage.command("show", index: index)
            #expect(stage.bubble?.center.x == middle)
        }
    }
}
