import Geometry
import Gestures
import Interactions
import TestSupport

extension Tables {
    static func label() throws -> Table<Label> {
        let shown = labelStage()
        let hidden = labelStage { $0.isShown = false }
        var (showing, hiding) = (hidden, shown)
        try showing.command("show")
        try hiding.command("hide")
        let columns = [
            ("hidden", hidden), ("showing", showing), ("shown", shown), ("hiding", hiding),
        ]
        return Table(
            kind: "label",
            remark: "Another text comes by a change of the scene, which is no event here.",
            phases: ["hidden", "showing", "shown", "hiding"],
            columns: columns.map { name, stage in
                var stage = stage
                stage.step(6)
                return .init(name: name, stage: stage)
            },
            rows: [.init(.command("show")), .init(.command("hide")), .init(.time)])
    }
}
