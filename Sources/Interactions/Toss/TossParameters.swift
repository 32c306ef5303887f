package import Geometry
package import Notation

/// The parameters of `toss`. Lengths in points, durations in seconds.
package struct TossParameters: KindParameters {
    package typealias Component = Toss

    /// Radians per second of a spin: far above what a step's cap on rotation lets show.
    private static let spins = -1_000...1_000

    package var frame = Rect(33, 137, 254, 172)
    /// Points per second; a release above it is thrown.
    package var throwingThreshold = 1000.0
    /// The release velocity is divided by it to give the push's magnitude.
    package var velocityPadding = 35.0
    /// Whole radians per second, drawn evenly from this range.
    package var spin = -10...9
    package var friction = 0.2
    package var returnDelay = 0.4
    package var returnDuration = 0.45
    /// Brings it back in place of `returnDuration`; nil: none does.
    package var spring: SpringParameters?
    /// Where a finger takes hold of it; nil: on its item.
    package var reach: Reach?
    /// When the marks of the finger are shown.
    package var markers = Markers.dragging

    package enum Markers: String, Hashable, Sendable, CaseIterable {
        case dragging, always, never
    }

    package enum Reach: String, Hashable, Sendable, CaseIterable {
        case item
        /// Anywhere in what holds it.
        case all
    }

    package init(viewport: Size) {}

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.rect("frame", &frame)
        try table.number("throwing_threshold", &throwingThreshold, in: .distance)
        try table.number("velocity_padding", &velocityPadding, in: .divisor)
        try table.wholeRange("spin", &spin, in: Self.spins)
        try table.number("friction", &friction, in: .distance)
        try table.number("return_delay", &returnDelay, in: .duration)
        try table.number("return_duration", &returnDuration, in: .duration)
        try table.table("spring", &spring)
        try table.choice("markers", &markers)
        try table.choice("reach", &reach)
    }
}
