package import Geometry
package import Notation

/// The parameters of `tips`, with the written defaults. Lengths in points, durations in seconds.
package struct TipsParameters: KindParameters {
    package typealias Component = Tips

    package struct Tip: Hashable, Sendable {
        package var title = "No Title"
        package var summary = "No Summary"
        package var image: String?
        package var content: Node?

        package init() {}
    }

    package var tips: [Tip] = []
    package var size = Size(300, 400)
    /// From a tip's center down to the pin that it swings on.
    package var pivotOffset = 500.0
    /// A release at least this far from the middle leaves.
    package var threshold = 100.0
    package var exitDuration = 0.4
    package var snapDamping = 0.5
    package var backdropAlpha = 0.5
    package var fade = 0.3
    /// Whether the tips present themselves at opening.
    package var presented = true

    package init(viewport: Size) {}

    package var contentBytes: Int { tips.reduce(0) { $0 + ($1.content?.jsonBytes ?? 0) } }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("tips")
        try table.tables("tips", &tips, called: "tip", count: 0...Tips.tipsMax)
        try table.size("size", &size)
        try table.number("pivot_offset", &pivotOffset, in: .coordinate)
        try table.number("threshold", &threshold, in: .distance)
        try table.number("exit_duration", &exitDuration, in: .duration)
        try table.number("snap_damping", &snapDamping, in: .distance)
        try table.number("backdrop_alpha", &backdropAlpha, in: .alpha)
        try table.number("fade", &fade, in: .duration)
        try table.bool("presented", &presented)
    }
}

extension TipsParameters.Tip: ParameterEntry {
    package var uniqueID: String? { nil }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.string("title", &title)
        try table.string("summary", &summary)
        try table.string("image", &image)
        try table.content("content", &content)
    }
}
