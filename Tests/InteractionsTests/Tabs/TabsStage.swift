import Geometry
import Gestures
import Interactions
import TestSupport

typealias TabsStage = Stage<Tabs>

/// Five items 64 wide: news (3) has a bubble, profile (4) a glow.
func tabsStage(_ change: (inout TabsParameters) -> Void = { _ in }) -> TabsStage {
    var parameters = TabsParameters.five
    change(&parameters)
    return Stage(Tabs(parameters, viewport: .phone, tracker: .uikit))
}

extension Stage<Tabs> {
    var arrow: ViewState? { view("arrow") }
    var bubble: ViewState? { view("bubble") }
    var selected: Picture.Value? { field("selected") }

    /// The views of the page and the bar, while home is selected.
    static let bar =
        ["page-home", "bar"] + ["home", "popular", "share", "news", "profile"].map { "item-\($0)" }

    /// The arrow's left edge; 1,000 would be seen.
    var arrowLeft: Double { (arrow?.center.x ?? 1_010) - 10 }

    mutating func tap(_ index: Int) throws(Rejection) { try gesture(.tap(.index(index))) }
    mutating func tap(_ x: Double, _ y: Double) throws(Rejection) {
        try gesture(.tap(.point(Vector(x, y))))
    }

    /// The items that say of themselves that they are selected.
    var selectedItems: [Picture.Value?] {
        picture.fields.filter { $0.key.hasSuffix(".selected") && $0.value == .flag(true) }
            .map { field(String($0.key.dropLast("selected".count)) + "id") }
    }
}
