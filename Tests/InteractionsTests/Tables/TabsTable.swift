import Geometry
import Gestures
import Interactions
import TestSupport

extension Tables {
    /// The arrow and the bubble move independently: every pair of their states is one.
    static func tabs() throws -> Table<Tabs> {
        let bubbles = ["no bubble", "showing", "shown", "shown for a time", "hiding"]
        var own = tabsStage()
        try own.command("glow", index: 4)
        try own.command("select", index: 3)
        own.step(60)
        own.notify("likes", count: 2)
        func columns(_ arrow: String) throws -> [Table<Tabs>.Column] {
            try bubbles.map { bubble in
                .init(
                    name: "\(arrow), \(bubble)",
                    stage: try tabs(arrow: arrow, bubble: bubble))
            }
        }
        return Table(
            kind: "tabs",
            remark: """
                Five items: home, popular, share, news with a bubble for comments, likes and \
                followers, profile with a glow for mentions, which glows. Popular is selected. A \
                bubble, where there is one, shows likes. Each state names the arrow's state, \
                which is the phase, and the bubble's.
                """,
            phases: ["resting", "moving"],
            columns: try columns("resting")
                + [.init(name: "resting, news selected", stage: own)] + columns("moving"),
            rows: selections + glows + [.init(.command("hide"))] + mistakes + notifications
                + contacts + [.init(.time)],
            state: { "\($0.machine.phase), \(bubble(of: $0))" })
    }

    private static var selections: [Grid.Row.Event] {
        let popular = Target.point(Vector(100, 550))
        let points: [Grid.Row.Event] = [.init(.tap(popular), "on popular, by a point")]
        return points
            + [(1, "popular"), (2, "share"), (3, "news")].flatMap { index, item in
                [
                    Grid.Row.Event(.tap(.index(index)), "on \(item)"),
                    Grid.Row.Event(.command("select", index: index), "of \(item)"),
                ]
            }
    }

    private static var glows: [Grid.Row.Event] {
        [
            .init(.command("glow", index: 1), "of popular"),
            .init(.command("unglow", index: 4), "of profile"),
            .init(.command("glow", index: 4), "of profile"),
            .init(.command("unglow", index: 1), "of popular"),
            .init(.command("show", index: 3), "of news"),
            .init(.command("show", index: 4), "of profile"),
        ]
    }

    private static var mistakes: [Grid.Row.Event] {
        let commands = ["select", "glow", "unglow", "show"]
        return [
            .init(.tap(.index(5)), "on no item"),
            .init(.tap(.point(Vector(100, 300))), "beside the bar"),
        ] + commands.map { .init(.command($0, index: 5), "of no item") }
            + [.init(.tap(.row(1)), "on a row")]
            + commands.map { .init(.command($0), "without an index") }
    }

    private static var notifications: [Grid.Row.Event] {
        [
            .init(.notification(kind: "likes", count: 3), "of likes"),
            .init(.notification(kind: "likes", count: 0), "that sets likes to 0"),
            .init(.notification(kind: "mentions", count: 1), "of mentions"),
            .init(.notification(kind: "other", count: 1), "of any other kind"),
            .init(.clearing(kind: "likes"), "of likes"),
            .init(.clearing(kind: "other"), "of any other kind"),
        ]
    }

    private static var contacts: [Grid.Row.Event] {
        [
            .init(.touch(.down(Vector(160, 550))), "on an item"),
            .init(.touch(.down(Vector(160, 300))), "outside"),
            .init(.touch(.moved(Vector(160, 550))), "on an item"),
            .init(.touch(.moved(Vector(160, 300))), "outside"), .init(.touch(.up)),
        ]
    }

    /// A bar with popular selected, a glow on profile, and a bubble in one of its states.
    private static func tabs(arrow: String, bubble: String) throws -> Stage<Tabs> {
        var stage = tabsStage { $0.bubbleTimeout = bubble == "shown for a time" ? 9 : 0 }
        try stage.command("select", index: 1)
        try stage.command("glow", index: 4)
        stage.step(60)
        if bubble != "no bubble" { stage.notify("likes", count: 2) }
        if bubble.hasPrefix("shown") || bubble == "hiding" { stage.step(90) }
        if bubble == "hiding" { try stage.command("hide") }
        if arrow == "moving" {
            // From home back to popular: on its way while the rest is as it was.
            try stage.command("select", index: 0)
            try stage.command("select", index: 1)
        }
        stage.step(6)
        return stage
    }

    /// The bubble's state, from the views after one more step.
    private static func bubble(of trial: Trial<Tabs>) -> String {
        var later = trial
        later.step()
        guard let now = Picture(trial.machine).views["bubble"]?.alpha,
            let then = Picture(later.machine).views["bubble"]?.alpha
        else { return "no bubble" }
        if now < then { return "showing" }
        if now < 1 || then < 1 { return "hiding" }
        // Where the arrow rests, a timer is the bubble's.
        later = trial
        while later.machine.isMoving { later.step() }
        return later.machine.nextTimer == nil ? "shown" : "shown for a time"
    }
}
