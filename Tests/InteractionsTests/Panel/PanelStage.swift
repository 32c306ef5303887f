import Geometry
import Gestures
import Interactions
import Notation
import TestSupport

/// A sheet in a viewport of 320 by 568: it rests at 500, at 300 and at 100 points.
func panelStage(_ change: (inout PanelParameters) -> Void = { _ in }) -> Stage<Panel> {
    var parameters = PanelParameters.sheet
    change(&parameters)
    return Stage(Panel(parameters, viewport: .phone, tracker: .uikit))
}

extension PanelParameters {
    static var sheet: PanelParameters {
        var parameters = PanelParameters(viewport: .phone)
        parameters.size = Size(320, 468)
        parameters.anchors = [
            Anchor("low", .points(500)), Anchor("middle", .points(300)),
            Anchor("high", .points(100)),
        ]
        return parameters
    }
}

extension Stage<Panel> {
    var position: Double {
        guard case .points(let position) = field("position") else { return .nan }
        return position
    }

    var progress: Double {
        guard case .points(let progress) = field("progress") else { return .nan }
        return progress
    }

    var at: String? {
        guard case .text(let name) = field("at") else { return nil }
        return name
    }

    mutating func go(to name: String, animated: Bool? = nil) throws(Rejection) {
        var members = [Node.Member("to", Node(.string(name)))]
        if let animated { members.append(.init("animated", Node(.bool(animated)))) }
        try command("go", members: members)
    }

    /// Drags by so many points in equal parts, one a step, and lets go.
    mutating func drag(by way: Double, steps: Int = 12) throws(Rejection) {
        try drag(.began, 0)
        for part in 1...steps {
            step()
            try drag(.changed, way * Double(part) / Double(steps))
        }
        try drag(.ended, way)
    }
}
