package import Geometry

/// Facts about a sample that the recognizers of a component need besides its place and time.
package struct ContactSetting: Hashable, Sendable {
    /// How the component lies in the viewport.
    package var scale = ViewportScale.same
    /// Whether a vertical pan may begin with it. If not, it never does: a component around this one
    /// scrolls.
    package var mayScroll = true
    /// Whether a contact that lands may be a tap. One that stops something in motion may not.
    package var mayTap = true

    package init() {}

    /// `change` leads from the viewport's coordinates to the component's own.
    package init(_ change: Similarity) { scale = ViewportScale(change) }

    /// By how much (points of the component) a resting finger trembles.
    package var tremble: Double { VelocityTracker.tremblePoints / scale.factor }
}
