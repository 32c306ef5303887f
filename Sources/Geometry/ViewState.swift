/// One view at one instant: all that a renderer needs to draw it.
package struct ViewState: Hashable, Sendable {
    /// The view's center in the viewport, in points.
    package var center: Vector
    /// The untransformed size, in points.
    package var size: Size
    /// Radians, clockwise on screen. The wire publishes it wrapped into (−π, π].
    package var rotation: Double
    /// Uniform; 1 is the natural size.
    package var scale: Double
    /// 0 (invisible) to 1 (opaque).
    package var alpha: Double
    /// Higher is in front.
    package var z: Int
    /// How often the view was placed anew instead of moved; who interpolates starts afresh where it
    /// has grown.
    package var cut: Int

    package init(
        center: Vector, size: Size, rotation: Double = 0, scale: Double = 1, alpha: Double = 1,
        z: Int, cut: Int = 0
    ) {
        self.center = center
        self.size = size
        self.rotation = rotation
        self.scale = scale
        self.alpha = alpha
        self.z = z
        self.cut = cut
    }
}
