import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

typealias ReaderStage = Stage<Reader>

/// Ten pages of 320×568, the fifth on show.
func readerStage(
    pages: ReaderParameters.Pages = .count(10), start: Int = 4,
    _ change: (inout ReaderParameters) -> Void = { _ in }
) -> ReaderStage {
    var parameters = ReaderParameters(pages: pages, viewport: .phone)
    parameters.start = start
    change(&parameters)
    return Stage(Reader(parameters, viewport: .phone, tracker: .uikit))
}

/// Phases by letters of their own, since two are an r.
let readerLetters: [String: Character] = [
    "resting": ".", "dragging": "d", "returning": "r", "paging": "p",
]

extension Stage<Reader> {
    /// Beside the phases: dragged by a raw contact, held by one, with an arrow that turns back.
    static var places: [String] {
        ["resting", "turning", "dragging", "gripped", "returning", "held", "paging"]
    }

    /// A stage in a place, reached as a user would.
    static func inPlace(_ place: String, start: Int = 4) throws -> ReaderStage {
        var stage = readerStage(start: start)
        switch place {
        case "turning":
            // Come from a neighbour, so that its arrow turns back on the page that is meant.
            stage = readerStage(start: start > 0 ? start - 1 : start + 1)
            let offset = start > 0 ? 60.0 : -60
            try stage.pull(to: offset)
            try stage.scroll(.ended, offset)
            stage.step(30)
        case "dragging": try stage.pull(to: 40)
        case "gripped":
            stage.touch(.down(Vector(160, 300)))
            try stage.drag(.began, 0)
            try stage.drag(.changed, 70)
        case "returning", "held":
            try stage.pull(to: 40)
            try stage.scroll(.ended, 40)
            stage.step(5)
            if place == "held" { stage.touch(.down(Vector(160, 300))) }
        case "paging":
            try stage.command(start < 9 ? "next" : "previous")
            stage.step(10)
        default: break
        }
        return stage
    }

    /// A client's scroll that began at 0 and stands still at an offset, by now for 0.2 s.
    mutating func pull(to offset: Double) throws(Rejection) {
        try scroll(.began, 0)
        step()
        try scroll(.changed, offset)
        step(24)
    }

    var offset: Double {
        guard case .points(let offset) = field("offset") else { return .nan }
        return offset
    }

    /// The top edge of a view as published, in points.
    func top(_ name: String) -> Double? {
        view(name).map { $0.center.y - $0.size.height / 2 }
    }
}

func isNear(_ a: Double?, _ b: Double, within error: Double = 1e-9) -> Bool {
    a.map { abs($0 - b) <= error } ?? false
}
