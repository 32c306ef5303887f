import Geometry
import Gestures
import Interactions
import TestSupport

extension Tables {
    /// Who pulls, whether that loaded anything, and whether there is a neighbour to load.
    static func reader() throws -> Table<Reader> {
        func stage(_ place: String, start: Int = 4) throws -> Stage<Reader> {
            try ReaderStage.inPlace(place, start: start)
        }
        func pulled(to offset: Double) throws -> Stage<Reader> {
            var stage = try stage("resting")
            try stage.pull(to: offset)
            return stage
        }
        func gripped(by translation: Double, start: Int = 4) throws -> Stage<Reader> {
            var stage = try stage("resting", start: start)
            stage.touch(.down(Vector(160, 300)))
            try stage.drag(.began, 0)
            try stage.drag(.changed, translation)
            stage.step(30)
            return stage
        }
        var previous = try stage("resting")
        try previous.command("previous")
        previous.step(10)
        return Table(
            kind: "reader",
            remark: """
                The fifth of ten pages shows unless a column names another. *Dragging*: the \
                client's scroll view drags; *gripped*: a raw contact drags; *wheel*: one without \
                phases pulls, or one with them. A little is less than the height of header and \
                footer, far is more. A loaded bar was pulled in far.
                """,
            phases: ["resting", "dragging", "returning", "paging"],
            columns: try [
                .init(name: "resting", stage: try stage("resting")),
                .init(name: "resting on the first page", stage: try stage("resting", start: 0)),
                .init(name: "resting on the last page", stage: try stage("resting", start: 9)),
                .init(name: "resting, an arrow turns", stage: try stage("turning")),
                .init(name: "paging to the next", stage: try stage("paging")),
                .init(name: "paging to the previous", stage: previous),
                .init(name: "dragging", stage: try pulled(to: 40)),
                .init(name: "dragging, header loaded", stage: try pulled(to: -80)),
                .init(name: "dragging, footer loaded", stage: try pulled(to: 80)),
                .init(name: "dragging on the first page", stage: try stage("dragging", start: 0)),
                .init(name: "dragging on the last page", stage: try stage("dragging", start: 9)),
                .init(name: "gripped", stage: try gripped(by: 40)),
                .init(name: "gripped, header loaded", stage: try gripped(by: 200)),
                .init(name: "gripped, footer loaded", stage: try gripped(by: -200)),
                .init(name: "gripped on the first page", stage: try gripped(by: 40, start: 0)),
                .init(name: "gripped on the last page", stage: try gripped(by: 40, start: 9)),
                .init(name: "returning", stage: try stage("returning")),
                .init(
                    name: "returning on the first page", stage: try stage("returning", start: 0)),
                .init(
                    name: "returning on the last page", stage: try stage("returning", start: 9)),
                .init(name: "returning, held", stage: try stage("held")),
                .init(
                    name: "returning on the first page, held", stage: try stage("held", start: 0)),
                .init(
                    name: "returning on the last page, held", stage: try stage("held", start: 9)),
            ] + wheeled(),
            rows: scrolls + wheels() + pulls + [
                .init(.touch(.down(Vector(160, 300)))), .init(.touch(.moved(Vector(160, 320)))),
                .init(.touch(.up)), .init(.command("next")), .init(.command("previous")),
                .init(.time),
            ],
            state: { state(of: $0) }, jumping: jumping)
    }

    /// A wheel pulls, without phases and with them.
    private static func wheeled() throws -> [Table<Reader>.Column] {
        try [("wheel", nil), ("wheel with phases", Phase.began)].flatMap { name, phase in
            try [(40.0, ""), (-200, ", header loaded"), (200, ", footer loaded")].map { way, bar in
                var stage = try ReaderStage.inPlace("resting")
                try stage.wheel(way, phase)
                return Table<Reader>.Column(name: name + bar, stage: stage)
            }
        }
    }

    private static var scrolls: [Grid.Row.Event] {
        [(20.0, "a little"), (-80, "far down"), (80, "far up")].flatMap { offset, words in
            Phase.allCases.map { .init(.scroll($0, offset), words) }
        }
    }

    private static var pulls: [Grid.Row.Event] {
        [(0.0, "where it began"), (-20, "a little"), (200, "far down"), (-200, "far up")].flatMap {
            translation, words in
            Phase.allCases.map { .init(.contentDrag($0, translation), words) }
        }
    }

    private static func state(of trial: Trial<Reader>) -> String {
        switch trial.machine.phase {
        case "dragging": puller(of: trial)
        case "returning": trial.isCoasting ? "returning" : "returning, held"
        default: trial.machine.phase
        }
    }

    private static func puller(of trial: Trial<Reader>) -> String {
        if trial.takes(.scroll(.changed, 1)) { return "dragging" }
        if trial.takes(.contentDrag(.changed, 1)) { return "gripped" }
        return trial.takes(.wheel(1, .changed)) ? "wheel with phases" : "wheel"
    }

    /// A pull sets the content's place.
    private static func jumping(_ stimulus: Stimulus) -> Set<String> {
        let all: Set<String> = ["page", "header", "footer", "header_arrow", "footer_arrow"]
        switch stimulus {
        case .gesture(.scroll), .gesture(.wheel): return all
        case .contentDrag(let drag):
            return drag.phase != .began || drag.translation != 0 ? all : []
        default: return []
        }
    }
}
