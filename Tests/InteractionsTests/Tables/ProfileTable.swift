import Geometry
import Gestures
import Interactions
import TestSupport

extension Tables {
    /// The phase says where the content is; who moves it is independent of that.
    static func profile() throws -> Table<Profile> {
        let phases = ["pulled", "expanded", "collapsed", "titled"]
        let offsets = [-10.0, 20, 60, 120]
        let columns = try ["", ", wheeled", ", dragged", ", coasting", ", held"].flatMap { mover in
            try zip(phases, offsets).map { phase, offset in
                Table<Profile>.Column(
                    name: phase + mover, group: mover, stage: try profile(at: offset, mover: mover))
            }
        }
        return Table(
            kind: "profile",
            remark: """
                Each state has one offset: −10, 20, 60 or 120. *Wheeled*: a wheel's series with \
                phases is open. *Dragged*: a raw contact drags the content. *Coasting*: the \
                content flings or bounces. *Held*: a raw contact caught the coasting content. In \
                the other states the client scrolls, or nobody. The content drags end without a \
                velocity.
                """,
            phases: phases, columns: columns,
            rows: zip(phases, offsets).flatMap { phase, offset in
                Phase.allCases.map { .init(.scroll($0, offset), "into what is \(phase)") }
            } + wheels() + drags + [
                .init(.touch(.down(Vector(160, 300)))), .init(.touch(.moved(Vector(160, 320)))),
                .init(.touch(.up)), .init(.time),
            ],
            state: { $0.machine.phase + mover(of: $0) },
            jumping: { stimulus in
                let all: Set = ["content", "header", "avatar", "label", "blur"]
                return switch stimulus {
                case .gesture(.scroll), .gesture(.wheel): all
                case .contentDrag(let drag) where drag.phase != .began || drag.translation != 0:
                    all
                default: []
                }
            })
    }

    private static var drags: [Grid.Row.Event] {
        Phase.allCases.map { .init(.contentDrag($0, 0), "where it began") }
            + Phase.allCases.map { .init(.contentDrag($0, 300), "far down") }
            + Phase.allCases.map { .init(.contentDrag($0, -300), "far up") }
    }

    private static func profile(at offset: Double, mover: String) throws -> Stage<Profile> {
        var stage = try InteractionsTests.profile(at: offset)
        if mover.isEmpty { return stage }
        if mover == ", wheeled" {
            try stage.wheel(0, .began)
            return stage
        }
        stage.touch(.down(Vector(160, 300)))
        try stage.drag(.began, 0)
        if mover == ", dragged" { return stage }
        // Slowly, so that it is where it was when it is let go; it flings all the same.
        for translation in [-4.0, 0] {
            stage.step(1)
            try stage.drag(.changed, translation)
        }
        try stage.drag(.ended, offset < 0 ? 0 : -4)
        stage.touch(.up)
        if mover == ", held" { stage.touch(.down(Vector(160, 300))) }
        return stage
    }

    private static func mover(of trial: Trial<Profile>) -> String {
        if trial.takes(.wheel(1, .changed)) { return ", wheeled" }
        if trial.isDragged { return ", dragged" }
        return trial.isCoasting ? ", coasting" : ""
    }
}
