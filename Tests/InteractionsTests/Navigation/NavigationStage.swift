import Geometry
import Gestures
import Interactions
import Notation
import TestSupport

typealias NavigationStage = Stage<Navigation>

/// The dashboard is the root; a number of screens are presented over it without ado.
func navigationStage(
    over screens: [String] = [], _ change: (inout NavigationParameters) -> Void = { _ in }
) throws -> NavigationStage {
    var parameters = NavigationParameters(root: "dashboard")
    change(&parameters)
    var stage = Stage(Navigation(parameters, viewport: .phone, tracker: .uikit))
    for screen in screens {
        try stage.present(screen, "in-via-scale")
        _ = stage.steps { $0.phase == "resting" }
    }
    return stage
}

extension Stage<Navigation> {
    static var transitions: [String] {
        [
            "in-via-scale", "out-via-scale", "in-from-bottom", "out-to-bottom", "in-from-top",
            "out-to-top", "in-from-left", "out-to-left", "in-from-right", "out-to-right",
        ]
    }

    /// Presents or goes back in so many seconds.
    mutating func command(
        _ name: String, screen: String? = nil, transition: String? = nil, lasting seconds: Double
    ) throws(Rejection) {
        let duration = Node.Member("duration", Node(.number(seconds)))
        try command(name, screen: screen, transition: transition, members: [duration])
    }

    mutating func present(_ screen: String, _ transition: String) throws(Rejection) {
        try command("present", screen: screen, transition: transition)
    }

    mutating func back() throws(Rejection) { try command("back") }

    var stack: [String] {
        if case .texts(let stack) = field("stack") { return stack }
        return []
    }

    /// Null as nil.
    var backTitle: String? {
        if case .text(let title) = field("back_title") { return title }
        return "no back title was told"
    }
}

/// A screen in its place.
func screen(
    scale: Double = 1, right: Double = 0, below: Double = 0, z: Int, cut: Int = 0
) -> ViewState {
    ViewState(
        center: Vector(160 + right, 284 + below), size: Size(320, 568), scale: scale, z: z,
        cut: cut)
}
