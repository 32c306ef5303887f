import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// Each cause of a reaction, and the values that it hands on.
@Suite struct CauseTests {
    private func presenting(_ cause: Reaction.Cause) -> Theater {
        Theater(reacting: Reaction(cause, "tips", "present"))
    }

    // MARK: Transitions

    @Test func aTransitionBegins() {
        var theater = presenting(.transition("tabs", "select"))
        theater.command("tabs", "select", index: 0)
        #expect(!theater.isPresenting, "the selected item was selected: no transition")
        theater.command("tabs", "select", index: 2)
        #expect(theater.isPresenting)
    }

    @Test func aTransitionEndsAtItsStep() {
        var theater = presenting(.transition("tabs", "select", .ended))
        theater.command("tabs", "select", index: 2)
        theater.step(23)
        #expect(!theater.isPresenting)
        theater.step()
        #expect(theater.isPresenting)
    }

    @Test func aTransitionIsCancelled() {
        var theater = presenting(.transition("tabs", "select", .cancelled))
        theater.command("tabs", "select", index: 2)
        theater.step(5)
        #expect(!theater.isPresenting)
        theater.command("tabs", "select", index: 3)
        #expect(theater.isPresenting)
    }

    @Test(arguments: [(1, false), (2, true), (3, false)])
    func onlyOneEndCounts(index: Int, isMeant: Bool) {
        var theater = presenting(.transition("tabs", "select", to: .whole(2)))
        theater.command("tabs", "select", index: index)
        #expect(theater.isPresenting == isMeant)
    }

    @Test(arguments: [(0, false), (1, true)])
    func onlyOneBeginningCounts(first: Int, isMeant: Bool) {
        var theater = presenting(.transition("tabs", "select", from: .whole(1)))
        if first > 0 { theater.command("tabs", "select", index: first) }
        #expect(!theater.isPresenting)
        theater.command("tabs", "select", index: 4)
        #expect(theater.isPresenting == isMeant)
    }

    @Test(arguments: [("share", true), ("news", false)])
    func onlyOneItemCounts(item: String, isMeant: Bool) {
        var theater = presenting(.transition("tabs", "select", item: item))
        theater.command("tabs", "select", index: 2)
        #expect(theater.isPresenting == isMeant)
    }

    @Test func screensAreEnds() {
        var theater = presenting(
            .transition("navigation", "in-via-scale", from: .text("dashboard"), to: .text("b")))
        for screen in ["a", "b"] {
            let arguments = [Node.Member].of(screen: screen, transition: "in-via-scale")
            theater.receive(
                .command(component: "navigation", ComponentCommand("present", arguments)))
            #expect(theater.isPresenting == (screen == "b"))
            theater.command("navigation", "back")
            theater.step(100)
        }
    }

    // MARK: Phases

    @Test func aPhaseIsEnteredOnce() {
        var theater = Theater(
            reacting: .select(.phase("toss", "dragging"), .integer(1)),
            .select(.phase("toss", "resting"), .integer(4)))
        theater.pan("toss", .began, 160, 223)
        #expect(theater.selected == 1)
        theater.command("tabs", "select", index: 2)
        theater.pan("toss", .changed, 170, 223)
        #expect(theater.selected == 2, "it was in that phase already")
        theater.pan("toss", .cancelled, 170, 223)
        #expect(theater.selected == 2)
        #expect(theater.stepsToRest() != nil)
        #expect(theater.selected == 4, "it came back by itself")
    }

    @Test func theFirstPhaseIsNotEntered() {
        let theater = Theater(reacting: .select(.phase("toss", "resting"), .integer(1)))
        #expect(theater.selected == 0)
    }

    // MARK: Counts

    @Test func aNotificationCounts() {
        var theater = presenting(.notification(kind: "likes"))
        theater.notify("comments")
        #expect(!theater.isPresenting)
        theater.notify("likes", .add(0))
        #expect(theater.isPresenting, "a notification came, though it counts nothing")
    }

    @Test func aCountPassesItsBound() {
        var theater = Theater(reacting: .push(.badge(kind: "likes", .above(2)), "many"))
        for (change, expected) in [
            (CountChange.add(2), false), (.add(1), true), (.add(1), false), (.set(9), false),
            (.set(1), false), (.set(3), true), (.set(2), false),
        ] {
            theater.notify("likes", change)
            #expect((theater.picture("navigation").phase == "transitioning") == expected)
            theater.step(100)
            theater.command("navigation", "back")
            theater.step(100)
        }
    }

    // MARK: Sessions

    @Test func aSessionOpens() {
        let theater = presenting(.session(.opened))
        #expect(theater.isPresenting)
        #expect(!presenting(.session(.restored)).isPresenting)
        #expect(!presenting(.session(.resized)).isPresenting)
    }

    @Test func aSessionIsResized() {
        var theater = presenting(.session(.resized))
        theater.session.react(to: .resized)
        #expect(theater.isPresenting)
    }

    @Test func aSessionComesBack() throws {
        var theater = Theater(
            reacting: .select(.session(.restored), .integer(3)),
            .select(.phase("toss", "resting"), .integer(1)),
            .select(.session(.opened), .integer(2)))
        #expect(theater.selected == 2)
        theater.notify("likes")
        var record = try #require(theater.session.record())
        record.version += 1
        var back = Session(
            id: "alice", epoch: "e.2", scene: theater.session.scene, opened: Theater.opened,
            frameRate: 60, beginning: .restored(record, marks: []))
        theater.session = back
        #expect(theater.selected == 3)
        let isTold = back.takeDirtyParts().contains(.component(Scene.index("tabs")))
        #expect(isTold, "what it did is to be saved")
        #expect(back.badges.counts["likes"] == 0, "its item cleared the counts of its bubble")
    }

    /// Nothing is counted or cleared before the store can be written.
    @Test func aSessionThatMayNotCountRefuses() throws {
        let scene = Scene.reacting([
            Reaction(.session(.restored), "badges", "clear", ["kind": .string("likes")])
        ])
        var former = Theater(scene)
        former.notify("likes")
        let record = try #require(former.session.record())
        let back = Session(
            id: "alice", epoch: "e.2", scene: scene, opened: Theater.opened, frameRate: 60,
            beginning: .restored(record, marks: []), mayCount: false)
        #expect(back.badges.counts["likes"] == 1)
        #expect(back.reacting.refusedCount == 1)
    }

    // MARK: Values

    /// A reaction selects a tab by a whole number that it is told.
    @Test(arguments: [("$from", 1), ("$to", 2), ("$count", 3)])
    func numbersAreHandedOn(value: String, expected: Int) {
        let cause: Reaction.Cause =
            value == "$count" ? .notification(kind: "spare") : .transition("reader", "page")
        var theater = Theater(reacting: .select(cause, .string(value)))
        theater.command("reader", "next")
        theater.step(100)
        if value == "$count" {
            theater.notify("spare", .add(3))
        } else {
            theater.command("reader", "next")
        }
        #expect(theater.selected == expected)
    }

    @Test(arguments: [("$item", "news"), ("$kind", "spare"), ("$to", "b")])
    func textsAreHandedOn(value: String, expected: String) {
        let cause: Reaction.Cause =
            switch value {
            case "$item": .transition("tabs", "select")
            case "$kind": .notification(kind: "spare")
            default: .transition("navigation", "in-via-scale", .ended, to: .text("b"))
            }
        var theater = Theater(reacting: .push(cause, value))
        switch value {
        case "$item": theater.command("tabs", "select", index: 3)
        case "$kind": theater.notify("spare")
        default:
            let arguments = [Node.Member].of(screen: "b", transition: "in-via-scale")
            theater.receive(
                .command(component: "navigation", ComponentCommand("present", arguments)))
        }
        theater.step(100)
        #expect(theater.stack == ["dashboard", expected])
    }

    @Test func anIndexIsHandedOn() {
        var theater = Theater(
            reacting: Reaction(
                .transition("tabs", "select"), "tabs", "glow", ["index": .string("$index")])
        )
        theater.command("tabs", "select", index: 3)
        #expect(theater.picture("tabs").fields["items.3.glow"] == .flag(true))
    }

    /// Deep in a table and in a list, and nowhere but as a whole string.
    @Test func valuesStandAnywhere() {
        var facts = Facts()
        facts.item = .text("ball")
        facts.index = .whole(2)
        let inner = Node(
            .array([
                Node(.string("$index")), Node(.string("$item!")), Node(.string("$other")),
                Node(.string("$")),
            ]))
        let deed = Reaction.Order(
            component: "world", command: "set",
            arguments: [Node.Member("values", Node(.object([Node.Member("$item", inner)])))])
        let filled = deed.command(facts).arguments[0].value["$item"]?.array
        #expect(
            filled?.map(\.value) == [
                .integer(2), .string("$item!"), .string("$other"), .string("$"),
            ])
    }
}
