package import Geometry

/// Facts about a sample that the recognizers of a component need besides its place and time.
package struct ContactSetting: Hashable, Sendable {
    /// How the component lies in the viewport.
    package private(set) var scale = ViewportScale.same
    /// Leads from the viewport's coordinates to the component's own; nil: nothing holds it.
    private(set) var change: Similarity?
    /// The contact's place in the viewport, where something that may move holds the component; nil:
    /// nothing does, or it is not known.
    package var place: Vector?
    /// Whether a vertical pan may begin with it. If not, it never does: a component around this one
    /// scrolls.
    package var mayScroll = true
    /// Whether a contact lands on something in motion. It is no tap and no long press.
    package var stopsMotion = false
    /// Whether a contact that lands may be a swipe.
    package var maySwipe = true
    /// Whether a contact that lands takes hold of what moves: its pan begins at once.
    package var catches = false

    package init() {}

    /// `change` leads from the viewport's coordinates to the component's own.
    package init(_ change: Similarity) {
        scale = ViewportScale(change)
        self.change = change
    }

    /// By how much (points of the component) a resting finger trembles.
    package var tremble: Double { VelocityTracker.tremblePoints / scale.factor }
}
