import Geometry
import Gestures
import Interactions
import TestSupport

extension Tables {
    /// Three tips. Leaving has four ends, and a finger may be down before there is a tip.
    static func tips() throws -> Table<Tips> {
        func stage(_ phase: String) throws -> Stage<Tips> { try TipsStage.inPhase(phase) }
        func leaving(from index: Int, by offset: Double) throws -> Stage<Tips> {
            var stage = try stage("resting")
            for _ in 0..<index {
                try stage.release(at: -140)
                stage.run(to: "resting")
            }
            try stage.release(at: offset)
            stage.step(5)
            return stage
        }
        func early() throws -> Stage<Tips> {
            var stage = try stage("presenting")
            try stage.pan(.began, 150, 270)
            return stage
        }
        return Table(
            kind: "tips",
            remark: """
                With three tips; the first shows unless a column says otherwise. The middle is \
                where a tip rests; near is within `threshold` of it.
                """,
            phases: [
                "dismissed", "presenting", "entering", "resting", "dragging", "returning",
                "leaving", "dismissing",
            ],
            columns: [
                .init(name: "dismissed", stage: try stage("dismissed")),
                .init(name: "dismissed, no tips", stage: tipsStage(0)),
                .init(name: "presenting", stage: try stage("presenting")),
                .init(name: "presenting, a finger is down", stage: try early()),
                .init(name: "entering", stage: try stage("entering")),
                .init(name: "resting", stage: try stage("resting")),
                .init(name: "dragging", stage: try stage("dragging")),
                .init(name: "returning", stage: try stage("returning")),
                .init(name: "leaving to the next", stage: try leaving(from: 0, by: -140)),
                .init(name: "leaving to the previous", stage: try leaving(from: 1, by: 140)),
                .init(name: "leaving before the first", stage: try leaving(from: 0, by: 140)),
                .init(name: "leaving past the last", stage: try leaving(from: 2, by: -140)),
                .init(name: "dismissing", stage: try stage("dismissing")),
            ],
            rows: [
                .init(.pan(.began, 170, 290)), .init(.pan(.changed, 190, 290)),
                .init(.pan(.ended, 190, 290), "near the middle"),
                .init(.pan(.cancelled, 190, 290), "near the middle"),
                .init(.pan(.ended, 20, 290), "far to the left"),
                .init(.pan(.cancelled, 20, 290), "far to the left"),
                .init(.pan(.ended, 300, 290), "far to the right"),
                .init(.pan(.cancelled, 300, 290), "far to the right"),
                .init(.tap(.point(Vector(160, 284))), "on the tip"),
                .init(.tap(.point(Vector(2, 2))), "beside it"), .init(.tap(.row(1)), "on a row"),
                .init(.command("present")), .init(.command("dismiss")), .init(.time),
            ])
    }
}
