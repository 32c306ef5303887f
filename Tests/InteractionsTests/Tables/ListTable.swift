import Geometry
import Gestures
import Interactions
import TestSupport

extension Tables {
    /// Who moves the content is independent of what the rows do.
    static func list() throws -> Table<List> {
        let phases = ["closed", "opening", "open", "closing"]
        let columns = try ["", ", scrolled", ", wheeled", ", dragged", ", coasting"].flatMap {
            mover in
            try phases.map { phase in
                Table<List>.Column(
                    name: phase + mover, group: mover, stage: try list(phase, mover: mover))
            }
        }
        return Table(
            kind: "list",
            remark: """
                Row 3 of twenty is out of its place, to the left. *Scrolled*: the client's own \
                scroll is open. *Wheeled*: a wheel's series with phases is open. *Dragged*: a raw \
                contact drags the content. *Coasting*: the content flings or bounces. *Held*: a \
                raw contact caught the coasting content. The content drags end with a velocity, \
                for a fling.
                """,
            phases: phases,
            columns: columns + [
                .init(
                    name: "closed, held", group: "held", stage: try list("closed", mover: ", held"))
            ],
            rows: swipes + taps
                + Phase.allCases.map { .init(.scroll($0, 50)) }
                + wheels(far: false)
                + Phase.allCases.map { .init(.contentDrag($0, 0), "where it began") }
                + Phase.allCases.map { .init(.contentDrag($0, -30), "by a little") }
                + [
                    .init(.touch(.down(Vector(160, 300)))),
                    .init(.touch(.moved(Vector(160, 320)))), .init(.touch(.up)),
                    .init(.command("action")), .init(.command("scroll-to-top")),
                    .init(.command("select", ["row": 2]), "of a row"),
                    .init(.command("select", ["row": 99]), "of no row"),
                    .init(.command("select"), "without a row"), .init(.time),
                ],
            state: { $0.machine.phase + mover(of: $0) },
            jumping: { stimulus in
                let all = Set((0..<20).flatMap { ["row-\($0)", "menu-\($0)"] } + ["menu"])
                return switch stimulus {
                // The content moves, or another row is the one that is out of its place.
                case .gesture(.scroll), .gesture(.wheel), .gesture(.swipe): all
                case .contentDrag(let drag) where drag.phase != .began || drag.translation != 0:
                    all
                default: []
                }
            })
    }

    /// First the content, then the row: a content that is taken up closes what is open.
    private static func list(_ phase: String, mover: String) throws -> Stage<List> {
        var stage = listStage()
        switch mover {
        case ", scrolled": try stage.scroll(.began, 35)
        case ", wheeled": try stage.wheel(35, .began)
        case ", dragged": try stage.drag(pulling: [-4, -8, -12])
        case ", coasting": try stage.drag(pulling: [-40, -80, -120], velocityIsKept: true)
        case ", held":
            try stage.drag(pulling: [100, 200], velocityIsKept: true)
            stage.touch(.down(Vector(160, 300)))
        default: break
        }
        if phase != "closed" { try stage.swipe(.left, row: 3) }
        if phase == "opening" { stage.step(10) }
        if phase == "open" || phase == "closing" { stage.step(24) }
        if phase == "closing" {
            try stage.command("action")
            stage.step(10)
        }
        if mover == ", dragged" {
            for translation in [-16.0, -20] {
                stage.step()
                try stage.drag(.changed, translation)
            }
        }
        return stage
    }

    private static func mover(of trial: Trial<List>) -> String {
        if trial.takes(.scroll(.changed, 1)) { return ", scrolled" }
        if trial.takes(.wheel(1, .changed)) { return ", wheeled" }
        if trial.isDragged { return ", dragged" }
        return trial.isCoasting ? ", coasting" : ""
    }

    private static var swipes: [Grid.Row.Event] {
        let rows: [(Target, String)] = [
            (.row(3), "on row 3"), (.row(5), "on another row"), (.row(20), "on no row"),
            (.index(3), "on an index"),
        ]
        let sideways = rows.flatMap { target, words in
            [Direction.left, .right].map { Grid.Row.Event(.swipe($0, target), words) }
        }
        return sideways + [
            .init(.swipe(.up, .index(3)), "on an index"),
            .init(.swipe(.down, .index(3)), "on an index"),
        ]
            + [.init(.swipe(.up, .row(3))), .init(.swipe(.down, .row(3)))]
            + [.init(.swipe(.left, .point(Vector(160, 2_000))), "below the last row")]
    }

    private static var taps: [Grid.Row.Event] {
        [
            .init(.tap(.row(3)), "on row 3"),
            .init(.tap(.point(Vector(160, 380))), "on another row"),
            .init(.tap(.row(-1)), "on no row"), .init(.tap(.index(3)), "on an index"),
        ]
    }
}

extension Stage<List> {
    /// A raw contact that drags the content by these translations, and lifts if it is to fling.
    fileprivate mutating func drag(
        pulling translations: [Double], velocityIsKept isFlung: Bool = false
    ) throws(Rejection) {
        touch(.down(Vector(160, 300)))
        try drag(.began, 0)
        for translation in translations {
            step()
            try drag(.changed, translation)
        }
        guard isFlung, let last = translations.last else { return }
        try drag(.ended, last)
        touch(.up)
        step()
    }
}
