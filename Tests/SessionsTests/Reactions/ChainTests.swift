import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// Reactions that cause reactions: their order, and their bounds.
@Suite struct ChainTests {
    private let spare = Reaction.Cause.notification(kind: "spare")

    private func passages(_ theater: Theater) -> [String] {
        theater.told().compactMap { told in told.line.map { "\(told.topic.dropFirst(11)) \($0)" } }
            .map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
    }

    // MARK: Order

    @Test func theEventsOwnEffectsComeFirst() {
        var theater = Theater(
            reacting: Reaction(.transition("tabs", "select"), "list", "scroll-to-top"),
            Reaction(.transition("tabs", "select"), "tips", "present"))
        theater.command("tabs", "select", index: 3)
        theater.flush()
        #expect(passages(theater) == ["tabs select began", "tips present began"])
    }

    /// In the order of the scene, even where a later one waits for what happened earlier.
    @Test func reactionsComeInTheirOrder() {
        var theater = Theater(
            reacting: .select(.transition("tips", "present"), .integer(4)),
            .push(.badge(kind: "spare", .above(0)), "first"),
            Reaction(spare, "tips", "present"),
            .select(.badge(kind: "spare", .above(0)), .integer(1)))
        theater.notify("spare")
        theater.flush()
        #expect(
            passages(theater) == [
                "navigation in-via-scale began", "tips present began", "tabs select began",
                // The third reaction caused it, though the first one waits for it.
                "tabs select cancelled", "tabs select began",
            ])
        #expect(theater.selected == 4)
    }

    /// One event causes one, that causes another: all in the same event.
    @Test func reactionsCauseReactions() {
        var theater = Theater(
            reacting: Reaction(.transition("tabs", "select"), "tips", "present"),
            .push(.transition("tips", "present"), "tips"),
            .select(.notification(kind: "spare"), .integer(2)))
        theater.notify("spare")
        #expect(theater.selected == 2 && theater.isPresenting)
        #expect(theater.picture("navigation").phase == "transitioning")
    }

    @Test func countsAreClearedByAReaction() {
        var theater = Theater(
            reacting: Reaction(
                .badge(kind: "spare", .above(1)), "badges", "clear", ["kind": .string("$kind")]))
        theater.notify("spare")
        theater.notify("other")
        #expect(theater.session.badges.counts["spare"] == 1)
        theater.notify("spare")
        #expect(theater.session.badges.counts["spare"] == 0)
        #expect(theater.session.badges.counts["other"] == 1)
    }

    // MARK: Repetitions

    /// Thirty likes in 0.3 s, as a crowd sends them: one screen slides up, and nothing is refused.
    @Test func aScreenThatComesAlreadyIsNotPresentedAgain() {
        var theater = Theater(
            reacting: .push(spare, "likes"), .push(.notification(kind: "other"), "others"))
        for _ in 0..<30 {
            theater.notify("spare")
            theater.step()
        }
        theater.flush()
        #expect(theater.log.reports.isEmpty)
        #expect(passages(theater) == ["navigation in-via-scale began"])
        // The repetitions have taken no place in the queue.
        for number in 0..<8 {
            theater.receive(
                .command(
                    component: "navigation",
                    ComponentCommand(
                        "present", .of(screen: "s\(number)", transition: "in-via-scale"))))
        }
        theater.flush()
        #expect(theater.log.reports.isEmpty)
    }

    /// The last command that waits decides: what was asked for before it is asked for again.
    @Test func anotherCommandBetweenTwoThatAreEqualKeepsBoth() {
        var theater = Theater(
            reacting: .push(spare, "likes"), .push(.notification(kind: "other"), "others"))
        for kind in ["spare", "other", "other", "spare", "spare"] { theater.notify(kind) }
        theater.step(300)
        // The screen was on the stack, so the others above it are popped.
        #expect(theater.stack == ["dashboard", "likes"])
    }

    /// A page, a row's menu, a way back: what is busy with a reaction's command is no refusal.
    @Test(arguments: [("reader", "next"), ("navigation", "back")])
    func aCommandThatIsUnderWayMerges(component: String, command: String) {
        var theater = Theater(reacting: Reaction(spare, component, command))
        for number in 0..<3 {
            theater.receive(
                .command(
                    component: "navigation",
                    ComponentCommand(
                        "present", .of(screen: "s\(number)", transition: "in-via-scale"))))
            theater.step(60)
        }
        theater.flush()
        let before = theater.log.reports.count
        for _ in 0..<20 { theater.notify("spare") }
        theater.flush()
        #expect(theater.log.reports.count == before)
        // It is performed again once the component has come to rest.
        theater.step(600)
        theater.flush()
        let pages = passages(theater).count
        theater.notify("spare")
        theater.flush()
        if component == "reader" { #expect(passages(theater).count == pages + 1) }
    }

    /// Rows: a crowd selects one, closes one, chooses of its menu; and a hand has closed it before.
    @Test(
        arguments: [
            ("select", ["row": .integer(3)], false), ("deselect", [:], false),
            ("scroll-to-top", [:], false), ("action", [:], false), ("action", [:], true),
        ] as [(String, KeyValuePairs<String, Node.Value>, Bool)])
    func commandsToRowsMerge(
        command: String, arguments: KeyValuePairs<String, Node.Value>, closesByHand: Bool
    ) {
        var theater = Theater(reacting: Reaction(spare, "list", command, arguments))
        theater.receive(
            .gesture(component: "list", .swipe(Swipe(direction: .left, target: .row(2)))))
        theater.step(120)
        #expect(theater.picture("list").phase == "open")
        if closesByHand {
            theater.receive(.gesture(component: "list", .tap(.row(2))))
            #expect(theater.picture("list").phase == "closing")
        }
        for _ in 0..<30 {
            theater.notify("spare")
            theater.step()
        }
        theater.flush()
        #expect(theater.log.reports.isEmpty, "\(theater.log.reports.map(\.rejection.message))")
        #expect(passages(theater).filter { $0 == "list close began" }.count <= 1)
    }

    /// A finger keeps the component busy: the reaction is refused, and that is told.
    @Test func aComponentThatIsBusyWithSomethingElseRefuses() {
        var theater = Theater(reacting: Reaction(spare, "reader", "next"))
        theater.notify("spare")
        theater.step(600)
        let scroll = Scroll(phase: .began, offset: 0)
        theater.receive(.gesture(component: "reader", .scroll(scroll)))
        theater.receive(
            .gesture(component: "reader", .scroll(Scroll(phase: .changed, offset: 10))))
        theater.notify("spare")
        theater.flush()
        #expect(theater.log.reports.count == 1)
    }

    // MARK: Refusals

    @Test func aRefusedCommandIsTold() {
        var theater = Theater(
            reacting: Reaction(spare, "tips", "present"), Reaction(spare, "reader", "previous"),
            .select(spare, .integer(1)))
        theater.notify("spare")
        theater.flush()
        #expect(theater.isPresenting && theater.selected == 1, "the others are performed")
        let report = theater.log.reports.first
        #expect(theater.log.reports.count == 1 && report?.rejection.code == .badValue)
        #expect(report?.reaction?.index == 1 && report?.topic == "command/alice/reader")
        #expect(report?.reaction?.command["command"]?.string == "previous")
        #expect(theater.session.reacting.refusedCount == 1)
    }

    /// It tells the value, not its name.
    @Test func aRefusalTellsTheValues() {
        var theater = Theater(reacting: .select(spare, .string("$count")))
        theater.notify("spare", .add(9))
        theater.flush()
        #expect(theater.log.reports.first?.reaction?.command["index"]?.int == 9)
    }

    // MARK: Bounds

    /// Two components that call each other.
    private var circle: [Reaction] {
        [
            .select(.transition("tabs", "select", to: .whole(1)), .integer(2)),
            .select(.transition("tabs", "select", to: .whole(2)), .integer(1)),
            Reaction(spare, "tips", "present"),
        ]
    }

    @Test func aHostileCircleStops() {
        var theater = Theater(.reacting(circle))
        theater.command("tabs", "select", index: 1)
        theater.flush()
        let selections = passages(theater).filter { $0 == "tabs select began" }
        #expect(selections.count == 1 + Limits.reactionChainMax)
        let report = theater.log.reports.first
        #expect(theater.log.reports.map(\.rejection.code) == [.reactionLimit])
        #expect(report?.reaction?.index == 0)
        #expect(theater.session.reacting.stoppedCount == 1)
        #expect(theater.session.reacting.pending.isEmpty)
        // It stands where it stopped, and everything goes on.
        theater.notify("spare")
        #expect(theater.isPresenting)
        #expect(theater.stepsToRest() != nil)
        #expect(theater.session.reacting.stoppedCount == 1)
    }

    /// Each event has a bound of its own; reports have the session's.
    @Test func circlesAreToldWithinTheSessionsBound() {
        var theater = Theater(.reacting(circle))
        for _ in 0..<30 {
            theater.command("tabs", "select", index: 0)
            theater.command("tabs", "select", index: 1)
        }
        theater.flush()
        #expect(theater.session.reacting.stoppedCount == 30)
        #expect(theater.log.reports.count == Limits.rejectionsPerSessionMax)
    }

    /// A circle through time: it never rests, and each turn is a step of its own.
    @Test func aCircleThatWaitsIsNoChain() {
        var theater = Theater(
            .reacting(
                circle.prefix(2).map { reaction in
                    var reaction = reaction
                    reaction.after = 0.001
                    return reaction
                }))
        theater.command("tabs", "select", index: 1)
        theater.step(50)
        #expect(theater.session.reacting.stoppedCount == 0)
        #expect(passages(theater).filter { $0 == "tabs select began" }.count == 51)
    }

    /// As many as a chain may have, all of one event.
    @Test(arguments: [Limits.reactionChainMax, Limits.reactionChainMax + 1])
    func oneEventHasManyReactions(count: Int) {
        var theater = Theater(
            .reacting((0..<count).map { .select(spare, .integer($0 % 5)) }))
        theater.notify("spare")
        let isOver = count > Limits.reactionChainMax
        #expect(theater.session.reacting.stoppedCount == (isOver ? 1 : 0))
        #expect(theater.selected == (Limits.reactionChainMax - 1) % 5)
    }

    /// More than that wait for one step.
    @Test func oneStepHasManyReactions() {
        var theater = Theater(
            .reacting(
                (0..<Limits.reactionsMax).map { index in
                    .select(
                        .badge(kind: "spare", .above(index / 32)), .integer(index % 5), after: 0.1)
                }))
        theater.notify("spare")
        theater.notify("spare")
        #expect(theater.session.reacting.waits.count == Limits.reactionsMax)
        theater.step(12)
        #expect(theater.session.reacting.stoppedCount == 1)
        #expect(theater.session.reacting.waits.isEmpty)
    }

    // MARK: Time

    /// A scene in which motion, waits and chains follow from each other for seconds.
    private static let lively: [Reaction] = [
        .select(.transition("toss", "return", .ended), .integer(3)),
        .push(.transition("tabs", "select", .ended), "$item"),
        Reaction(.transition("navigation", "in-via-scale", .ended), "tips", "present"),
        Reaction(.phase("tips", "resting"), "tips", "dismiss", after: 0.125),
        .select(.transition("tips", "dismiss", .ended), .integer(1), after: 0.05),
        Reaction(.transition("reader", "page", .ended), "reader", "next", after: 0.3),
    ]

    private func play(rate: Int, strides: [Int]) throws -> (Node, [String]) {
        var theater = Theater(.reacting(Self.lively, frameRate: rate))
        theater.flush()
        theater.pan("toss", .began, 160, 223)
        theater.step(4)
        theater.pan("toss", .ended, 200, 223, velocity: Vector(4_000, 0))
        theater.command("reader", "next")
        let end = theater.session.clock + 1_200
        var turn = 0
        while theater.session.clock < end {
            let target = min(end, theater.session.clock + strides[turn % strides.count])
            // As a lane makes up steps: no more than it may at once.
            theater.session.advance(to: target)
            theater.flush()
            turn += 1
        }
        #expect(theater.session.jumped == 0)
        let machines = theater.session.machines.map { Node(encoding: $0) }
        let lines = theater.told().compactMap { told in
            told.line.map { "\(told.topic) \($0) \(told.stamp.instant.nanoseconds)" }
        }
        return (Node(.array(machines)), lines)
    }

    @Test(arguments: [30, 60, 120])
    func ratesAndStridesMakeTheSameBits(rate: Int) throws {
        let expected = try play(rate: 120, strides: [1])
        #expect(expected.1.count > 20, "much happens: \(expected.1.count)")
        for strides in [[1], [2], [4], [1, 7, 3], [30], [29, 1]] {
            let found = try play(rate: rate, strides: strides)
            #expect(found.0 == expected.0, "rate \(rate), strides \(strides)")
            #expect(found.1 == expected.1, "rate \(rate), strides \(strides)")
        }
    }

    /// Nothing moves between the waits, so the clock runs straight from one to the next.
    @Test func oneBigAdvanceMakesTheSameBits() {
        let reactions: [Reaction] = [
            Reaction(spare, "tabs", "glow", ["index": .integer(4)], after: 1),
            Reaction(spare, "tabs", "unglow", ["index": .integer(4)], after: 3),
            .select(.badge(kind: "spare", .above(0)), .integer(2), after: 2),
        ]
        var (one, other) = (Theater(.reacting(reactions)), Theater(.reacting(reactions)))
        one.notify("spare")
        other.notify("spare")
        one.step(600)
        other.session.advance(to: other.session.clock + 600)
        #expect(one.selected == 2)
        #expect(
            one.session.machines.map { AnyHashable($0) }
                == other.session.machines.map { AnyHashable($0) })
    }

    /// A change by a step's reactions is shown with the next frame, as motion is.
    @Test func aStepsReactionsWaitForTheirFrame() {
        var theater = Theater(
            .reacting([.select(spare, .integer(2), after: 0.025)], frameRate: 30))
        theater.flush()
        theater.notify("spare")
        theater.step(4)
        #expect(theater.selected == 2)
        #expect(theater.steps("state/tabs").last == 4)
        #expect(theater.steps("transition/tabs").last == 3)
    }
}
