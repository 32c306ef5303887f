import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

typealias ListStage = Stage<List>

/// Twenty rows of 70.
func listStage(
    rows: Int = 20, _ change: (inout ListParameters) -> Void = { _ in }
) -> ListStage {
    var parameters = ListParameters(rows: rows)
    change(&parameters)
    return Stage(List(parameters, viewport: .phone, tracker: .uikit))
}

/// Phases by letters of their own, since three are an o or a c.
let listLetters: [String: Character] = [
    "closed": ".", "opening": "o", "open": "O", "closing": "c",
]

extension Stage<List> {
    static var phases: [String] { ["closed", "opening", "open", "closing"] }

    /// A stage in a phase, reached as a user would: by a swipe on row 3, after `before`.
    static func inPhase(
        _ phase: String, _ direction: Direction = .left, style: ListParameters.Style = .reveal,
        before: (inout ListStage) throws -> Void = { _ in }
    ) throws -> ListStage {
        var stage = listStage { $0.style = style }
        try before(&stage)
        if phase != "closed" { try stage.swipe(direction, row: 3) }
        if phase == "opening" { stage.step(10) }
        if phase == "open" || phase == "closing" { stage.step(24) }
        if phase == "closing" {
            try stage.command("action")
            stage.step(10)
        }
        try #require(stage.phase == phase)
        return stage
    }

    mutating func swipe(_ direction: Direction, row: Int) throws(Rejection) {
        try gesture(.swipe(Swipe(direction: direction, target: .row(row))))
    }

    mutating func swipe(_ direction: Direction, _ x: Double, _ y: Double) throws(Rejection) {
        try gesture(.swipe(Swipe(direction: direction, target: .point(Vector(x, y)))))
    }

    mutating func tap(row: Int) throws(Rejection) { try gesture(.tap(.row(row))) }

    mutating func tap(_ x: Double, _ y: Double) throws(Rejection) {
        try gesture(.tap(.point(Vector(x, y))))
    }

    /// Dragged at 1,200 pt/s for 10 steps, upwards or downwards; then it lifts.
    mutating func fling(sign: Double = -1) throws(Rejection) {
        touch(.down(middle))
        try drag(.began, 0)
        for sample in 1..<10 {
            step()
            try drag(.changed, sign * 10 * Double(sample))
        }
        step()
        try drag(.ended, sign * 100)
        touch(.up)
    }

    /// Pulled 200 down beyond the top, let go, and caught on its way back.
    mutating func hold() throws(Rejection) {
        try drag(.began, 0)
        try drag(.changed, 200)
        step(20)
        try drag(.ended, 200)
        step(5)
        touch(.down(middle))
    }

    /// The view of the row that is out of its place; nil where its place is out of sight.
    var rowView: ViewState? { row.flatMap { view("row-\($0)") } }
    var menu: ViewState? { view("menu") }
    /// How far the row is to the right of its place; 1,000 would be seen.
    var rowX: Double { (rowView?.center.x ?? 1_160) - 160 }
    var menuX: Double { (menu?.center.x ?? 1_160) - 160 }
    var row: Int? {
        if case .whole(let row) = field("row") { return row }
        return nil
    }
    var selected: Int? {
        if case .whole(let row) = field("selected") { return row }
        return nil
    }
    var direction: String? {
        if case .text(let direction) = field("direction") { return direction }
        return "no direction was told"
    }
    var offset: Double? {
        if case .points(let offset) = field("offset") { return offset }
        return nil
    }
}
