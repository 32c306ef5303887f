import Geometry
import Gestures
import Interactions
import TestSupport

extension Tables {
    static func toss() throws -> Table<Toss> {
        Table(
            kind: "toss",
            remark: "Slow is at most `throwing_threshold`, fast is above it.",
            phases: ["resting", "dragging", "thrown", "returning"],
            columns: try ["resting", "dragging", "thrown", "returning"].map {
                .init(name: $0, stage: try TossStage.inPhase($0))
            },
            rows: [
                .init(.pan(.began, 170, 240)), .init(.pan(.changed, 190, 250)),
                .init(.pan(.changed, 180, 260), "where it was"),
                .init(.pan(.ended, 190, 250, velocity: Vector(1_000, 0)), "slow"),
                .init(.pan(.ended, 190, 250, velocity: Vector(0, -1_001)), "fast"),
                .init(.pan(.cancelled, 190, 250, velocity: Vector(0, -1_001)), "slow or fast"),
                .init(.tap(.point(Vector(170, 230))), "on it"),
                .init(.tap(.point(Vector(5, 5))), "beside it"), .init(.tap(.row(1)), "on a row"),
                .init(.command("reset")), .init(.time),
            ],
            // The marks are where the finger is.
            jumping: { _ in ["touch", "anchor"] })
    }
}
