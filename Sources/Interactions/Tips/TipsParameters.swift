package import Geometry
package import Notation

/// The parameters of `tips`, with the written defaults. Lengths in points, durations in seconds.
package struct TipsParameters: KindParameters {
    package typealias Component = Tips

    package struct Tip: Hashable, Sendable, Codable {
        package var title: SceneText = "No Title"
        package var summary: SceneText = "No Summary"
        package var image: String?
        package var content: Node?

        package init() {}
    }

    package var tips: [Tip] = []
    package var size = Size(300, 400)
    /// From a tip's center down to the pin that it swings on.
    package var pivotOffset: Double
    /// A release at least this far from the middle leaves.
    package var threshold = 100.0
    package var exitDuration = 0.4
    /// While this lasts, a tip that leaves travels to its exit; it does not outlast
    /// `exitDuration`. 0: it is sent there at once, as UIKit's attachment would.
    package var exitTravel = 0.3
    package var snapDamping = 0.5
    /// The resistance, per second, that a tip meets for each 1,000 points per second of the finger
    /// that holds it.
    package var resistance = 0.0
    package var backdropAlpha = 0.5
    package var fade = 0.3
    /// Fades in place of `fade`; nil: none does.
    package var spring: SpringParameters?
    /// Whether the tips present themselves at opening.
    package var presented = true

    private let viewportWidth: Double

    package init(viewport: Size) {
        viewportWidth = viewport.width
        pivotOffset = Self.pivotOffset(of: size, viewportWidth: viewport.width)
    }

    /// So far that a tip that is turned by a right angle about its pin is out of the viewport.
    private static func pivotOffset(of size: Size, viewportWidth: Double) -> Double {
        max(500, viewportWidth / 2 + Vector(size.width, size.height).length / 2)
    }

    package var contentBytes: Int { tips.reduce(0) { $0 + ($1.content?.jsonBytes ?? 0) } }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("tips")
        try table.tables("tips", &tips, called: "tip", count: 0...Tips.tipsMax)
        try table.size("size", &size)
        if table.reader != nil {
            pivotOffset = Self.pivotOffset(of: size, viewportWidth: viewportWidth)
        }
        try table.number("pivot_offset", &pivotOffset, in: .coordinate)
        try table.number("threshold", &threshold, in: .distance)
        try table.number("exit_duration", &exitDuration, in: .duration)
        try table.number("exit_travel", &exitTravel, in: .duration)
        try table.number("snap_damping", &snapDamping, in: .distance)
        try table.number("resistance", &resistance, in: .distance)
        try table.number("backdrop_alpha", &backdropAlpha, in: .alpha)
        try table.number("fade", &fade, in: .duration)
        try table.table("spring", &spring)
        try table.bool("presented", &presented)
    }
}

extension TipsParameters.Tip: ParameterEntry {
    package var uniqueID: String? { nil }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.text("title", &title)
        try table.text("summary", &summary)
        try table.string("image", &image)
        try table.content("content", &content)
    }
}
