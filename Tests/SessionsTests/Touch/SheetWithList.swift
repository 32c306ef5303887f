import Geometry
import Interactions
import TestSupport

/// A sheet that rests at 300 and at 100 points, with a list of 100 rows in it.
func sheetWithList(at start: String = "low") -> Theater {
    var parameters = PanelParameters(viewport: .phone)
    parameters.size = Size(320, 468)
    parameters.anchors = [.init("low", .points(300)), .init("high", .points(100))]
    parameters.start = start
    return Theater(
        NestedScene().with("sheet", parameters)
            .with("list", ListParameters(rows: 100), in: "sheet/content").scene)
}

/// Where the sheet's edge is.
func position(_ theater: Theater) -> Double { points(theater, "sheet", "position") }

/// The offset of the list in it.
func offset(_ theater: Theater) -> Double { points(theater, "list", "offset") }

private func points(_ theater: Theater, _ component: String, _ field: String) -> Double {
    guard case .points(let points) = theater.picture(component).fields[field] else { return .nan }
    return points
}
