import Geometry
import Gestures
import Interactions
import TestSupport

extension Tables {
    /// The waiting commands decide how a transition ends, and their number what is still accepted.
    static func navigation() throws -> Table<Navigation> {
        func stage(over screens: [String], presenting name: String? = nil) throws
            -> Stage<Navigation>
        {
            var stage = try navigationStage(over: screens)
            guard let name else { return stage }
            try stage.present("likes", name)
            stage.step(6)
            return stage
        }
        var waiting = try stage(over: ["posts"], presenting: "in-via-scale")
        try waiting.present("share", "in-from-bottom")
        var waitingInVain = try stage(over: [], presenting: "out-to-bottom")
        for _ in 0..<2 { try waitingInVain.back() }
        try waitingInVain.present("likes", "in-via-scale")
        waitingInVain.step(34)
        var full = try stage(over: ["posts"], presenting: "in-from-bottom")
        for _ in 0..<8 { try full.back() }
        var deep = try navigationStage()
        for number in 1..<Navigation.stackMax { try deep.pile(up: "screen\(number)") }
        return Table(
            kind: "navigation",
            remark: """
                The root is the dashboard, and posts lie above it. Unless a row says otherwise, \
                the presented screen is new. A command that comes while a transition runs takes \
                a place in the queue, changes nothing yet, and is judged at the transition's \
                end. A deep stack has \(Navigation.stackMax) screens.
                """,
            phases: ["resting", "transitioning"],
            columns: [
                .init(name: "resting at the root", stage: try stage(over: [])),
                .init(name: "resting above it", stage: try stage(over: ["posts"])),
                .init(name: "resting on a deep stack", stage: deep),
                .init(
                    name: "transitioning, a screen comes",
                    stage: try stage(over: ["posts"], presenting: "in-via-scale")),
                .init(
                    name: "transitioning, a screen goes",
                    stage: try stage(over: ["posts"], presenting: "out-via-scale")),
                .init(name: "transitioning, a command waits", stage: waiting),
                .init(name: "transitioning, impossible ones wait", stage: waitingInVain),
                .init(name: "transitioning, queue full", stage: full),
            ] + (try drawn()),
            rows: presents + mistakes + [.init(.command("back"))] + pans + [.init(.time)],
            // The drawn screen is where the finger is.
            jumping: { stimulus in
                guard case .gesture(.pan) = stimulus else { return [] }
                let screens = (1..<Navigation.stackMax).map { "screen\($0)" }
                return Set(["posts", "likes", "share", "comments"] + screens)
            })
    }

    /// A finger draws the posts off the dashboard.
    private static func drawn() throws -> [Table<Navigation>.Column] {
        func popping(at x: Double, _ phase: Phase? = nil) throws -> Stage<Navigation> {
            var stage = try navigationStage(over: ["posts"])
            try stage.pan(.began, 10, 300)
            try stage.pan(.changed, x, 300)
            stage.step(24)
            if let phase { try stage.pan(phase, x, 300) }
            stage.step(6)
            return stage
        }
        var caught = try popping(at: 210, .ended)
        caught.touch(.down(Vector(200, 300)))
        let stages = [
            ("a finger draws", try popping(at: 150)),
            ("let go to pop", try popping(at: 210, .ended)),
            ("let go to stay", try popping(at: 150, .ended)), ("caught in flight", caught),
        ]
        return stages.map { name, stage in
            .init(name: "transitioning, \(name)", group: "drawn", stage: stage)
        }
    }

    private static var pans: [Grid.Row.Event] {
        [
            .init(.pan(.began, 10, 300), "at the left edge"),
            .init(.pan(.began, 100, 300), "elsewhere"),
            .init(.pan(.changed, 200, 300)),
            .init(.pan(.ended, 100, 300, velocity: .zero), "near the edge, at rest"),
            .init(.pan(.ended, 250, 300, velocity: .zero), "far from it, at rest"),
            .init(.pan(.ended, 100, 300, velocity: Vector(800, 0)), "near it, fast away"),
            .init(.pan(.cancelled, 250, 300)),
        ]
    }

    private static var presents: [Grid.Row.Event] {
        Stage<Navigation>.transitions.map {
            .init(.command("present", screen: "comments", transition: $0), "by `\($0)`")
        } + [
            .init(
                .command("present", screen: "dashboard", transition: "in-from-bottom"),
                "of the root by `in-from-bottom`")
        ]
    }

    private static var mistakes: [Grid.Row.Event] {
        [
            .init(.command("present", transition: "in-via-scale"), "without a screen"),
            .init(.command("present", screen: "posts"), "without a transition"),
            .init(
                .command("present", screen: "no name", transition: "in-via-scale"),
                "of what is no name"),
            .init(
                .command("present", screen: "posts", transition: "fly"),
                "by an unknown transition"),
        ]
    }
}

extension Stage<Navigation> {
    fileprivate mutating func pile(up screen: String) throws(Rejection) {
        try present(screen, "out-via-scale")
        step(34)
    }
}
