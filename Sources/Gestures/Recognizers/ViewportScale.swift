package import Geometry

/// How a component's own coordinates lie in the viewport.
///
/// A component may stand in a view that is scaled and turned, and its recognizers see contacts in
/// its own coordinates. A finger does not: thresholds are points of the viewport.
package struct ViewportScale: Hashable, Sendable {
    /// The component is neither scaled nor turned.
    package static let same = ViewportScale(factor: 1, cosine: 1, sine: 0)

    /// Points of the viewport in a point of the component.
    package let factor: Double
    /// The factor times the cosine and the sine of the component's turn.
    private let cosine: Double
    private let sine: Double

    private init(factor: Double, cosine: Double, sine: Double) {
        self.factor = factor
        self.cosine = cosine
        self.sine = sine
    }

    /// `change` leads from the viewport's coordinates to the component's own.
    package init(_ change: Similarity) {
        let across = change.turn(Vector(1, 0))
        guard across != Vector(1, 0) else {
            self = .same
            return
        }
        let square = across.x * across.x + across.y * across.y
        self.init(
            factor: 1 / square.squareRoot(), cosine: across.x / square, sine: -across.y / square)
    }

    /// Distances are rounded on their way through the component's coordinates. They count for so
    /// much more: at a tie a component around this one, which is not scaled, must not win.
    private static let grace = 1 + 1e-9

    private var grace: Double { self == .same ? 1 : Self.grace }

    /// A distance of the component, in points of the viewport.
    func points(_ distance: Double) -> Double { distance * factor * grace }

    /// How far a way in the component goes along either axis of the viewport, in its points.
    func reach(_ way: Vector) -> Double {
        grace
            * max(
                (way.x * cosine - way.y * sine).magnitude,
                (way.x * sine + way.y * cosine).magnitude)
    }
}
