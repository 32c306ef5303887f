package import Geometry
package import Notation

/// The parameters of `navigation`. Durations in seconds, scales as factors.
package struct NavigationParameters: KindParameters {
    package typealias Component = Navigation

    /// The screen that is always at the bottom of the stack.
    package var root: String
    package var duration = 0.3
    /// Moves the screens in place of `duration` and the curves; nil: none does.
    package var spring: SpringParameters?
    /// How long a shrinking screen stays before it starts to shrink.
    package var startDelay = 0.02
    /// How long before its motion's end a leaving screen is removed; at most `duration`, or the
    /// spring's time.
    package var removalLead = 0.02
    package var scaleInFrom = 0.1
    package var scaleOutTo = 0.01
    /// Commands that may wait while a transition runs.
    package var queue = 8
    /// The width of the left edge from which a pan pops, in points; 0: none does.
    package var popEdge = 20.0
    /// The screens that there are; empty: any name is one, without a title.
    package var screens: [NavigationScreen] = []

    package init(viewport: Size) { self.init(root: "") }
    package init(root: String) { self.root = root }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("root")
        try table.name("root", &root)
        try table.number("duration", &duration, in: .duration)
        try table.table("spring", &spring)
        try table.number("start_delay", &startDelay, in: .duration)
        // A screen that goes at once needs no lead; the default yields to a short duration.
        removalLead = min(removalLead, duration)
        try table.number("removal_lead", &removalLead, in: .duration)
        guard spring != nil || removalLead <= duration else {
            throw table.error("removal_lead", "must not be above duration")
        }
        try table.number("scale_in_from", &scaleInFrom, in: .distance)
        try table.number("scale_out_to", &scaleOutTo, in: .distance)
        try table.whole("queue", &queue, in: 0...Navigation.queueMax)
        try table.number("pop_edge", &popEdge, in: .distance)
        try table.tables("screens", &screens, called: "screen", count: 0...Navigation.stackMax)
        if let reader = table.reader, !hasScreen(root) {
            throw reader.error("root", unknown: "screen", root, among: screenNames)
        }
    }
}
