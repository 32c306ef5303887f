import Geometry
import Gestures
import Interactions
import Notation
import TestSupport

extension Tables {
    static func panel() throws -> Table<Panel> {
        func resting(_ name: String) throws -> Stage<Panel> {
            var stage = panelStage { $0.backdropAlpha = 0.4 }
            try stage.go(to: name, animated: false)
            return stage
        }
        var dragged = try resting("middle")
        try dragged.drag(.began, 0)
        var panned = try resting("middle")
        try panned.pan(.began, 160, 320)
        var settling = try resting("low")
        try settling.go(to: "high")
        settling.step(24)
        var caught = settling
        caught.touch(.down(Vector(160, 400)))
        let columns = [
            ("resting at the first", try resting("low")),
            ("resting between", try resting("middle")),
            ("resting at the last", try resting("high")), ("dragging", dragged),
            ("dragging by a pan", panned), ("dragging, caught", caught), ("settling", settling),
        ]
        return Table(
            kind: "panel",
            remark: """
                A vertical sheet with the anchors low, middle and high, and a backdrop. *Caught*: \
                a contact stopped it on its way to high.
                """,
            phases: ["resting", "dragging", "settling"],
            columns: columns.map { .init(name: $0, stage: $1) },
            rows: strokes + touches + commands + [.init(.time)], state: { state(of: $0) },
            jumping: { stimulus in
                switch stimulus {
                case .contentDrag, .gesture(.pan), .command:
                    ["panel", "content", "backdrop"]
                default: []
                }
            })
    }

    private static var strokes: [Grid.Row.Event] {
        Phase.allCases.flatMap { phase -> [Grid.Row.Event] in
            [(0.0, "where it began"), (150, "far down"), (-150, "far up")].map { way, words in
                .init(.contentDrag(phase, way), words)
            }
        }
            + Phase.allCases.map { .init(.pan($0, 160, 320), "where it began") }
            + [
                .init(.pan(.ended, 160, 320, velocity: Vector(0, -900)), "fast up"),
                .init(.pan(.ended, 160, 320, velocity: Vector(0, 900)), "fast down"),
            ]
    }

    private static var touches: [Grid.Row.Event] {
        [
            .init(.touch(.down(Vector(160, 540)))), .init(.touch(.moved(Vector(160, 545)))),
            .init(.touch(.up)), .init(.tap(.point(Vector(160, 540))), "on the panel"),
            .init(.tap(.point(Vector(160, 20))), "on the backdrop"),
            .init(.tap(.row(1)), "on a row"),
        ]
    }

    private static var commands: [Grid.Row.Event] {
        ["low", "middle", "high"].map {
            .init(.command("go", ["to": Sheet($0)]), "to \($0)")
        } + [
            .init(.command("go", ["to": "low", "animated": false]), "to low at once"),
            .init(.command("go", ["to": "up"]), "to what is not there"),
            .init(.command("go"), "without `to`"), .init(.command("toggle")),
        ]
    }

    private static func state(of trial: Trial<Panel>) -> String {
        let picture = Picture(trial.machine)
        switch picture.phase {
        case "resting":
            switch picture.fields["at"] {
            case .text("low"): return "resting at the first"
            case .text("high"): return "resting at the last"
            default: return "resting between"
            }
        case "dragging":
            guard trial.takes(.contentDrag(.changed, 0)) else { return "dragging, caught" }
            return trial.machine.nextTimer == nil ? "dragging, caught" : "dragging"
        default: return picture.phase
        }
    }
}
