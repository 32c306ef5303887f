package import Geometry
package import Motion
package import Notation

/// The parameters of `tabs`. Lengths in points, durations in seconds.
package struct TabsParameters: KindParameters {
    package typealias Component = Tabs

    package struct Item: Hashable, Sendable {
        package var id: String
        /// Notifications of these kinds make it glow.
        package var glow: [String] = []
        /// Notifications of these kinds show a bubble over it.
        package var bubble: [String] = []
        package var content: Node?

        package init() { self.init(id: "") }
        package init(id: String) { self.id = id }
    }

    /// 1 to `Tabs.itemsMax`.
    package var items: [Item] = []
    package var width: Double
    package var height = 44.0
    package var windowHeight: Double
    package var arrow = Size(20, 10)
    package var glowSize = Size(40, 10)
    package var bubbleSize = Size(120, 40)
    package var arrowDuration = 0.2
    package var arrowCurve = TimingCurve.easeInOut
    /// Moves the arrow in place of its duration and curve; nil: none does.
    package var spring: SpringParameters?
    package var bubbleFade = 0.5
    /// Fades the bubble in place of `bubbleFade`; nil: none does.
    package var bubbleSpring: SpringParameters?
    /// 0: the bubble stays until it is hidden.
    package var bubbleTimeout = 0.0
    /// Whether the pages reach below the bar; nil: they do.
    package var barCovers: Bool?

    package init(viewport: Size) {
        width = viewport.width
        windowHeight = viewport.height
    }

    var pageSize: Size { Size(width, barCovers == false ? windowHeight - height : windowHeight) }

    package var contentBytes: Int { items.reduce(0) { $0 + ($1.content?.jsonBytes ?? 0) } }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("items")
        try table.tables("items", &items, called: "item", count: 1...Tabs.itemsMax)
        try table.number("width", &width, in: .size)
        try table.number("height", &height, in: .size)
        try table.number("window_height", &windowHeight, in: .size)
        try table.size("arrow", &arrow)
        try table.size("glow_size", &glowSize)
        try table.size("bubble_size", &bubbleSize)
        try table.number("arrow_duration", &arrowDuration, in: .duration)
        try table.choice("arrow_curve", &arrowCurve)
        try table.table("spring", &spring)
        try table.number("bubble_fade", &bubbleFade, in: .duration)
        try table.table("bubble_spring", &bubbleSpring)
        try table.number("bubble_timeout", &bubbleTimeout, in: .duration)
        try table.bool("bar_covers", &barCovers)
        guard barCovers != false || height < windowHeight else {
            throw table.error("bar_covers", "leaves pages no height above the bar")
        }
    }
}

extension TabsParameters.Item: ParameterEntry {
    package var uniqueID: String? { id }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("id")
        try table.name("id", &id)
        try table.names("glow", &glow, countMax: BadgeCounts.kindsMax)
        try table.names("bubble", &bubble, countMax: BadgeCounts.kindsMax)
        try table.content("content", &content)
    }
}
